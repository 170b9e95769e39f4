/** Writes what the server told into the replica. The only writer of the cache collections (law 1). */
import type { BulkWriteRow, RxCollection } from "rxdb";
import { conversationRow, messageRow } from "@/data/chat/row";
import { commentRow } from "@/data/comments";
import { type MediaRow, mediaRow } from "@/data/media/row";
import { blockRow, followRow, likeRow, profileRow } from "@/data/people/row";
import { settingsRow } from "@/data/settings";
import type { RawRecord, ReplicaRow } from "./rows";
import { CACHE_NAMES, type CacheName, type CacheRows, type Replica } from "./store";

const READERS: { [Name in CacheName]: (record: RawRecord) => CacheRows[Name] | null } = {
  media: mediaRow,
  profiles: profileRow,
  comments: commentRow,
  likes: likeRow,
  follows: followRow,
  blocks: blockRow,
  conversations: conversationRow,
  messages: messageRow,
  settings: settingsRow,
};

export interface CollectionChanges {
  documents: RawRecord[];
  deleted: string[];
}
export type Changes = Partial<Record<CacheName, CollectionChanges>>;

export interface Applied {
  changedMedia: string[];
  deletedMedia: MediaRow[];
  /** Addresses of files that the server no longer has under them. */
  goneFiles: string[];
  /** Ids of rows of every kind that were here and are no more. */
  removed: string[];
  /** Whether anything in the replica is another than before. */
  changed: boolean;
}

/** Deletions first: an id may be deleted and made anew within one page. */
export async function applyChanges(replica: Replica, changes: Changes): Promise<Applied> {
  const applied: Applied = {
    changedMedia: [],
    deletedMedia: [],
    goneFiles: [],
    removed: [],
    changed: false,
  };
  for (const name of CACHE_NAMES) {
    const change = changes[name];
    if (change === undefined) continue;
    const removed = await removeRows(replica, name, change.deleted);
    const { written, before } = await writeRows(replica, name, rowsOf(name, change.documents));
    const known = byId([...removed, ...before]);
    const standing = byId(written);
    applied.goneFiles.push(...goneFiles(name, known, standing));
    applied.changed = applied.changed || removed.length + written.length > 0;
    const gone = removed.filter((row) => !standing.has(row.id));
    applied.removed.push(...gone.map((row) => row.id));
    if (name !== "media") continue;
    applied.deletedMedia = gone as MediaRow[];
    applied.changedMedia = written.map((row) => row.id);
  }
  return applied;
}

type Known = Map<string, ReplicaRow>;

const rowsOf = (name: CacheName, records: readonly RawRecord[]): ReplicaRow[] =>
  records.flatMap((record) => READERS[name](record) ?? []) as ReplicaRow[];

const byId = (rows: readonly ReplicaRow[]): Known => new Map(rows.map((row) => [row.id, row]));

/** The fields of a row that name files on the server. */
const FILES: { [Name in CacheName]?: (keyof CacheRows[Name])[] } = {
  media: ["url", "thumbnailUrl", "previewUrl"],
  profiles: ["profilePictureUrl", "profileThumbnailUrl"],
  messages: ["imageUrl", "thumbnailUrl"],
};

/** Files that a row of `before` named and none of `after` does. */
function goneFiles(name: CacheName, before: Known, after: Known): string[] {
  const filesOf = (rows: Known) =>
    [...rows.values()].flatMap((row) =>
      (FILES[name] ?? []).map((field) => String(row[field as keyof ReplicaRow])),
    );
  const standing = new Set(filesOf(after));
  return filesOf(before).filter((file) => file !== "" && !standing.has(file));
}

/** Removes rows, from the disk too. Returns those that were there. */
export async function removeRows(
  replica: Replica,
  name: CacheName,
  ids: readonly string[],
): Promise<ReplicaRow[]> {
  if (ids.length === 0) return [];
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  const present = await collection.findByIds([...ids]).exec();
  if (present.size === 0) return [];
  const rows = [...present.values()].map((doc) => doc.toJSON() as ReplicaRow);
  await collection.bulkRemove(rows.map((row) => row.id));
  // RxDB keeps what it deleted until it is told not to.
  await collection.storageInstance.cleanup(0);
  return rows;
}

/** Ids of the rows that were new or newer; what is as old as the replica's own row is left alone. */
export async function writeRecords(
  replica: Replica,
  name: CacheName,
  records: readonly RawRecord[],
): Promise<string[]> {
  const { written } = await writeRows(replica, name, rowsOf(name, records));
  return written.map((row) => row.id);
}

interface Written {
  written: ReplicaRow[];
  /** What stood in the place of those that were here already. */
  before: ReplicaRow[];
}

/**
 * Most rows are new: all are written as such, in one go, and the storage names those that are here already. Of these the
 * newer ones replace what it showed; where somebody else was quicker, it shows that, and they are compared again.
 */
async function writeRows(
  replica: Replica,
  name: CacheName,
  rows: readonly ReplicaRow[],
): Promise<Written> {
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  const wanted = byId(rows);
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
  return { written: [...wanted.values()], before: [...before.values()] };
}
