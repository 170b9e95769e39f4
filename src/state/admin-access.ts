/**
 * Whether the server lets this person into the admin panel. What the device remembers of `isAdmin` opens nothing: each opening asks,
 * and so does each refusal while the panel is open.
 */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Client } from "@/data/client";
import type { ErrorCode } from "@/domain/error-codes";
import { createCell } from "@/lib/cell";
import { useClient } from "./client-store";
import { useConnection } from "./use-outbox";
import { useUser } from "./use-session";

export type AdminAccess =
  | { state: "checking" }
  | { state: "allowed" }
  /** The server's word: no admin. */
  | { state: "denied" }
  /** The server did not even say that, because it no longer takes the session. */
  | { state: "rejected" }
  /** Nobody said anything: the server cannot be reached, or it has a problem. */
  | { state: "unknown"; code: ErrorCode };

/** Between two questions while the server answers others, milliseconds. */
const ASK_AGAIN_MS = 5_000;

const CHECKING: AdminAccess = { state: "checking" };
const refusals = createCell(0);

/** No answer, or one that says nothing about the person. */
const SAYS_NOTHING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "network",
  "timeout",
  "server",
  "rate_limited",
  "canceled",
]);
const ABOUT_RIGHTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "forbidden",
  "unauthenticated",
  "suspended",
  // How PocketBase's own rules say "not for you".
  "not_found",
]);

/** To be told of every refusal in the panel: one that may mean lost rights is looked into at once. */
export function noteAdminRefusal(code: ErrorCode): void {
  if (ABOUT_RIGHTS.has(code)) refusals.set(refusals.getSnapshot() + 1);
}

async function askServer(client: Client): Promise<AdminAccess> {
  const answer = await client.auth.refresh();
  if (answer.success) return { state: answer.value.isAdmin ? "allowed" : "denied" };
  return SAYS_NOTHING.has(answer.error)
    ? { state: "unknown", code: answer.error }
    : { state: "rejected" };
}

export function useAdminAccess(): { access: AdminAccess; retry: () => void } {
  const client = useClient();
  const connection = useConnection();
  const refused = useSyncExternalStore(refusals.subscribe, refusals.getSnapshot);
  const [turn, setTurn] = useState(0);
  const [access, setAccess] = useState<AdminAccess>(CHECKING);
  const retry = useCallback(() => setTurn((count) => count + 1), []);
  // The feed tells a device of new rights; what it says is a reason to ask, and no answer.
  const isAdminHere = useUser()?.isAdmin;
  const isBack = access.state === "unknown" && connection === "online";
  // Outside: the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal, a retry, new rights and a connection that is back ask again.
  useEffect(() => {
    if (client === null) return;
    let current = true;
    void askServer(client).then((answer) => {
      if (!current) return;
      // A panel that stands stays while nothing answers: its lists say so themselves.
      setAccess((before) =>
        answer.state === "unknown" && before.state === "allowed" ? before : answer,
      );
    });
    return () => {
      current = false;
    };
  }, [client, refused, turn, isBack, isAdminHere]);
  // Outside: the clock. A server that has just come back may fail the first question.
  useEffect(() => {
    if (!isBack) return;
    const timer = setInterval(retry, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isBack, retry]);
  return { access, retry };
}
