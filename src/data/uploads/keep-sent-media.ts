/** One's own sent files stay on the device, where the service worker serves them offline. */
import type { ClientDeps, KeptMedia } from "@/data/client-deps";
import type { IntentBodies } from "@/data/outbox/intent-bodies";
import { isRecord } from "@/data/remote/answers";
import { cacheMark } from "@/data/remote/file-token";
import type { DeviceStore } from "@/data/replica/device-store";
import { mediaRow } from "@/data/schema/media";
import { messageRow } from "@/data/schema/messages";

/** A photo of a chat, so that it need not be fetched back: it may go again where room is short, and goes with the login. */
export async function keepSentPhoto(
  keep: NonNullable<ClientDeps["keepMedia"]>,
  device: Pick<DeviceStore, "readBlob">,
  body: IntentBodies["message.photo"],
  record: unknown,
): Promise<void> {
  const row = isRecord(record) ? messageRow(record) : null;
  if (row === null) return;
  const mark = `?token=${cacheMark(body.userId)}`;
  const entries: KeptMedia[] = [];
  for (const [url, key] of [
    [row.imageUrl, body.files.file],
    [row.thumbnailUrl, body.files.thumbnail],
  ] as const) {
    const blob = url === "" || key === "" ? null : await device.readBlob(key);
    if (blob !== null) entries.push({ url: url + mark, blob, evictable: true });
  }
  await keep(entries);
}

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
