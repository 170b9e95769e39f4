/** Announcements of the client that no screen waits for, such as a suspension. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConversationView, IntentView } from "@/data/shapes";
import { momentParams } from "@/i18n/formats";
import { doneText, refusalToast } from "@/i18n/intent-texts";
import type { Text } from "@/i18n/keys";
import { useConversations } from "./chat";
import { useClientEvents } from "./client-store";
import { wipeFirstScreen } from "./first-screen";
import { useOutbox } from "./outbox";
import { showFailure, showToast } from "./toasts";

/** Tells a suspended person why they were signed out (specification §8, resolution 5). */
export const useSuspension = (): void =>
  useClientEvents((event) => {
    if (event.type !== "suspended") return;
    wipeFirstScreen();
    showFailure("auth.loginFailed", "auth.suspended");
  });

/** Tells the owner of an account, at the sign-in, that others tried to guess its password. */
export function useGuesses(): void {
  const { i18n } = useTranslation();
  useClientEvents((event) => {
    if (event.type !== "wrong-guesses") return;
    const { count, lastAt } = event;
    const params = { count, ...momentParams(lastAt, i18n.language) };
    showToast({
      title: { key: "auth.guesses" },
      description: { key: "auth.guessesText", params },
    });
  });
}

/** Tells of refusals after the page that they came from was closed (specification §8). */
export function useRefusalToasts(): void {
  const { ready, items } = useOutbox();
  const known = useRef<ReadonlySet<string> | null>(null);
  // Outside: the notification area. Refusals of an earlier visit are not repeated.
  useEffect(() => {
    if (!ready) return;
    const refused = items.filter((item) => item.state === "refused");
    const fresh = refused.filter((item) => known.current !== null && !known.current.has(item.id));
    known.current = new Set(refused.map((item) => item.id));
    for (const item of fresh) {
      const toast = refusalToast(item);
      if (toast !== null) showFailure(toast.title, toast.description);
    }
  }, [ready, items]);
}

/** What was sent since the last look: the newest of it that is worth a word. */
function newlyDone(before: ReadonlyMap<string, IntentView>, sent: readonly string[]) {
  return (
    sent
      .flatMap((id) => before.get(id) ?? [])
      .map(doneText)
      .filter((text) => text !== null)
      .at(-1) ?? null
  );
}

/** "Uploaded: Evening by the sea", wherever one is; null before the first. */
export function useDoneText(): Text | null {
  const { ready, items, sent } = useOutbox();
  const before = useRef<ReadonlyMap<string, IntentView>>(new Map());
  const [said, setSaid] = useState<Text | null>(null);
  // Outside: what a screen reader says.
  useEffect(() => {
    const text = ready ? newlyDone(before.current, sent) : null;
    before.current = new Map(ready ? items.map((item) => [item.id, item]) : []);
    if (text !== null) setSaid(text);
  }, [ready, items, sent]);
  return said;
}

/** Up to which message each chat was told of, milliseconds since 1970. */
type Told = ReadonlyMap<string, number>;

/** By how much the server's clock may be behind this device's. */
const SKEW_MS = 60_000;

/** Somebody else has written to this person, and it is not read. */
export const hasWords = ({ unread, lastByMe, lastKind }: ConversationView): boolean =>
  unread > 0 && !lastByMe && (lastKind === "text" || lastKind === "photo");

/**
 * The chat with a message that is news, or undefined, and what was told of then. What was there at
 * the start is no news, and neither is what a first pull brings of before `since`.
 *
 * @param told null at the start
 */
export function newsIn(chats: readonly ConversationView[], told: Told | null, since: number) {
  const before = ({ id, lastAt }: ConversationView) =>
    told === null ? lastAt : (told.get(id) ?? since);
  // How many are unread may come after the message: until then nothing of it was told.
  const isNew = (chat: ConversationView) => hasWords(chat) && chat.lastAt > before(chat);
  const now = chats.map((chat) => [chat.id, isNew(chat) ? chat.lastAt : before(chat)] as const);
  return { news: chats.find(isNew), told: new Map(now) };
}

/** The newest message that came in while another screen than its chat was open. */
export function useNewMessage(openId: string): ConversationView | null {
  const chats = useConversations();
  const told = useRef<Told | null>(null);
  const [since] = useState(() => Date.now() - SKEW_MS);
  const [newest, setNewest] = useState<ConversationView | null>(null);
  const rows = chats.state === "ready" ? chats.value : null;
  // Outside: what a screen reader says.
  useEffect(() => {
    if (rows === null) return;
    const now = newsIn(rows, told.current, since);
    told.current = now.told;
    if (now.news !== undefined && now.news.id !== openId) setNewest(now.news);
  }, [rows, openId, since]);
  return newest;
}

/** The specification's browser event 'messages-read' (§4): in which conversation, and who read. */
export const useMessagesReadEvent = (): void =>
  useClientEvents((event) => {
    if (event.type !== "messages-read") return;
    const { conversationId, userId } = event;
    const detail = { conversationId, userId };
    window.dispatchEvent(new CustomEvent("messages-read", { detail }));
  });
