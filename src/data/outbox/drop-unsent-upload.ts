/** A medium that is thrown away before it was sent takes everything that waits behind it along. */
import type { DeviceStore } from "@/data/replica/device-store";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { dropIntents } from "./drop-intents";

/**
 * Drops the queued upload of `mediaId` with its likes and comments. "none": the server may have it, and has to
 * be told. "dropped": it never heard of it.
 */
export async function dropUnsentUpload(
  replica: Pick<Replica, "outbox" | "uploads">,
  device: Pick<DeviceStore, "deleteBlobs">,
  mediaId: string,
): Promise<"dropped" | "none"> {
  const docs = await replica.outbox.find({ selector: { lane: `media:${mediaId}` } }).exec();
  const rows = docs.map((doc) => doc.toJSON() as OutboxRow);
  const upload = rows.find((row) => row.kind === "media.create");
  // One that is on its way is left to arrive: a deletion behind it in its lane undoes it for certain.
  if (upload === undefined || ["sending", "acked", "kept"].includes(upload.state)) return "none";
  await dropIntents(replica, device, rows);
  return upload.attempts === 0 ? "dropped" : "none";
}
