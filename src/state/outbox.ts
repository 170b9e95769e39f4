/** The pending writes of this device, refused ones included, and whether the server answers. */
import type { Connection, OutboxView } from "@/data/shapes";
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

export const retryIntent = async (intentId: string): Promise<void> =>
  (await whenClient()).outbox.retry(intentId);

export const discardIntent = async (intentId: string): Promise<void> =>
  (await whenClient()).outbox.discard(intentId);
