/** Frees space on the device from what can be had again, never from the queue and its files. */
import type { StorageUsage } from "@/data/shapes";
import type { DeviceStore } from "./device-store";
import { dropKept } from "./keep";
import type { EvictNeed, Replica, Stores } from "./noun";
import { filesOf, readRows } from "./outbox";
import { ROW_STATES } from "./outbox-row";

/** Share of the granted space that starts a cleanup; quota errors come late (platform facts). */
const FULL_SHARE = 0.8;

export async function freeSpace(stores: Stores): Promise<void> {
  await stores.deps.room?.emptyCaches();
  await dropKept(stores);
  await evict(stores, "room");
}

/** The person's wish. Rows kept for a day stay: they guard against a server that loses them. */
export async function clearCaches(stores: Stores): Promise<void> {
  await stores.deps.room?.emptyCaches();
  await evict(stores, "asked");
}

/** After each pull: keeps the replica small, and frees space where the device is nearly full. */
export async function keepSpace(stores: Stores): Promise<void> {
  await evict(stores, "usual");
  const { usage = 0, quota = 0 } = (await stores.deps.room?.estimate()) ?? {};
  if (quota > 0 && usage / quota >= FULL_SHARE) await freeSpace(stores);
}

async function evict(stores: Stores, need: EvictNeed): Promise<void> {
  for (const noun of stores.replica.nouns.list) await noun.evict?.(stores, need);
}

export async function readUsage({
  deps,
  replica,
}: Pick<Stores, "deps" | "replica">): Promise<Omit<StorageUsage, "media">> {
  const [estimate, rows] = await Promise.all([deps.room?.estimate(), replica.outbox.find().exec()]);
  return {
    usedBytes: estimate?.usage ?? null,
    grantedBytes: estimate?.quota ?? null,
    isLasting: estimate?.persisted ?? null,
    cachedBytes: estimate?.cached ?? null,
    queuedBytes: bytesOf(rows.filter((row) => !isSent(row))),
    keptBytes: bytesOf(rows.filter(isSent)),
  };
}

const isSent = ({ state }: { state: string }): boolean => state === "acked" || state === "kept";
const bytesOf = (rows: readonly { bytes: number }[]): number =>
  rows.reduce((sum, row) => sum + row.bytes, 0);

/** How long a file may be without a row before it is deleted, milliseconds. */
const PATIENCE_MS = 60 * 60_000;

interface SweepDeps {
  replica: Pick<Replica, "outbox" | "nouns">;
  device: Pick<DeviceStore, "blobKeys" | "deleteBlobs" | "readUnclaimed" | "writeUnclaimed">;
  now: () => number;
}

/**
 * Deletes files that a crash left without a row, because files are stored before rows. Another
 * tab's file may be waiting for its row, so a file goes only when it already lacked one at a start
 * an hour ago. Call it after the queue of an earlier version was migrated.
 */
export async function sweepUnclaimed({ replica, device, now }: SweepDeps): Promise<void> {
  const stored = await device.blobKeys();
  const found = await device.readUnclaimed();
  if (stored.length === 0 && found === null) return;
  const rows = await readRows(replica, ...ROW_STATES);
  // What a row of another version names is not known.
  if (rows.some((row) => replica.nouns.parse(row) === null)) return;
  const claimed = new Set(rows.flatMap((row) => filesOf(replica.nouns, row)));
  const keys = stored.filter((key) => !claimed.has(key));
  const at = now();
  if (found !== null && Math.abs(at - found.at) < PATIENCE_MS) return;
  const before = new Set(found?.keys);
  await device.deleteBlobs(keys.filter((key) => before.has(key)));
  await device.writeUnclaimed({ keys: keys.filter((key) => !before.has(key)), at });
}
