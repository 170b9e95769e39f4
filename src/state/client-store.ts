/**
 * The page's one client. It comes in a chunk of its own after the first paint, because RxDB is in it; until then the
 * screens live on the snapshot and on the stored session.
 */
import { useSyncExternalStore } from "react";
import type { Client } from "@/data/client";
import { type Cell, createCell } from "@/lib/cell";

type ClientState =
  | { state: "loading" }
  | { state: "ready"; client: Client }
  /** Its chunk could not be loaded: no connection, and not precached yet. */
  | { state: "failed" };

const LOADING: ClientState = { state: "loading" };
const FAILED: ClientState = { state: "failed" };
const cell = createCell<ClientState>(LOADING);

/** Loads the client once; again after a failure. Null where that fails. */
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

/** The client as soon as there is one: a click may come before it. */
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
