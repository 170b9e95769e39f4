/** Who is signed in. The session stored on this device answers before the client is there (specification §4, Auth). */
import { useEffect, useSyncExternalStore } from "react";
import { readSessionState } from "@/data/account/session-store";
import type { SessionState, SessionUser } from "@/data/shapes";
import { AUTH_FALLBACK_MS, SESSION_CHECK_MS } from "@/domain/limits";
import { clientCell, useClient } from "./client-store";

const LOADING: SessionState = { state: "loading" };
const SIGNED_OUT: SessionState = { state: "signed-out" };

/** Read once: later changes come through the client. */
let stored: SessionState | null = null;
function storedSession(): SessionState {
  if (stored === null) {
    try {
      stored = readSessionState(localStorage);
    } catch {
      // A browser that denies storage has no session to show.
      stored = SIGNED_OUT;
    }
  }
  return stored;
}

/** A signed-in session is believed at once; "nobody" only when the client says so, or after two seconds. */
function sessionNow(): SessionState {
  const client = clientCell.getSnapshot();
  const told = client.state === "ready" ? client.client.auth.session.getSnapshot() : LOADING;
  if (told.state !== "loading") return told;
  const early = storedSession();
  if (early.state === "signed-in") return early;
  return late ? SIGNED_OUT : LOADING;
}

/** Who is signed in, for what happens because of a tap: a card need not be drawn anew when it is another. */
export function currentUser(): SessionUser | null {
  const session = sessionNow();
  return session.state === "signed-in" ? session.user : null;
}

const watchers = new Set<() => void>();
/** Two seconds have passed: the signed-out view is shown; nothing is deleted by it. */
let late = false;
let watches = false;

const tell = (): void => {
  for (const watcher of [...watchers]) watcher();
};

/** One watch for the page, from the first that asks until the page goes. */
function watch(): void {
  if (watches) return;
  watches = true;
  let leave = (): void => undefined;
  const look = () => {
    const now = clientCell.getSnapshot();
    if (now.state === "ready") {
      leave();
      now.client.auth.session.subscribe(tell);
    }
    tell();
  };
  leave = clientCell.subscribe(look);
  // It may be there before the first picture is.
  look();
  setTimeout(() => {
    late = true;
    tell();
  }, AUTH_FALLBACK_MS);
}

function subscribe(onChange: () => void): () => void {
  watch();
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

export const useSession = (): SessionState => useSyncExternalStore(subscribe, sessionNow);

export const useUser = (): SessionUser | null => useSyncExternalStore(subscribe, currentUser);

/** Every 15 s: when the session has vanished from this device, log out here too. The network is never asked. */
export function useSessionCheck(): void {
  const client = useClient();
  // Outside: the clock and the device's storage.
  useEffect(() => {
    if (client === null) return;
    const timer = setInterval(() => {
      if (client.auth.session.getSnapshot().state !== "signed-in" || client.auth.check()) return;
      void client.auth.signOut("keep");
    }, SESSION_CHECK_MS);
    return () => clearInterval(timer);
  }, [client]);
}
