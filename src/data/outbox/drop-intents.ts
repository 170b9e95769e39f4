/** The end of an intent's life. */
import type { DeviceStore } from "@/data/replica/device-store";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { parseIntent } from "./intents";
import { blobKeys } from "./send-intent";

/** Removes intents with their files: what came back, and what the person discards. */
export async function dropIntents(
  replica: Pick<Replica, "outbox" | "uploads">,
  device: Pick<DeviceStore, "deleteBlobs">,
  rows: readonly OutboxRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await replica.outbox.bulkRemove(ids);
  await replica.uploads.bulkRemove(ids);
  const keys = rows.flatMap((row) => {
    const intent = parseIntent(row);
    return intent === null ? [] : blobKeys(intent);
  });
  await device.deleteBlobs(keys);
  await replica.outbox.storageInstance.cleanup(0);
}
