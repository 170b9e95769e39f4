/**
 * One user's RxDB database. Names of cache collections contain a hash of their schema, so a changed
 * schema starts empty and is pulled again. Outbox and uploads keep their names through all
 * versions.
 */
import {
  addRxPlugin,
  createRxDatabase,
  defaultCacheReplacementPolicyMonad,
  type RxCollection,
  type RxStorage,
} from "rxdb";
import { RxDBLeaderElectionPlugin } from "rxdb/plugins/leader-election";
import { getRxStorageDexie } from "rxdb/plugins/storage-dexie";
import type { ClientStorage, KeyValue } from "./deps";
import type { CacheName, Nouns, Replica } from "./noun";
import { outboxSchema, uploadsSchema } from "./outbox-row";

addRxPlugin(RxDBLeaderElectionPlugin);

export const databaseName = (storage: ClientStorage, userId: string | null): string =>
  `${storage.name ?? "augenblick"}-${userId ?? "guest"}`;

/** Name of a cache in the database: it changes whenever the schema does. */
function storedName(nouns: Nouns, name: CacheName): string {
  const words = JSON.stringify(nouns.collection(name).schema);
  let hash = 0;
  for (let i = 0; i < words.length; i++) hash = (Math.imul(hash, 31) + words.charCodeAt(i)) >>> 0;
  return `${name}_${hash.toString(36)}`;
}

/** RxDB's own naming: rxdb-dexie-{database}--{schema version}--{collection}. */
export const storePrefix = (database: string): string => `rxdb-dexie-${database}--`;

const cacheOf = (nouns: Nouns, collection: string): CacheName | undefined =>
  nouns.cacheNames.find((name) => name === collection.split("_")[0]);

/**
 * Whether all caches are there. Without them (new schema, interrupted sign-out) the stored
 * checkpoint means nothing. True where the browser cannot tell.
 */
export async function hasCaches(nouns: Nouns, storage: ClientStorage, userId: string | null) {
  const own = await listDatabases(storage.indexedDB, storePrefix(databaseName(storage, userId)));
  const isHere = (cache: CacheName) =>
    own?.some((name) => name.endsWith(`--${storedName(nouns, cache)}`));
  return own === null || nouns.cacheNames.every(isHere);
}

export async function listDatabases(indexedDB: IDBFactory, prefix: string) {
  if (!("databases" in indexedDB)) return null;
  const found = await indexedDB.databases();
  return found.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
}

/** Opens it on the device. Throws where IndexedDB cannot be opened. */
export function openReplica(
  nouns: Nouns,
  storage: ClientStorage,
  userId: string | null,
  multiInstance: boolean,
): Promise<Replica> {
  const { indexedDB, IDBKeyRange } = storage;
  const rxStorage = getRxStorageDexie({ indexedDB, IDBKeyRange });
  return openOn(nouns, rxStorage, databaseName(storage, userId), multiInstance);
}

/** Opens one that ends with the page: for browsers that give no storage. */
export async function openMemoryReplica(
  nouns: Nouns,
  storage: ClientStorage,
  userId: string | null,
): Promise<Replica> {
  const { getRxStorageMemory } = await import("rxdb/plugins/storage-memory");
  return openOn(nouns, getRxStorageMemory(), `${databaseName(storage, userId)}-memory`, false);
}

/** Each step of a list's length is a query, and keeps all rows up to its own from being freed. */
const QUERIES_KEPT = 12;
const cacheReplacementPolicy = defaultCacheReplacementPolicyMonad(QUERIES_KEPT, 0);

