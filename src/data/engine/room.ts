/**
 * Room on the device. What can be had again goes: cached pictures, what was sent and kept for a day, media rows of
 * the replica. The queue and its files never go.
 */

import { evictMedia, type Stays } from "@/data/media/held";
import type { StorageUsage } from "@/data/shapes";
import { PAGE_SIZE, REPLICA_FIRST_MEDIA } from "@/domain/limits";
import type { ClientDeps } from "./context";
import type { DeviceStore } from "./device-store";
import { blobKeys, type Intent, parseIntent } from "./intents";
import { dropKept } from "./keep";
import { readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import type { Replica } from "./store";

/** Share of what the browser grants from which caches are emptied (platform facts: quota errors come late). */
const FULL_SHARE = 0.8;

export interface RoomDeps {
  deps: Pick<ClientDeps, "room">;
  replica: Replica;
  device: Pick<DeviceStore, "readShown" | "windows$" | "writeWindows" | "deleteBlobs">;
  userId: string | null;
}

export async function makeRoom({ deps, replica, device, userId }: RoomDeps): Promise<void> {
  await deps.room?.emptyCaches();
  await dropKept({ replica, device });
  await evictMedia(replica, device, () => readStays({ deps, userId }), REPLICA_FIRST_MEDIA);
}

/** What must stay whatever happens. Without a cache to ask, nothing was kept in it. */
export async function readStays({
  deps,
  userId,
}: Pick<RoomDeps, "deps" | "userId">): Promise<Stays> {
  const kept = await deps.room?.keptMedia?.().catch(() => undefined);
  return { ownerId: userId, kept: kept ?? new Set() };
}

/** The same at the person's wish, but for what was sent in the last day: it guards against a server that loses it. */
export async function clearCaches({ deps, replica, device, userId }: RoomDeps): Promise<void> {
  await deps.room?.emptyCaches();
  await evictMedia(replica, device, () => readStays({ deps, userId }), PAGE_SIZE);
}

/** Makes room where the device is nearly full. */
export async function keepRoom(room: RoomDeps): Promise<void> {
  const estimate = await room.deps.room?.estimate();
  const { usage = 0, quota = 0 } = estimate ?? {};
  if (quota > 0 && usage / quota >= FULL_SHARE) await makeRoom(room);
}

/** What this person's data take. */
export async function readUsage({
  deps,
  replica,
}: Pick<RoomDeps, "deps" | "replica">): Promise<StorageUsage> {
  const [estimate, rows, media] = await Promise.all([
    deps.room?.estimate(),
    replica.outbox.find().exec(),
    replica.media.count().exec(),
  ]);
  return {
    usedBytes: estimate?.usage ?? null,
    grantedBytes: estimate?.quota ?? null,
    isLasting: estimate?.persisted ?? null,
    cachedBytes: estimate?.cached ?? null,
    queuedBytes: bytesOf(rows.filter((row) => !isSent(row))),
    keptBytes: bytesOf(rows.filter(isSent)),
    media,
  };
}

const isSent = ({ state }: OutboxRow): boolean => state === "acked" || state === "kept";
const bytesOf = (rows: readonly OutboxRow[]): number =>
  rows.reduce((sum, row) => sum + row.bytes, 0);

/**
 * Files that a crash left without their row: a file is stored before the row that names it, and a row goes before its
 * files. What another tab is about to queue looks the same, so a file goes only where a start at least an hour ago found
 * it without a row too.
 */

const PATIENCE_MS = 60 * 60_000;

interface SweepDeps {
  replica: Pick<Replica, "outbox">;
  device: Pick<DeviceStore, "blobKeys" | "deleteBlobs" | "readUnclaimed" | "writeUnclaimed">;
  now: () => number;
}

/** Call once at a start, after what an earlier version queued was carried over. */
export async function sweepUnclaimed({ replica, device, now }: SweepDeps): Promise<void> {
  const stored = await device.blobKeys();
  const found = await device.readUnclaimed();
  if (stored.length === 0 && found === null) return;
  const states = ["pending", "sending", "paused", "refused", "acked", "kept"] as const;
  const intents = (await readRows(replica, ...states)).map(parseIntent);
  // What a row of another version names is not known.
  if (!intents.every((intent): intent is Intent => intent !== null)) return;
  const claimed = new Set(intents.flatMap(blobKeys));
  const keys = stored.filter((key) => !claimed.has(key));
  const at = now();
  if (found !== null && Math.abs(at - found.at) < PATIENCE_MS) return;
  const before = new Set(found?.keys);
  await device.deleteBlobs(keys.filter((key) => before.has(key)));
  await device.writeUnclaimed({ keys: keys.filter((key) => !before.has(key)), at });
}
