/** Writes the server's rows into the replica: the only writer of the cache collections (law 1). */
import type { BulkWriteRow, RxCollection } from "rxdb";
import type { Applied, CacheName, Replica } from "./noun";
import type { RawRecord, ReplicaRow } from "./rows";

export type Changes = Partial<Record<CacheName, { documents: RawRecord[]; deleted: string[] }>>;

/** Deletions first: an id may be deleted and made again within one page. */
export async function applyChanges(replica: Replica, changes: Changes): Promise<Applied> {
  const applied: Applied = { written: {}, removed: {}, goneFiles: [], changed: false };
  for (const name of replica.nouns.cacheNames) {
    const change = changes[name];
    if (change === undefined) continue;
    const removed = await removeRows(replica, name, change.deleted);
    const rows = rowsOf(replica, name, change.documents);
    const { written, before } = await writeRows(replica, name, rows);
    const after = byId(written);
    applied.goneFiles.push(...goneFiles(replica, name, byId([...removed, ...before]), after));
    applied.changed = applied.changed || removed.length + written.length > 0;
    applied.written[name] = written.map((row) => row.id);
    applied.removed[name] = removed.flatMap((row) => (after.has(row.id) ? [] : [row.id]));
  }
  return applied;
}

type Known = Map<string, ReplicaRow>;

const rowsOf = ({ nouns }: Replica, name: CacheName, records: readonly RawRecord[]): ReplicaRow[] =>
  records.flatMap((record) => nouns.collection(name).read(record) ?? []);

const byId = (rows: readonly ReplicaRow[]): Known => new Map(rows.map((row) => [row.id, row]));

function goneFiles({ nouns }: Replica, name: CacheName, before: Known, after: Known): string[] {
  const fields = nouns.collection(name).files ?? [];
  const filesOf = (rows: Known) =>
    [...rows.values()].flatMap((row) => fields.map((field) => String(row[field])));
  const still = new Set(filesOf(after));
  return filesOf(before).filter((file) => file !== "" && !still.has(file));
}

/** Removes rows, from the disk too. Returns those that were there. */
export async function removeRows(replica: Replica, name: CacheName, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const collection = collectionOf(replica, name);
  const present = await collection.findByIds([...ids]).exec();
  if (present.size === 0) return [];
  const rows = [...present.values()].map((doc) => doc.toJSON() as ReplicaRow);
  await collection.bulkRemove(rows.map((row) => row.id));
  // RxDB keeps what it deleted until it is told not to.
  await collection.storageInstance.cleanup(0);
  return rows;
}

/** Returns the ids of rows that were new or newer; others are left alone. */
export async function writeRecords(
  replica: Replica,
  name: CacheName,
  records: readonly RawRecord[],
): Promise<string[]> {
  const { written } = await writeRows(replica, name, rowsOf(replica, name, records));
  return written.map((row) => row.id);
}

/**
 * Most rows are new, so all are inserted at once and the storage names those that exist. Of these
 * the newer ones are updated; where another writer was faster, they are compared again.
 */
async function writeRows(replica: Replica, name: CacheName, rows: readonly ReplicaRow[]) {
  const collection = collectionOf(replica, name);
  const wanted = byId(await withCopies(replica, name, rows));
  const before: Known = new Map();
  let faults = (await collection.bulkInsert([...wanted.values()])).error;
  while (faults.length > 0) {
    const updates: BulkWriteRow<ReplicaRow>[] = [];
    for (const fault of faults) {
      if (fault.status !== 409) throw new Error(`The replica refused a row: ${fault.status}`);
      const { documentId, documentInDb: previous } = fault;
      const row = wanted.get(documentId);
      if (row !== undefined && (previous._deleted || row.seq > previous.seq)) {
        before.set(documentId, previous);
        updates.push({ previous, document: { ...previous, ...row, _deleted: false } });
      } else {
        before.delete(documentId);
        wanted.delete(documentId);
      }
    }
    if (updates.length === 0) break;
    faults = (await collection.storageInstance.bulkWrite(updates, "pull")).error;
  }
  const written = [...wanted.values()];
  await passOn(replica, name, written, before);
  return { written, before: [...before.values()] };
}

const collectionOf = (replica: Replica, name: CacheName) =>
  replica[name] as unknown as RxCollection<ReplicaRow>;

/** A row that is here says what its copies say: an answer may be older than it. */
async function withCopies(replica: Replica, name: CacheName, rows: readonly ReplicaRow[]) {
  const { copies } = replica.nouns.collection(name);
  if (copies === undefined || rows.length === 0) return rows;
  const { column, from, by } = copies;
  const ids = [...new Set(rows.map((row) => String(row[by])))];
  const known = await collectionOf(replica, from).findByIds(ids).exec();
  return rows.map((row) => {
    const source = known.get(String(row[by]));
    return source === undefined ? row : { ...row, [column]: source.get(column) };
  });
}

/** Brings what other collections repeat of these rows up to date. */
async function passOn(replica: Replica, name: CacheName, rows: ReplicaRow[], before: Known) {
  for (const target of replica.nouns.cacheNames) {
    const { copies } = replica.nouns.collection(target);
    if (copies?.from !== name) continue;
    const { column, by } = copies;
    const changed = byId(rows.filter((row) => row[column] !== before.get(row.id)?.[column]));
    if (changed.size === 0) continue;
    const selector = { [by]: { $in: [...changed.keys()] } };
    const copied = await collectionOf(replica, target).find({ selector }).exec();
    const wanted = (doc: (typeof copied)[number]) => changed.get(doc.get(by))?.[column];
    const stale = copied.filter((doc) => doc.get(column) !== wanted(doc));
    await Promise.all(stale.map((doc) => doc.incrementalPatch({ [column]: wanted(doc) })));
  }
}
