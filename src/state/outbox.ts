/** The pending writes of this device, refused ones included, and whether the server answers. */
import { useEffect, useState } from "react";
import type { ClientWrites } from "@/data/client";
import type { Connection, OutboxView } from "@/data/shapes";
import type { Failure, Result } from "@/domain/result";
import { canSendWhenClosed, findSender } from "@/lib/sends-when-closed";
import { useClientState, whenClient } from "./client-store";
import { useWatch } from "./use-watch";

const EMPTY: OutboxView = {
  ready: false,
  failed: false,
  items: [],
  sent: [],
  waiting: 0,
  refused: 0,
  bytes: 0,
};

export const useOutbox = (): OutboxView => useWatch((client) => client.outbox.watch(), [], EMPTY);

export const useConnection = (): Connection =>
  useWatch<Connection>((client) => client.connection, [], "unknown");

/**
 * A line that swallows requests holds back what lies on the device for so long, milliseconds, from
 * when the device is open: before that nobody has asked.
 */
const ANSWER_PATIENCE_MS = 2_000;

/** Until then a notice may still come, and what is below it waits. */
export function useIsConnectionKnown(): boolean {
  const isAnswered = useConnection() !== "unknown";
  const { state } = useClientState();
  const [isOver, setOver] = useState(false);
  // Outside: the clock.
  useEffect(() => {
    if (isAnswered || state === "loading") return;
    const timer = setTimeout(() => setOver(true), ANSWER_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isAnswered, state]);
  return isAnswered || state === "failed" || isOver;
}

/** Whether what waits also goes while the app is closed; undefined until the browser has said. */
export function useSendsWhenClosed(): boolean | undefined {
  const [sends, setSends] = useState<boolean | undefined>(canSendWhenClosed() ? undefined : false);
  // Outside: the browser's workers.
  useEffect(() => {
    void findSender().then((sender) => setSends(sender !== null));
  }, []);
  return sends;
}

/** Resolves with whether the act is queued on this device; if it is not, `tell` says so. */
export async function queueWrite(
  act: (writes: ClientWrites) => Promise<Result<unknown>>,
  tell: (failure: Failure | null) => void,
): Promise<boolean> {
  const { writes } = await whenClient();
  // A device whose storage throws has queued nothing.
  const answer = await act(writes).catch(() => null);
  if (answer?.success) return true;
  tell(answer);
  return false;
}

export const retryIntent = async (intentId: string): Promise<void> =>
  (await whenClient()).outbox.retry(intentId);

export const discardIntent = async (intentId: string): Promise<void> =>
  (await whenClient()).outbox.discard(intentId);
