/** Who is signed in. The session stored on this device answers before the client is there (specification §4, Auth). */
import { useEffect, useState } from "react";
import type { SessionState, SessionUser } from "@/data/client-api";
import { readSessionState } from "@/data/session-store";
import { AUTH_FALLBACK_MS, SESSION_CHECK_MS } from "@/domain/limits";
import { useClient } from "./client-store";
import { useLive } from "./use-live";

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
export function useSession(): SessionState {
  const client = useClient();
  const early = storedSession();
  const waiting = early.state === "signed-in" ? early : LOADING;
  const session = useLive(client?.auth.session ?? null, waiting);
  const late = useLateness(session.state === "loading" && early.state !== "signed-in");
  if (session.state !== "loading") return session;
  if (early.state === "signed-in") return early;
  return late ? SIGNED_OUT : LOADING;
}

export function useUser(): SessionUser | null {
  const session = useSession();
  return session.state === "signed-in" ? session.user : null;
}

/** `waits`: only who does not know yet needs the clock. */
function useLateness(waits: boolean): boolean {
  const [late, setLate] = useState(false);
  // Outside: the clock. After two seconds the signed-out view is shown; nothing is deleted by it.
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setLate(true), AUTH_FALLBACK_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return late;
}

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
