/**
 * The disk of a device that dies: all that its IndexedDB has committed, taken in one moment and without a single await,
 * and laid into a fresh one. What was not committed is rolled back, as a browser does after a crash.
 */
import { IDBFactory } from "fake-indexeddb";
import type { DatabaseSnapshot, Disk, StorageSnapshot, StoreSnapshot } from "./rows-on-disk";

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
export const readDisk = (indexedDB: IDBFactory): Disk => ({
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
