/** The pending writes of this device, refused ones included, and whether the server answers. */
import type { ClientWrites } from "@/data/client";
import type { Connection, OutboxView } from "@/data/shapes";
import type { Failure, Result } from "@/domain/result";
import { whenClient } from "./client-store";
import { useWatch } from "./use-watch";

const EMPTY: OutboxView = {
  ready: false,
  failed: false,
  items: [],
  waiting: 0,
  refused: 0,
  bytes: 0,
};

export const useOutbox = (): OutboxView => useWatch((client) => client.outbox.watch(), [], EMPTY);

export const useConnection = (): Connection =>
  useWatch<Connection>((client) => client.connection, [], "unknown");

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
