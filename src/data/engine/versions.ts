/** The outbox of other app versions: earlier ones are migrated, later ones untouched. */
import Dexie from "dexie";
import type { RxCollection } from "rxdb";
import type { ClientStorage } from "./deps";
import type { Nouns, Replica } from "./noun";
import { type OutboxRow, outboxSchema, type UploadRow, uploadsSchema } from "./outbox-row";
import { databaseName, hasCaches, listDatabases, storePrefix } from "./store";

/** RxDB keeps the rows of a collection in this object store. */
const DOCS = "docs";

/**
 * Rows are written under their ids before they are deleted, so a crash loses and doubles nothing.
 * The empty store stays: a tab of the earlier version may queue into it until the next start.
 */
export async function migrateQueue(storage: ClientStorage, replica: Replica): Promise<void> {
  const upgrade = (row: OutboxRow, from: number) =>
    replica.nouns.read(row)?.kind.upgrade?.(row, from) ?? row;
  await migrate(storage, replica, replica.outbox, upgrade);
  await migrate(storage, replica, replica.uploads, (row: UploadRow) => row);
}

async function migrate<Row extends OutboxRow | UploadRow>(
  storage: ClientStorage,
  replica: Replica,
  collection: RxCollection<Row>,
  upgrade: (row: Row, from: number) => Row,
): Promise<void> {
  for (let version = 0; version < collection.schema.version; version++) {
    const name = `${storePrefix(replica.name)}${version}--${collection.name}`;
    const old = await openExisting(storage, name);
    if (old === null) continue;
    try {
      const docs = old.table<Row & Record<string, unknown>, string>(DOCS);
      const rows = await docs.toArray();
      if (rows.length === 0) continue;
      const live = rows.filter((row) => !isDeleted(row));
      const upgraded = live.map((row) => upgrade(withoutMarks(row), version));
      // 409: an earlier start migrated the row and ended before it deleted it.
      const { error } = await collection.bulkInsert(upgraded);
      const fault = error.find(({ status }) => status !== 409);
      if (fault !== undefined) throw new Error(`An earlier queue was not taken: ${fault.status}`);
      await docs.bulkDelete(rows.map(({ id }) => id));
    } finally {
      old.close();
    }
  }
}

/** What RxDB adds to a row on the disk. */
const MARKS = new Set(["_deleted", "_meta", "_rev", "_attachments"]);

const isDeleted = (row: Record<string, unknown>): boolean =>
  row["_deleted"] === true || row["_deleted"] === "1" || row["_deleted"] === 1;

const withoutMarks = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !MARKS.has(name))) as Row;

/** Null where there is none. Without a declared version Dexie opens what exists. */
async function openExisting({ indexedDB, IDBKeyRange }: ClientStorage, name: string) {
  const database = new Dexie(name, { indexedDB, IDBKeyRange });
  try {
    await database.open();
  } catch (error) {
    if (error instanceof Dexie.NoSuchDatabaseError) return null;
    throw error;
  }
  if (database.tables.some((table) => table.name === DOCS)) return database;
  database.close();
  return null;
}

export class NewerStorage extends Error {
  constructor(name: string) {
    super(`${name} belongs to a later version of the app`);
  }
}

const VERSIONS: Record<string, number> = {
  outbox: outboxSchema.version,
  uploads: uploadsSchema.version,
};

function isLater(name: string, prefix: string): boolean {
  const [version = "", collection = ""] = name.slice(prefix.length).split("--");
  return Number(version) > (VERSIONS[collection] ?? Number.POSITIVE_INFINITY);
}

/** Throws `NewerStorage`. Refuses nothing where the browser cannot list databases. */
export async function refuseNewer(storage: ClientStorage, userId: string | null): Promise<void> {
  const prefix = storePrefix(databaseName(storage, userId));
  for (const name of (await listDatabases(storage.indexedDB, prefix)) ?? []) {
    if (isLater(name, prefix)) throw new NewerStorage(name);
  }
}

/**
 * Whether this person's databases are those of this version, so that opening them renames and
 * empties nothing. False where there are none, and where the browser cannot list them.
 */
export async function areOfThisVersion(
  nouns: Nouns,
  storage: ClientStorage,
  userId: string,
): Promise<boolean> {
  const prefix = storePrefix(databaseName(storage, userId));
  const names = (await listDatabases(storage.indexedDB, prefix)) ?? [];
  const queues = Object.entries(VERSIONS).map(([name, version]) => `${prefix}${version}--${name}`);
  if (names.some((name) => isLater(name, prefix))) return false;
  return queues.every((name) => names.includes(name)) && hasCaches(nouns, storage, userId);
}
