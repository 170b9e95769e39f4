/**
 * The list of what the media cache holds: one row per cached file with its bytes and its last use, because the
 * Cache API tells neither. Page and service worker write it, each in short transactions.
 */
export interface CachedEntry {
  /** Cache name and key, joined. */
  id: string;
  cache: string;
  key: string;
  bytes: number;
  /** Milliseconds since 1970. */
  usedAt: number;
  /** Own, queued or saved: never evicted. */
  kept: boolean;
}

const DATABASE = "media-cache";
const STORE = "entries";

let opened: Promise<IDBDatabase> | null = null;

export const entryId = (cache: string, key: string): string => `${cache} ${key}`;

/** Adds a row or replaces it. What was kept stays kept. */
export async function putEntry(entry: Omit<CachedEntry, "id">): Promise<void> {
  const id = entryId(entry.cache, entry.key);
  await transact("readwrite", async (store) => {
    const before = await answer<CachedEntry | undefined>(store.get(id));
    await answer(store.put({ ...entry, id, kept: entry.kept || before?.kept === true }));
  });
}

/** From now on these may be evicted like any other. */
export async function releaseEntries(ids: readonly string[]): Promise<void> {
  await transact("readwrite", async (store) => {
    for (const id of ids) {
      const entry = await answer<CachedEntry | undefined>(store.get(id));
      if (entry) await answer(store.put({ ...entry, kept: false }));
    }
  });
}

/** Notes that these were used; rows that are gone stay gone. */
export async function touchEntries(ids: readonly string[], usedAt: number): Promise<void> {
  await transact("readwrite", async (store) => {
    for (const id of ids) {
      const entry = await answer<CachedEntry | undefined>(store.get(id));
      if (entry) await answer(store.put({ ...entry, usedAt }));
    }
  });
}

export async function removeEntries(ids: readonly string[]): Promise<void> {
  await transact("readwrite", async (store) => {
    for (const id of ids) await answer(store.delete(id));
  });
}

export function readEntries(): Promise<CachedEntry[]> {
  return transact("readonly", (store) => answer<CachedEntry[]>(store.getAll()));
}

async function transact<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await open();
  const transaction = database.transaction(STORE, mode);
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  const [value] = await Promise.all([work(transaction.objectStore(STORE)), done]);
  return value;
}

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(forgetWhenClosed(request.result));
    request.onerror = () => {
      opened = null;
      reject(request.error);
    };
  });
  return opened;
}

/** Safari closes idle connections, and another tab may delete the database: open anew rather than fail for good. */
function forgetWhenClosed(database: IDBDatabase): IDBDatabase {
  const forget = () => {
    opened = null;
  };
  database.onclose = forget;
  database.onversionchange = () => {
    database.close();
    forget();
  };
  return database;
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
