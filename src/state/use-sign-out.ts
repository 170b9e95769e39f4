/** Signing out, and what may stand in its way. */
import { useCallback } from "react";
import { wipeChatDrafts } from "./chat-drafts";
import { whenClient } from "./client-store";
import { wipeFirstScreen } from "./first-screen";
import { showToast } from "./toasts";
import { useOutbox } from "./use-outbox";

export interface SignOut {
  /** What would stay behind unsent, refused things included. */
  waiting: number;
  signOut: (queue: "keep" | "discard") => Promise<boolean>;
  /** Tries to send everything now; whether nothing waits any more is then seen in `waiting`. */
  sendFirst: () => Promise<void>;
}

export function useSignOut(): SignOut {
  const { waiting, refused } = useOutbox();
  const signOut = useCallback(async (queue: "keep" | "discard") => {
    const client = await whenClient();
    const answer = await client.auth.signOut(queue);
    if (answer.success) {
      wipeFirstScreen(localStorage);
      if (queue === "discard") wipeChatDrafts(localStorage);
      return true;
    }
    showToast({
      title: { key: "auth.logoutError" },
      description: { key: "auth.logoutErrorText" },
      variant: "destructive",
    });
    return false;
  }, []);
  const sendFirst = useCallback(async () => (await whenClient()).outbox.drain(), []);
  return { waiting: waiting + refused, signOut, sendFirst };
}
