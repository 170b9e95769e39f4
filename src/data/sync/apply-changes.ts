/** Writes what the server told into the replica. The only writer of the cache collections (law 1). */
import type { RxCollection } from "rxdb";
import {
  CACHE_NAMES,
  type CacheName,
  type CacheRows,
  type Replica,
} from "@/data/replica/open-replica";
import { commentRow } from "@/data/schema/comments";
import { conversationRow } from "@/data/schema/conversations";
import { type RawRecord, type ReplicaRow, textOf } from "@/data/schema/define-schema";
import { type MediaRow, mediaRow } from "@/data/schema/media";
import { messageRow } from "@/data/schema/messages";
import { blockRow, followRow, likeRow } from "@/data/schema/pairs";
import { profileRow } from "@/data/schema/profiles";
import { settingsRow } from "@/data/schema/settings";

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
    const ids = [...change.deleted, ...change.documents.map((record) => textOf(record, "id"))];
    const before = await filesOf(replica, name, ids);
    const removed = await removeRows(replica, name, change.deleted);
    const written = await writeRecords(replica, name, change.documents);
    const after = new Set(await filesOf(replica, name, ids));
    applied.goneFiles.push(...before.filter((file) => !after.has(file)));
    applied.changed = applied.changed || removed.length + written.length > 0;
    const gone = removed.filter((row) => !written.includes(row.id));
    applied.removed.push(...gone.map((row) => row.id));
    if (name !== "media") continue;
    applied.deletedMedia = gone as MediaRow[];
    applied.changedMedia = written;
  }
  return applied;
}

/** The fields of a row that name files on the server. */
const FILES: { [Name in CacheName]?: (keyof CacheRows[Name])[] } = {
  media: ["url", "thumbnailUrl", "previewUrl"],
  profiles: ["profilePictureUrl", "profileThumbnailUrl"],
  messages: ["imageUrl", "thumbnailUrl"],
};

async function filesOf(replica: Replica, name: CacheName, ids: string[]): Promise<string[]> {
  const fields = FILES[name] as string[] | undefined;
  if (fields === undefined || ids.length === 0) return [];
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  const docs = [...(await collection.findByIds(ids).exec()).values()];
  const files = docs.flatMap((doc) => fields.map((field) => doc.get(field) as string));
  return files.filter((file) => file !== "");
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
  const rows = records.flatMap((record) => READERS[name](record) ?? []) as ReplicaRow[];
  if (rows.length === 0) return [];
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  const known = await collection.findByIds(rows.map((row) => row.id)).exec();
  const newer = rows.filter((row) => row.seq > (known.get(row.id)?.get("seq") ?? -1));
  if (newer.length > 0) {
    const { error } = await collection.bulkUpsert(newer);
    if (error[0] !== undefined) throw new Error(`The replica refused a row: ${error[0].status}`);
  }
  return newer.map((row) => row.id);
}
