/**
 * The replica and the outbox of one user (or of the guest) on this device: one RxDB database on IndexedDB.
 * Cache collections carry a mark of their schema in their name, so that a changed schema starts empty and is
 * pulled again; outbox and uploads keep their names, because what is queued must outlive every version.
 */
import {
  addRxPlugin,
  createRxDatabase,
  type RxCollection,
  type RxDatabase,
  type RxStorage,
} from "rxdb";
import { RxDBLeaderElectionPlugin } from "rxdb/plugins/leader-election";
import { getRxStorageDexie } from "rxdb/plugins/storage-dexie";
import type { KeyValue } from "@/data/account/session-store";
import {
  type ConversationRow,
  conversationsSchema,
  type MessageRow,
  messagesSchema,
} from "@/data/chat/row";
import { type CommentRow, commentsSchema } from "@/data/comments";
import { type MediaRow, mediaSchema } from "@/data/media/row";
import {
  type BlockRow,
  blocksSchema,
  type FollowRow,
  followsSchema,
  type LikeRow,
  likesSchema,
  type ProfileRow,
  profilesSchema,
} from "@/data/people/row";
import { type SettingsRow, settingsSchema } from "@/data/settings";
import type { ClientStorage } from "./context";
import { type OutboxRow, outboxSchema, type UploadRow, uploadsSchema } from "./outbox-row";

addRxPlugin(RxDBLeaderElectionPlugin);

/** What the pull fills. */
export interface CacheRows {
  media: MediaRow;
  profiles: ProfileRow;
  comments: CommentRow;
  likes: LikeRow;
  follows: FollowRow;
  blocks: BlockRow;
  conversations: ConversationRow;
  messages: MessageRow;
  settings: SettingsRow;
}
export type CacheName = keyof CacheRows;

type CacheCollections = { [Name in CacheName]: RxCollection<CacheRows[Name]> };

export interface Replica extends CacheCollections {
  name: string;
  outbox: RxCollection<OutboxRow>;
  uploads: RxCollection<UploadRow>;
  database: RxDatabase;
}

const CACHES = {
  media: mediaSchema,
  profiles: profilesSchema,
  comments: commentsSchema,
  likes: likesSchema,
  follows: followsSchema,
  blocks: blocksSchema,
  // Before their conversations: it is the words that somebody waits for.
  messages: messagesSchema,
  conversations: conversationsSchema,
  settings: settingsSchema,
};
export const CACHE_NAMES = Object.keys(CACHES) as CacheName[];

/** Name of a user's databases on this device; `null` is the guest. */
export const databaseName = (storage: ClientStorage, userId: string | null): string =>
  `${storage.name ?? "augenblick"}-${userId ?? "guest"}`;

/** Name of a cache in the database: it changes whenever the schema does. */
function storedName(name: CacheName): string {
  const words = JSON.stringify(CACHES[name]);
  let hash = 0;
  for (let i = 0; i < words.length; i++) hash = (Math.imul(hash, 31) + words.charCodeAt(i)) >>> 0;
  return `${name}_${hash.toString(36)}`;
}

/**
 * Whether all caches of this user lie on the device. They do not after a change of schema, nor where a sign-out was
 * cut short: how far the pull had come means nothing then. True where the browser does not tell.
 */
export async function hasCaches(storage: ClientStorage, userId: string | null): Promise<boolean> {
  if (!("databases" in storage.indexedDB)) return true;
  const prefix = `rxdb-dexie-${databaseName(storage, userId)}--`;
  const found = await storage.indexedDB.databases();
  const own = found.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
  return CACHE_NAMES.every((cache) => own.some((name) => name.endsWith(`--${storedName(cache)}`)));
}

/** Opens it on the device. Throws where IndexedDB cannot be opened. */
export function openReplica(
  storage: ClientStorage,
  userId: string | null,
  multiInstance: boolean,
): Promise<Replica> {
  const { indexedDB, IDBKeyRange } = storage;
  const rxStorage = getRxStorageDexie({ indexedDB, IDBKeyRange });
  return openOn(rxStorage, databaseName(storage, userId), multiInstance);
}

/** Opens one that ends with the page: for browsers that give no storage. */
export async function openMemoryReplica(
  storage: ClientStorage,
  userId: string | null,
): Promise<Replica> {
  const { getRxStorageMemory } = await import("rxdb/plugins/storage-memory");
  return openOn(getRxStorageMemory(), `${databaseName(storage, userId)}-memory`, false);
}

async function openOn(
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
  const caches = CACHE_NAMES.map((cache) => [storedName(cache), { schema: CACHES[cache] }]);
  const collections = (await database
    .addCollections({
      ...Object.fromEntries(caches),
      // What older versions of them hold is carried over row by row, see carry-over.
      outbox: { schema: outboxSchema, autoMigrate: false },
      uploads: { schema: uploadsSchema, autoMigrate: false },
    })
    .catch(async (error: unknown) => {
      // Collections that stay open count against the few that may be.
      await database.close();
      throw error;
    })) as unknown as Record<string, RxCollection>;
  const byName = CACHE_NAMES.map((cache) => [cache, collections[storedName(cache)]]);
  return {
    ...Object.fromEntries(byName),
    name,
    outbox: collections["outbox"],
    uploads: collections["uploads"],
    database,
  } as unknown as Replica;
}

/**
 * Deletes caches of schemas that are no longer ours, and what a sign-out that was cut short left of other people's.
 * Their queues stay sealed. Not awaited on the way to anything.
 */
export function deleteOldCaches(storage: ClientStorage, replica: Replica): Promise<void> {
  const current = new Set<string>(CACHE_NAMES.map(storedName));
  const guest = databaseName(storage, null);
  const device = `rxdb-dexie-${storage.name ?? "augenblick"}-`;
  return deleteDatabases(storage.indexedDB, device, (collection, database) => {
    const [cache = ""] = collection.split("_");
    if (!(cache in CACHES)) return false;
    const [owner = ""] = database.slice("rxdb-dexie-".length).split("--");
    return !current.has(collection) || (owner !== replica.name && owner !== guest);
  });
}

/**
 * Closes and removes what the pull brought; with `all`, the queue too. RxDB leaves empty databases behind,
 * so those go by name.
 */
export async function wipeReplica(
  storage: ClientStorage,
  replica: Replica,
  all: boolean,
): Promise<void> {
  if (all) await replica.database.remove();
  else {
    for (const name of CACHE_NAMES) await replica[name].remove();
    await replica.database.close();
  }
  await deleteDatabases(storage.indexedDB, `rxdb-dexie-${replica.name}--`, (collection) => {
    const [cache = ""] = collection.split("_");
    return all || cache in CACHES;
  });
}

/**
 * Deletes the IndexedDB databases whose name begins with `prefix` and whose last part `matches`. Where the
 * browser cannot list databases nothing happens.
 */
export async function deleteDatabases(
  indexedDB: IDBFactory,
  prefix: string,
  matches: (lastPart: string, name: string) => boolean,
): Promise<void> {
  if (!("databases" in indexedDB)) return;
  const found = await indexedDB.databases();
  const names = found.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
  const going = names.filter((name) => matches(name.slice(name.lastIndexOf("--") + 2), name));
  await Promise.all(going.map((name) => deleteDatabase(indexedDB, name)));
}

export function deleteDatabase(indexedDB: IDBFactory, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    // Another tab still holds it open. The browser deletes it when that tab lets go.
    request.onblocked = () => resolve();
  });
}

/**
 * Throwing away what a person left at sign-out, whatever comes between: the decision is written down before the first
 * database goes, and a start that finds it written down finishes the work before anything of that person's is opened.
 */

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
