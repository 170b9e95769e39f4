/**
 * Other versions of the app on the same device. What an earlier one queued is migrated into today's
 * collections; what a later one queued cannot be read, and is left alone.
 */
import type { RxCollection } from "rxdb";
import type { ClientStorage } from "./deps";
import type { Replica } from "./noun";
import { type OutboxRow, outboxSchema, type UploadRow, uploadsSchema } from "./outbox-row";
import { databaseName, storePrefix } from "./store";

/** RxDB keeps the rows of a collection in this object store. */
const DOCS = "docs";

/**
 * Each row is written here before it is deleted there, under its own id, so that an end in between
 * loses and doubles nothing. The emptied store stays: a tab that still runs the earlier version may
 * queue into it, and the next start migrates that too.
 */
export async function migrateQueue(
  { indexedDB }: Pick<ClientStorage, "indexedDB">,
  replica: Replica,
): Promise<void> {
  const upgrade = (row: OutboxRow, from: number) =>
    replica.nouns.read(row)?.kind.upgrade?.(row, from) ?? row;
  await migrate(indexedDB, replica, replica.outbox, upgrade);
  await migrate(indexedDB, replica, replica.uploads, (row: UploadRow) => row);
}

async function migrate<Row extends OutboxRow | UploadRow>(
  indexedDB: IDBFactory,
  replica: Replica,
  collection: RxCollection<Row>,
  upgrade: (row: Row, from: number) => Row,
): Promise<void> {
  for (let version = 0; version < collection.schema.version; version++) {
    const old = await openExisting(
      indexedDB,
      `${storePrefix(replica.name)}${version}--${collection.name}`,
    );
    if (old === null) continue;
    try {
      const rows = (await readRows(old)) as (Row & Record<string, unknown>)[];
      if (rows.length === 0) continue;
      const live = rows.filter((row) => !isDeleted(row));
      const upgraded = live.map((row) => upgrade(withoutMarks(row), version));
      // 409: it is here already, from a start that was cut off.
      const { error } = await collection.bulkInsert(upgraded);
      const fault = error.find(({ status }) => status !== 409);
      if (fault !== undefined) throw new Error(`An earlier queue was not taken: ${fault.status}`);
      await deleteRows(old, rows);
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

/** Null where there is none; none is made. */
function openExisting(indexedDB: IDBFactory, name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    let isNew = false;
    request.onupgradeneeded = () => {
      isNew = true;
      request.transaction?.abort();
    };
    request.onsuccess = () => {
      const { result } = request;
      if (result.objectStoreNames.contains(DOCS)) return resolve(result);
      result.close();
      resolve(null);
    };
    request.onerror = (event) => {
      if (!isNew) return reject(request.error);
      event.preventDefault();
      resolve(null);
    };
  });
}

function readRows(database: IDBDatabase): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const request = database.transaction(DOCS).objectStore(DOCS).getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function deleteRows(database: IDBDatabase, rows: readonly { id: string }[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(DOCS, "readwrite");
    for (const { id } of rows) transaction.objectStore(DOCS).delete(id);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
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

/**
 * Throws `NewerStorage`. Where the browser cannot list databases nothing is known, and nothing
 * refused.
 */
export async function refuseNewer(storage: ClientStorage, userId: string | null): Promise<void> {
  if (!("databases" in storage.indexedDB)) return;
  const prefix = storePrefix(databaseName(storage, userId));
  for (const { name = "" } of await storage.indexedDB.databases()) {
    if (!name.startsWith(prefix)) continue;
    const [version = "", collection = ""] = name.slice(prefix.length).split("--");
    if (Number(version) > (VERSIONS[collection] ?? Number.POSITIVE_INFINITY)) {
      throw new NewerStorage(name);
    }
  }
}
