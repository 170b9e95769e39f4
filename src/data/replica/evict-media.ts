/** Keeps the replica small: the media longest not shown go first, one's own never. */
import { REPLICA_MAX_MEDIA } from "@/domain/limits";
import type { DeviceStore } from "./device-store";
import type { Replica } from "./open-replica";

interface Evictable {
  id: string;
  userId: string;
  sortKey: number;
}

/** Ids that must go so that `most` remain; those never shown and oldest come first. */
export function mediaToEvict(
  rows: readonly Evictable[],
  shown: ReadonlyMap<string, number>,
  ownerId: string | null,
  most: number,
): string[] {
  const excess = rows.length - most;
  if (excess <= 0) return [];
  const shownAt = (row: Evictable) => shown.get(row.id) ?? 0;
  return rows
    .filter((row) => row.userId !== ownerId)
    .sort((a, b) => shownAt(a) - shownAt(b) || b.sortKey - a.sortKey)
    .slice(0, excess)
    .map((row) => row.id);
}

export async function evictMedia(
  replica: Replica,
  device: Pick<DeviceStore, "readShown">,
  ownerId: string | null,
): Promise<void> {
  if ((await replica.media.count().exec()) <= REPLICA_MAX_MEDIA) return;
  const rows = (await replica.media.find().exec()).map(({ id, userId, sortKey }) => ({
    id,
    userId,
    sortKey,
  }));
  const going = mediaToEvict(rows, await device.readShown(), ownerId, REPLICA_MAX_MEDIA);
  await replica.media.bulkRemove(going);
  await replica.media.storageInstance.cleanup(0);
}
