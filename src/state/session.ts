/** Who is signed in: from this device's storage, until the client knows (specification §4). */
import { useEffect, useState, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { readSessionState } from "@/data/account/session-store";
import type { SessionState, SessionUser } from "@/data/shapes";
import { AUTH_FALLBACK_MS, SESSION_CHECK_MS } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { withReturn } from "@/lib/return-path";
import { clientCell, useClient } from "./client-store";
import { wipeFirstScreen } from "./first-screen";
import { forgetCard } from "./place";
import { wipeTyped } from "./unsent-text";

const LOADING: SessionState = { state: "loading" };
const SIGNED_OUT: SessionState = { state: "signed-out" };

/** Read once: later changes come through the client. */
let stored: SessionState | null = null;
function storedSession(): SessionState {
  if (stored === null) {
    try {
      stored = readSessionState(localStorage);
    } catch {
      // The browser denies storage, so there is no session to show.
      stored = SIGNED_OUT;
    }
  }
  return stored;
}

/** A stored signed-in session counts at once; "nobody" only from the client or after 2 s. */
function sessionNow(): SessionState {
  const client = clientCell.getSnapshot();
  const told = client.state === "ready" ? client.client.auth.session.getSnapshot() : LOADING;
  if (told.state !== "loading") return told;
  const early = storedSession();
  if (early.state === "signed-in") return early;
  return isLate ? SIGNED_OUT : LOADING;
}

/** Who is signed in at this moment, for event handlers: it does not cause a render. */
export function currentUser(): SessionUser | null {
  const session = sessionNow();
  return session.state === "signed-in" ? session.user : null;
}

const watchers = new Set<() => void>();
/** Two seconds have passed: the signed-out view is shown. Nothing is deleted because of it. */
let isLate = false;
let isWatching = false;

const notify = (): void => {
  for (const watcher of [...watchers]) watcher();
};

/** One subscription for the whole page, from the first use until the page is closed. */
function watchClient(): void {
  if (isWatching) return;
  isWatching = true;
  let leave = (): void => undefined;
  const look = () => {
    const now = clientCell.getSnapshot();
    if (now.state === "ready") {
      leave();
      now.client.auth.session.subscribe(notify);
    }
    notify();
  };
  leave = clientCell.subscribe(look);
  // The client may be loaded before the first component subscribes.
  look();
  setTimeout(() => {
    isLate = true;
    notify();
  }, AUTH_FALLBACK_MS);
}

function subscribe(onChange: () => void): () => void {
  watchClient();
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

export const useSession = (): SessionState => useSyncExternalStore(subscribe, sessionNow);

export const useUser = (): SessionUser | null => useSyncExternalStore(subscribe, currentUser);

/** Every 15 s: signs out if the session is no longer on this device, without the network. */
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

/** Removes the stored first screen and what was typed when the session ends, in whatever tab. */
export function useWipeOnSignOut(): void {
  const client = useClient();
  // Outside: the client's session.
  useEffect(() => {
    if (client === null) return;
    const { session } = client.auth;
    let was = session.getSnapshot().state;
    return session.subscribe(() => {
      const now = session.getSnapshot().state;
      if (was === "signed-in" && now === "signed-out") {
        wipeFirstScreen();
        wipeTyped();
        forgetCard();
      }
      was = now;
    });
  }, [client]);
}

/**
 * The sign-in form with the way back to this page. Whoever has just signed out here gets it without
 * one: the next person at this device may be another.
 */
export function useLoginPath(): string {
  const { pathname, search } = useLocation();
  const isSignedIn = useUser() !== null;
  const [wasSignedIn, setSignedIn] = useState(isSignedIn);
  if (isSignedIn && !wasSignedIn) setSignedIn(true);
  return wasSignedIn ? paths.login : withReturn(paths.login, `${pathname}${search}`);
}

export function useToLogin(): () => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return () => void navigate(withReturn(paths.login, `${pathname}${search}`));
}
