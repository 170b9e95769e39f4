/**
 * Announcements of the client that no screen waits for: a suspension, a late refusal, messages that
 * were read.
 */
import { useEffect, useRef } from "react";
import { refusalToast } from "@/i18n/intent-texts";
import { useClient } from "./client-store";
import { wipeFirstScreen } from "./first-screen";
import { useOutbox } from "./outbox";
import { showToast } from "./toasts";

/** Tells a suspended person why they were signed out (specification §8, resolution 5). */
export function useSuspension(): void {
  const client = useClient();
  // Outside: the client's events, the notification area and the stored first screen.
  useEffect(
    () =>
      client?.onEvent((event) => {
        if (event.type !== "suspended") return;
        wipeFirstScreen();
        showToast({
          title: { key: "auth.loginFailed" },
          description: { key: "auth.suspended" },
          variant: "destructive",
        });
      }),
    [client],
  );
}

/** Tells of refusals after the page that they came from was closed (specification §8). */
export function useRefusalToasts(): void {
  const { ready, items } = useOutbox();
  const known = useRef<ReadonlySet<string> | null>(null);
  // Outside: the notification area. Refusals of an earlier visit are in the outbox and are not
  // repeated.
  useEffect(() => {
    if (!ready) return;
    const refused = items.filter((item) => item.state === "refused");
    const fresh = refused.filter((item) => known.current !== null && !known.current.has(item.id));
    known.current = new Set(refused.map((item) => item.id));
    for (const item of fresh) {
      const toast = refusalToast(item);
      if (toast !== null) showToast({ ...toast, variant: "destructive" });
    }
  }, [ready, items]);
}

/** The specification's browser event 'messages-read' (§4): in which conversation, and who read. */
export function useMessagesReadEvent(): void {
  const client = useClient();
  // Outside: the client's events, and the listeners on the window.
  useEffect(
    () =>
      client?.onEvent((event) => {
        if (event.type !== "messages-read") return;
        const { conversationId, userId } = event;
        const detail = { conversationId, userId };
        window.dispatchEvent(new CustomEvent("messages-read", { detail }));
      }),
    [client],
  );
}
