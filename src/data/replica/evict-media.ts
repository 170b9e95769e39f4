/** Keeps the replica small: the media longest not shown go first, one's own and what is kept offline never. */
import { REPLICA_MAX_MEDIA } from "@/domain/limits";
import type { DeviceStore } from "./device-store";
import { limitWindows } from "./list-windows";
import type { Replica } from "./open-replica";

interface Evictable {
  id: string;
  userId: string;
  createdAt: number;
}

/** What is never evicted: one's own media, and those whose files the person keeps on this device. */
export interface Stays {
  ownerId: string | null;
  kept: ReadonlySet<string>;
}

const NONE: Evictable = { id: "", userId: "", createdAt: 0 };

/** Rows that must go so that `most` remain; those never shown and oldest come first. */
export function mediaToEvict<Row extends Evictable>(
  rows: readonly Row[],
  shown: ReadonlyMap<string, number>,
  { ownerId, kept }: Stays,
  most: number,
): Row[] {
  const excess = rows.length - most;
  if (excess <= 0) return [];
  const shownAt = (row: Row) => shown.get(row.id) ?? 0;
  return rows
    .filter((row) => row.userId !== ownerId && !kept.has(row.id))
    .sort((a, b) => shownAt(a) - shownAt(b) || a.createdAt - b.createdAt)
    .slice(0, excess);
}

export async function evictMedia(
  replica: Replica,
  device: Pick<DeviceStore, "readShown" | "windows$" | "writeWindows">,
  readStays: () => Promise<Stays>,
  most = REPLICA_MAX_MEDIA,
): Promise<void> {
  if ((await replica.media.count().exec()) <= most) return;
  const rows = (await replica.media.find().exec()).map(({ id, userId, createdAt }) => ({
    id,
    userId,
    createdAt,
  }));
  const going = mediaToEvict(rows, await device.readShown(), await readStays(), most);
  const newest = going.reduce((a, b) => (b.createdAt > a.createdAt ? b : a), NONE);
  // First: a list that ends too early is pulled again, one with a hole is not.
  if (newest !== NONE) await limitWindows(device, newest);
  await replica.media.bulkRemove(going.map((row) => row.id));
  await replica.media.storageInstance.cleanup(0);
}
