/** Keeps the snapshot of the first screen fresh: when idle after a change, when the page is left, and gone on sign-out. */
import { useEffect, useRef } from "react";
import type { MediaView } from "@/data/shapes";
import { whenIdle } from "@/lib/idle";
import { onLeave } from "@/lib/on-leave";
import { useClient } from "./client-store";
import { wipeFirstScreen, writeFirstScreen } from "./first-screen";

interface Shown {
  userId: string;
  productName: string;
  /** Null while there is nothing worth keeping, such as a filtered view. */
  items: MediaView[] | null;
}

export function useKeepFirstScreen(shown: Shown): void {
  const latest = useRef(shown);
  latest.current = shown;
  const { userId, productName, items } = shown;
  // Outside: the device's storage.
  useEffect(() => {
    if (items === null) return;
    return whenIdle(() => writeFirstScreen({ userId, productName, items }, localStorage));
  }, [userId, productName, items]);
  // Outside: the page, which may be closed at any time.
  useEffect(
    () =>
      onLeave(() => {
        const now = latest.current;
        if (now.items !== null) writeFirstScreen({ ...now, items: now.items }, localStorage);
      }),
    [],
  );
}

/** Wherever the session ends, in this tab or another, what it showed goes with it. */
export function useWipeOnSignOut(): void {
  const client = useClient();
  // Outside: the client's session.
  useEffect(() => {
    if (client === null) return;
    const { session } = client.auth;
    let was = session.getSnapshot().state;
    return session.subscribe(() => {
      const now = session.getSnapshot().state;
      if (was === "signed-in" && now === "signed-out") wipeFirstScreen(localStorage);
      was = now;
    });
  }, [client]);
}
