/** Whether the server lets this person into the admin panel; the device's `isAdmin` is no proof. */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Client } from "@/data/client";
import type { ErrorCode } from "@/domain/error-codes";
import { createCell } from "@/lib/cell";
import { useClient } from "./client-store";
import { useConnection } from "./outbox";
import { useUser } from "./session";

type AdminAccess =
  | { state: "checking" }
  | { state: "allowed" }
  | { state: "denied" }
  | { state: "rejected" }
  | { state: "unknown"; code: ErrorCode };

/** Between two tries while the server answers other requests, milliseconds. */
const ASK_AGAIN_MS = 5_000;

const CHECKING: AdminAccess = { state: "checking" };
const refusals = createCell(0);

const INCONCLUSIVE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
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
  // What PocketBase's own rules answer for a record the person may not see.
  "not_found",
]);

/** Call it with every refusal in the panel: one about rights asks the server again. */
export function noteAdminRefusal(code: ErrorCode): void {
  if (ABOUT_RIGHTS.has(code)) refusals.set(refusals.getSnapshot() + 1);
}

async function askServer(client: Client): Promise<AdminAccess> {
  const answer = await client.auth.refresh();
  if (answer.success) return { state: answer.value.isAdmin ? "allowed" : "denied" };
  return INCONCLUSIVE.has(answer.error)
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
  // The feed announces new rights; that is a reason to ask, not an answer.
  const isAdminHere = useUser()?.isAdmin;
  const isBack = access.state === "unknown" && connection === "online";
  // Outside: the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal, a retry, new rights and a connection that is back ask again.
  useEffect(() => {
    if (client === null) return;
    let current = true;
    void askServer(client).then((answer) => {
      if (!current) return;
      // An open panel stays open while the server does not answer: its lists say so themselves.
      setAccess((before) =>
        answer.state === "unknown" && before.state === "allowed" ? before : answer,
      );
    });
    return () => {
      current = false;
    };
  }, [client, refused, turn, isBack, isAdminHere]);
  // Outside: the clock. A server that has just come back may fail the first request.
  useEffect(() => {
    if (!isBack) return;
    const timer = setInterval(retry, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isBack, retry]);
  return { access, retry };
}
