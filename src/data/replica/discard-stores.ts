/**
 * Throwing away what a person left at sign-out, whatever comes between: the decision is written down before the first
 * database goes, and a start that finds it written down finishes the work before anything of that person's is opened.
 */
import type { ClientStorage } from "@/data/client-deps";
import type { KeyValue } from "@/data/session-store";
import { deleteDatabase, deleteDatabases } from "./delete-databases";
import { databaseName } from "./open-replica";

/** Lies on users' devices: never rename. Holds user ids, separated by spaces. */
const DISCARDED_KEY = "augenblick.discarded";

const readDiscarded = (store: KeyValue): string[] =>
  (store.getItem(DISCARDED_KEY) ?? "").split(" ").filter((id) => id !== "");

function writeDiscarded(store: KeyValue, ids: readonly string[]): void {
  if (ids.length === 0) store.removeItem(DISCARDED_KEY);
  else store.setItem(DISCARDED_KEY, ids.join(" "));
}

export function markDiscarded(store: KeyValue, userId: string): void {
  writeDiscarded(store, [...new Set([...readDiscarded(store), userId])]);
}

/** Everything of `userId` is gone. */
export function unmarkDiscarded(store: KeyValue, userId: string): void {
  writeDiscarded(
    store,
    readDiscarded(store).filter((id) => id !== userId),
  );
}

/** Deletes what a sign-out meant to delete and could not finish. */
export async function finishDiscards(storage: ClientStorage): Promise<void> {
  for (const userId of readDiscarded(storage.local)) {
    const name = databaseName(storage, userId);
    await deleteDatabases(storage.indexedDB, `rxdb-dexie-${name}--`, () => true);
    await deleteDatabase(storage.indexedDB, `${name}-device`);
    unmarkDiscarded(storage.local, userId);
  }
}
