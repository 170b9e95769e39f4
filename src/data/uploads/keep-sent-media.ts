/** One's own sent files stay on the device whole, where the service worker serves them offline. */
import type { ClientDeps, KeptMedia } from "@/data/client-deps";
import type { IntentBodies } from "@/data/outbox/intent-bodies";
import { isRecord } from "@/data/remote/answers";
import type { DeviceStore } from "@/data/replica/device-store";
import { mediaRow } from "@/data/schema/media";

/** `record` is the server's answer to the finish. */
export async function keepSentMedia(
  keep: NonNullable<ClientDeps["keepMedia"]>,
  device: Pick<DeviceStore, "readBlob">,
  body: IntentBodies["media.create"],
  record: unknown,
): Promise<void> {
  const row = isRecord(record) ? mediaRow(record) : null;
  if (row === null) return;
  const places = [
    { url: row.url, key: body.files.file },
    { url: row.thumbnailUrl, key: body.files.thumbnail },
    { url: row.previewUrl, key: body.files.preview },
  ];
  const entries: KeptMedia[] = [];
  for (const { url, key } of places) {
    const blob = url === "" || key === "" ? null : await device.readBlob(key);
    if (blob !== null) entries.push({ url, blob });
  }
  await keep(entries);
}
