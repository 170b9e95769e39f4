/**
 * The disk of a device that dies: all that its IndexedDB has committed, taken in one moment and without a single await,
 * and laid into a fresh one. What was not committed is rolled back, as a browser does after a crash.
 */
import { IDBFactory } from "fake-indexeddb";

interface StoreSnapshot {
  name: string;
  keyPath: string | string[] | null;
  autoIncrement: boolean;
  indexes: { name: string; keyPath: string | string[]; multiEntry: boolean; unique: boolean }[];
  records: { key: IDBValidKey; value: unknown }[];
}

interface DatabaseSnapshot {
  name: string;
  version: number;
  stores: StoreSnapshot[];
}

export interface StorageSnapshot {
  databases: DatabaseSnapshot[];
  /** What `localStorage` holds. */
  local: [string, string][];
}

/** The parts of fake-indexeddb's own objects that are read; its IndexedDB calls all take a turn of the event loop. */
interface RawStore extends Omit<StoreSnapshot, "indexes" | "records"> {
  records: { values(): Iterable<{ key: IDBValidKey; value: unknown }> };
  rawIndexes: Map<string, StoreSnapshot["indexes"][number]>;
}
interface RawDatabase {
  name: string;
  version: number;
  transactions: { _state: string; _rollbackLog: (() => void)[] }[];
  rawObjectStores: Map<string, RawStore>;
}

const databasesOf = (indexedDB: IDBFactory): RawDatabase[] => [
  ...(indexedDB as unknown as { _databases: Map<string, RawDatabase> })._databases.values(),
];

/** Nothing may use `indexedDB` any more: what is under way is undone. */
export function takeSnapshot(
  indexedDB: IDBFactory,
  local: ReadonlyMap<string, string>,
): StorageSnapshot {
  for (const { transactions } of databasesOf(indexedDB)) {
    for (const { _state, _rollbackLog } of [...transactions].reverse()) {
      if (_state === "finished") continue;
      for (const undo of [..._rollbackLog].reverse()) undo();
    }
  }
  const { databases } = readDisk(indexedDB);
  // One whose first transaction did not end was never made.
  return { databases: databases.filter(({ stores }) => stores.length > 0), local: [...local] };
}

/** What lies there now, in the middle of whatever is being written. */
export const readDisk = (indexedDB: IDBFactory): Pick<StorageSnapshot, "databases"> => ({
  databases: databasesOf(indexedDB).map(snapshotOf),
});

function snapshotOf(database: RawDatabase): DatabaseSnapshot {
  const stores = [...database.rawObjectStores.values()].map((store) => ({
    name: store.name,
    keyPath: store.keyPath,
    autoIncrement: store.autoIncrement,
    indexes: [...store.rawIndexes.values()].map(({ name, keyPath, multiEntry, unique }) => ({
      name,
      keyPath,
      multiEntry,
      unique,
    })),
    records: [...store.records.values()].map(({ key, value }) => ({ key, value })),
  }));
  return { name: database.name, version: database.version, stores };
}

/** A row of a replica or a queue as it lies on the disk, without what the storage adds. */
export type RowOnDisk = Record<string, unknown> & { id: string };

/** The rows of one collection of a user's; caches carry a mark of their schema behind their name. */
export function rowsOnDisk(
  { databases }: Pick<StorageSnapshot, "databases">,
  userId: string,
  collection: string,
): RowOnDisk[] {
  const belongs = ({ name }: DatabaseSnapshot): boolean => {
    const [owner = "", , last = ""] = name.split("--");
    return owner.endsWith(`-${userId}`) && last.split("_")[0] === collection;
  };
  return databases.filter(belongs).flatMap(({ stores }) =>
    stores
      .filter(({ name }) => name === "docs")
      .flatMap(({ records }) => records.map(({ value }) => value as RowOnDisk))
      .filter((row) => !["1", 1, true].includes(row["_deleted"] as string)),
  );
}

/** The history that a user's replica follows; "" where nothing was pulled yet. */
export function epochOnDisk(
  { databases }: Pick<StorageSnapshot, "databases">,
  userId: string,
): string {
  const states = databases
    .filter(({ name }) => name.endsWith(`-${userId}-device`))
    .flatMap(({ stores }) => stores.filter(({ name }) => name === "state"))
    .flatMap(({ records }) => records.map(({ value }) => value as { value?: { epoch?: string } }));
  return states[0]?.value?.epoch ?? "";
}

export async function restoreSnapshot({ databases }: StorageSnapshot): Promise<IDBFactory> {
  const indexedDB = new IDBFactory();
  await Promise.all(databases.map((database) => restoreDatabase(indexedDB, database)));
  return indexedDB;
}

function restoreDatabase(indexedDB: IDBFactory, snapshot: DatabaseSnapshot): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(snapshot.name, snapshot.version);
    opening.onupgradeneeded = () => {
      for (const store of snapshot.stores) restoreStore(opening.result, store);
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      opening.result.close();
      resolve();
    };
  });
}

function restoreStore(database: IDBDatabase, snapshot: StoreSnapshot): void {
  const { name, keyPath, autoIncrement, indexes, records } = snapshot;
  const store = database.createObjectStore(name, { keyPath, autoIncrement });
  for (const index of indexes) {
    const { multiEntry, unique } = index;
    store.createIndex(index.name, index.keyPath, { multiEntry, unique });
  }
  for (const { key, value } of records) {
    if (keyPath === null) store.put(value, key);
    else store.put(value);
  }
}