async function openOn(
  nouns: Nouns,
  rxStorage: RxStorage<unknown, unknown>,
  name: string,
  multiInstance: boolean,
): Promise<Replica> {
  const database = await createRxDatabase({
    name,
    storage: rxStorage,
    multiInstance,
    closeDuplicates: true,
  });
  const names = new Map(nouns.cacheNames.map((cache) => [cache, storedName(nouns, cache)]));
  const caches = [...names].map(([cache, stored]) => [
    stored,
    { schema: nouns.collection(cache).schema, cacheReplacementPolicy },
  ]);
  const collections = (await database
    .addCollections({
      ...Object.fromEntries(caches),
      // What older versions of them hold is migrated row by row, see engine/versions.
      outbox: { schema: outboxSchema, autoMigrate: false },
      uploads: { schema: uploadsSchema, autoMigrate: false },
    })
    .catch(async (error: unknown) => {
      // Collections that stay open count against the few that may be.
      await database.close();
      throw error;
    })) as unknown as Record<string, RxCollection>;
  const byName = [...names].map(([cache, stored]) => [cache, collections[stored]]);
  return {
    ...Object.fromEntries(byName),
    name,
    nouns,
    outbox: collections["outbox"],
    uploads: collections["uploads"],
    database,
  } as unknown as Replica;
}

/** Deletes caches of old schemas, and other people's after an interrupted sign-out. */
export function deleteOldCaches(storage: ClientStorage, { nouns, name }: Replica): Promise<void> {
  const current = new Set(nouns.cacheNames.map((cache) => storedName(nouns, cache)));
  const guest = databaseName(storage, null);
  const device = `rxdb-dexie-${storage.name ?? "augenblick"}-`;
  return deleteDatabases(storage.indexedDB, device, (collection, database) => {
    if (cacheOf(nouns, collection) === undefined) return false;
    const [owner = ""] = database.slice("rxdb-dexie-".length).split("--");
    return !current.has(collection) || (owner !== name && owner !== guest);
  });
}

/** Closes and removes the caches, with `all` the queue too. RxDB leaves empty databases behind. */
export async function wipeReplica(storage: ClientStorage, replica: Replica, all: boolean) {
  const { nouns, database } = replica;
  if (all) await database.remove();
  else {
    for (const name of nouns.cacheNames) await replica[name].remove();
    await database.close();
  }
  await deleteDatabases(
    storage.indexedDB,
    storePrefix(replica.name),
    (collection) => all || cacheOf(nouns, collection) !== undefined,
  );
}

/** Deletes databases by prefix and last part; does nothing where the browser cannot list them. */
async function deleteDatabases(
  indexedDB: IDBFactory,
  prefix: string,
  matches: (lastPart: string, name: string) => boolean,
): Promise<void> {
  const names = (await listDatabases(indexedDB, prefix)) ?? [];
  const going = names.filter((name) => matches(name.slice(name.lastIndexOf("--") + 2), name));
  await Promise.all(going.map((name) => deleteDatabase(indexedDB, name)));
}

function deleteDatabase(indexedDB: IDBFactory, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    // Another tab still holds it open. The browser deletes it when that tab lets go.
    request.onblocked = () => resolve();
  });
}

// [Note: Discards] A discard at sign-out survives a crash: it is noted before the first database
// goes, and the next start finishes it before opening anything of that person's.

/** On users' devices: never rename. Holds user ids, separated by spaces. */
const DISCARDED_KEY = "augenblick.discarded";

const readDiscarded = (store: KeyValue): string[] =>
  (store.getItem(DISCARDED_KEY) ?? "").split(" ").filter((id) => id !== "");

export function noteDiscard(store: KeyValue, userId: string, isDue: boolean): void {
  const others = readDiscarded(store).filter((id) => id !== userId);
  const ids = isDue ? [...others, userId] : others;
  if (ids.length === 0) store.removeItem(DISCARDED_KEY);
  else store.setItem(DISCARDED_KEY, ids.join(" "));
}

/** Deletes what a sign-out meant to delete and could not finish. */
export async function finishDiscards(storage: ClientStorage): Promise<void> {
  for (const userId of readDiscarded(storage.local)) {
    const name = databaseName(storage, userId);
    await deleteDatabases(storage.indexedDB, storePrefix(name), () => true);
    await deleteDatabase(storage.indexedDB, `${name}-device`);
    noteDiscard(storage.local, userId, false);
  }
}
