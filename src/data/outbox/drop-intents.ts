/** The end of an intent's life. */
import type { RxCollection } from "rxdb";
import type { DeviceStore } from "@/data/replica/device-store";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { parseIntent } from "./intents";
import { blobKeys } from "./send-intent";

/** RxDB's word for a row that was written meanwhile. */
const CONFLICT = 409;
const TRIES = 10;

/** Removes intents with their files: what came back, and what the person discards. */
export async function dropIntents(
  replica: Pick<Replica, "outbox" | "uploads">,
  device: Pick<DeviceStore, "deleteBlobs">,
  rows: readonly OutboxRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await removeRows(replica.outbox, ids);
  await removeRows(replica.uploads, ids);
  const keys = rows.flatMap((row) => {
    const intent = parseIntent(row);
    return intent === null ? [] : blobKeys(intent);
  });
  await device.deleteBlobs(keys);
  await replica.outbox.storageInstance.cleanup(0);
}

/** Also what the sender wrote to in this moment: RxDB leaves such a row where it is, and only says so. */
async function removeRows<Row>(
  collection: Pick<RxCollection<Row>, "bulkRemove">,
  ids: string[],
): Promise<void> {
  let left = ids;
  for (let tried = 1; left.length > 0; tried += 1) {
    const { error } = await collection.bulkRemove(left);
    const fault = error.find(({ status }) => status !== CONFLICT || tried === TRIES);
    if (fault !== undefined) throw new Error(`A row could not be removed (${fault.status})`);
    left = error.map(({ documentId }) => documentId);
  }
}
