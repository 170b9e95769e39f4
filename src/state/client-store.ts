/** The page's one client. Its code contains RxDB and is loaded after the first paint. */
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Client } from "@/data/client";
import { createPendingWrites } from "@/data/engine/pending";
import type { ClientEvent } from "@/data/shapes";
import { type Cell, createCell } from "@/lib/cell";

type ClientState =
  | { state: "loading" }
  | { state: "ready"; client: Client }
  /** Its code could not be loaded: there is no connection, and it is not in the precache yet. */
  | { state: "failed" };

const LOADING: ClientState = { state: "loading" };
const FAILED: ClientState = { state: "failed" };
const cell = createCell<ClientState>(LOADING);

/** The page's own, so that a tap before the client is loaded is shown and kept. */
export const pendingWrites = createPendingWrites();

/** Loads the client once, and again after a failure. Null if that fails. */
export async function startClient(load: () => Promise<Client>): Promise<Client | null> {
  const now = cell.getSnapshot();
  if (now.state === "ready") return now.client;
  cell.set(LOADING);
  try {
    const client = await load();
    cell.set({ state: "ready", client });
    return client;
  } catch {
    cell.set(FAILED);
    return null;
  }
}

/** Waits for the client: a click may come before it is loaded. */
export function whenClient(): Promise<Client> {
  return new Promise((resolve) => {
    let leave: (() => void) | undefined;
    const look = () => {
      const now = cell.getSnapshot();
      if (now.state !== "ready") return;
      leave?.();
      resolve(now.client);
    };
    leave = cell.subscribe(look);
    look();
  });
}

/** For code that is not a component. */
export const clientCell: Pick<Cell<ClientState>, "subscribe" | "getSnapshot"> = cell;

export const useClientState = (): ClientState =>
  useSyncExternalStore(cell.subscribe, cell.getSnapshot);

export function useClient(): Client | null {
  const now = useClientState();
  return now.state === "ready" ? now.client : null;
}

export function useClientEvents(onEvent: (event: ClientEvent) => unknown): void {
  const client = useClient();
  const latest = useRef(onEvent);
  latest.current = onEvent;
  // Outside: the client's events.
  useEffect(() => client?.onEvent((event) => latest.current(event)), [client]);
}
