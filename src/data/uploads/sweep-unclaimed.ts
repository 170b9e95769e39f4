/**
 * Files that a crash left without their row: a file is stored before the row that names it, and a row goes before its
 * files. What another tab is about to queue looks the same, so a file goes only where a start at least an hour ago found
 * it without a row too.
 */
import { type Intent, parseIntent } from "@/data/outbox/intents";
import { readRows } from "@/data/outbox/read-queue";
import { blobKeys } from "@/data/outbox/send-intent";
import type { DeviceStore } from "@/data/replica/device-store";
import type { Replica } from "@/data/replica/open-replica";

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
