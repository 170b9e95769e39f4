/** The count on the app's icon, where the browser has such a thing; and the event that tells of what was read. */
import { useEffect } from "react";
import { useClient } from "./client-store";

interface Badging {
  setAppBadge?: (count?: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

export function useAppBadge(count: number): void {
  // Outside: the icon of the installed app.
  useEffect(() => {
    const badging = navigator as Badging;
    const done = count > 0 ? badging.setAppBadge?.(count) : badging.clearAppBadge?.();
    // Refused where the app is not installed.
    done?.catch(() => undefined);
  }, [count]);
  // Signed out: nobody's messages are unread any more.
  useEffect(() => {
    return () => void (navigator as Badging).clearAppBadge?.().catch(() => undefined);
  }, []);
}

/** The specification's browser event 'messages-read' (§4), with whose messages were read and by whom. */
export function useMessagesReadEvent(): void {
  const client = useClient();
  // Outside: the client's events, and whoever listens on the window.
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
