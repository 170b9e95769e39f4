/** The chats, their messages and unread counts, and what a user does in a conversation. */
import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import type {
  ConversationView,
  Found,
  KnownPerson,
  Loaded,
  PreparedMedia,
  SessionUser,
} from "@/data/shapes";
import { MESSAGES_PAGE_SIZE } from "@/domain/limits";
import type { Failure } from "@/domain/result";
import { chatRefusalText, chatStartText } from "@/i18n/error-text";
import type { Text, TextKey } from "@/i18n/keys";
import { useClient, whenClient } from "./client-store";
import { queueWrite, useConnection } from "./outbox";
import { showFailure } from "./toasts";
import { moreOf, usePager, useWhileLoading } from "./use-pager";
import { useFound, useLoaded, useWatch } from "./use-watch";

const NOBODY: KnownPerson[] = [];

export const useConversations = (): Loaded<ConversationView[]> =>
  useLoaded((reads) => reads.watchConversations(), []);

export const useConversation = (id: string): Found<ConversationView> =>
  useFound((reads) => reads.watchConversation(id), [id]);

/** Null until it is known. */
export const useUnread = (): number | null =>
  useWatch(({ reads }) => reads.watchUnread(), [], null, 0);

export const useKnownPeople = (): KnownPerson[] =>
  useWatch(({ reads }) => reads.watchKnownPeople(), [], NOBODY);

export type Messages = ReturnType<typeof useMessages>;

export function useMessages(id: string) {
  const { shown, pulled, showMore } = usePager({
    key: id,
    step: MESSAGES_PAGE_SIZE,
    pull: ({ reads }, limit) => reads.pullOlderMessages(id, limit),
    reveal: "after-pull",
  });
  const now = useLoaded((reads) => reads.watchMessages(id, shown), [id, shown]);
  const page = useWhileLoading(id, now);
  const hasOlder = page.state === "ready" && page.value.hasOlder;
  return { page, older: moreOf(pulled, hasOlder), loadOlder: showMore };
}

/** Marks messages as read while visible; the client announces it as 'messages-read'. */
export function useMarkRead(conversation: ConversationView | null): void {
  const client = useClient();
  const isSeen = useIsVisible();
  const id = conversation !== null && conversation.unread > 0 && isSeen ? conversation.id : "";
  const unread = conversation?.unread ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: outside: the server's read marks, one for each further message.
  useEffect(() => {
    if (client !== null && id !== "") void client.writes.markMessagesRead(id);
  }, [client, id, unread]);
}

export function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === "visible");
  // Outside: whether this tab is visible.
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isVisible;
}

/**
 * Shows the count on the icon of the installed app, in browsers that can; none after sign-out. What
 * is on the icon stays there while the count is null.
 */
export function useAppBadge(count: number | null): void {
  // Outside: the icon of the installed app.
  useEffect(() => {
    if (count !== null) void setAppBadge(count);
  }, [count]);
  useEffect(() => () => void setAppBadge(0), []);
}

async function setAppBadge(count: number): Promise<void> {
  const badging: Partial<Pick<Navigator, "setAppBadge" | "clearAppBadge">> = navigator;
  // Ignoring the refusal of an app that is not installed.
  const ignore = () => undefined;
  await (count > 0 ? badging.setAppBadge?.(count) : badging.clearAppBadge?.())?.catch(ignore);
}

/** `src` is "" until the address is known. A file that has `failed` is tried again when online. */
export function useFileUrl(url: string) {
  const client = useClient();
  const isOnline = useConnection() === "online";
  const [known, setKnown] = useState({ url: "", src: "" });
  const [failed, setFailed] = useState("");
  const isLocal = url === "" || url.startsWith("blob:");
  // Outside: the server, which gives the token that the address needs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that is back is worth another try.
  useEffect(() => {
    if (client === null || isLocal) return;
    let current = true;
    void client.reads.fileUrl(url).then((src) => {
      if (!current) return;
      setKnown({ url, src });
      setFailed("");
    });
    return () => {
      current = false;
    };
  }, [client, url, isLocal, isOnline]);
  return {
    // A sent photo moves to the server: the old picture stays until its new address is known.
    src: isLocal ? url : known.src,
    failed: failed === url && url !== "",
    onError: () => setFailed(url),
  };
}

/** Makes an element end at the lower edge of the visible area, above the phone's keyboard. */
export function useFillHeight(element: RefObject<HTMLElement | null>): void {
  // Outside: the visual viewport, which alone knows of the keyboard, and the elements above.
  useLayoutEffect(() => {
    const { visualViewport: viewport } = window;
    const fill = () => {
      const box = element.current;
      if (box === null) return;
      const seen = viewport?.height ?? window.innerHeight;
      const top = box.getBoundingClientRect().top + window.scrollY;
      box.style.height = `${Math.floor(seen - top)}px`;
      // Safari pushes the page up for the keyboard, for which there is room after the resize.
      const isTyping = box.contains(document.activeElement) && seen < window.innerHeight;
      if (isTyping && window.scrollY > 0) window.scrollTo(0, 0);
    };
    fill();
    const above = new ResizeObserver(fill);
    above.observe(document.body);
    viewport?.addEventListener("resize", fill);
    window.addEventListener("resize", fill);
    return () => {
      above.disconnect();
      viewport?.removeEventListener("resize", fill);
      window.removeEventListener("resize", fill);
    };
  }, [element]);
}

const telling = (failedTitle: TextKey) => (failure: Failure | null) =>
  showFailure(chatRefusalText(failure?.error ?? null, failedTitle));

export const sendText = (chatId: string, text: string) =>
  queueWrite((writes) => writes.sendTextMessage(chatId, text), telling("chat.sendFailed"));

export const sendPhoto = (chatId: string, photo: PreparedMedia, text: string) =>
  queueWrite((writes) => writes.sendPhotoMessage(chatId, photo, text), telling("chat.photoFailed"));

export const deleteMessage = (chatId: string, messageId: string) =>
  queueWrite((writes) => writes.deleteMessage(chatId, messageId), telling("chat.deleteFailed"));

type StartOutcome = { kind: "started"; conversationId: string } | { kind: "refused"; fault: Text };

/** Starts a chat by name (specification §5 and §8); offline, only with known people. */
export async function startChat(user: SessionUser, name: string): Promise<StartOutcome> {
  const wanted = name.trim();
  if (wanted === "") return refuseStart({ key: "chat.nameRequired" });
  if (wanted.toLowerCase() === user.username.toLowerCase())
    return refuseStart({ key: "chat.self" });
  const { reads, writes } = await whenClient();
  const found = await reads.findUserId(wanted);
  if (!found.success) {
    const isOffline = found.error === "network" || found.error === "timeout";
    return refuseStart({ key: isOffline ? "chat.offlineUnknown" : `errors.${found.error}` });
  }
  if (found.value === null) return refuseStart({ key: "people.notFound" });
  const started = await writes.createOrGetConversation(found.value);
  if (started.success) return { kind: "started", ...started.value };
  return refuseStart(chatStartText(started.error));
}

const refuseStart = (fault: Text): StartOutcome => ({ kind: "refused", fault });
