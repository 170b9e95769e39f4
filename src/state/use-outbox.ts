/** What waits, what was refused, and whether the server answers. */
import { useMemo } from "react";
import type { Connection, OutboxView } from "@/data/shapes";
import { useClient } from "./client-store";
import { useLive } from "./use-live";

const EMPTY: OutboxView = {
  ready: false,
  failed: false,
  items: [],
  waiting: 0,
  refused: 0,
  bytes: 0,
};

export function useOutbox(): OutboxView {
  const client = useClient();
  const live = useMemo(() => client?.outbox.watch() ?? null, [client]);
  return useLive(live, EMPTY);
}

export function useConnection(): Connection {
  const client = useClient();
  return useLive<Connection>(client?.connection ?? null, "unknown");
}
