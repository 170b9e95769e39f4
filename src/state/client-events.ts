/** Announcements of the client that no screen waits for, such as a suspension. */
import { useEffect, useRef } from "react";
import { refusalToast } from "@/i18n/intent-texts";
import { useClientEvents } from "./client-store";
import { wipeFirstScreen } from "./first-screen";
import { useOutbox } from "./outbox";
import { showFailure } from "./toasts";

/** Tells a suspended person why they were signed out (specification §8, resolution 5). */
export const useSuspension = (): void =>
  useClientEvents((event) => {
    if (event.type !== "suspended") return;
    wipeFirstScreen();
    showFailure("auth.loginFailed", "auth.suspended");
  });

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

/** The specification's browser event 'messages-read' (§4): in which conversation, and who read. */
export const useMessagesReadEvent = (): void =>
  useClientEvents((event) => {
    if (event.type !== "messages-read") return;
    const { conversationId, userId } = event;
    const detail = { conversationId, userId };
    window.dispatchEvent(new CustomEvent("messages-read", { detail }));
  });
