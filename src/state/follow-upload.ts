/** One queued upload, followed until the server has it or refuses it. */
import type { Client } from "@/data/client";
import type { Found, IntentView, MediaView } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";

export type UploadFate =
  | { state: "sending"; progress: number }
  /** Safe on this device; nothing answers, or the person must sign in again. */
  | { state: "waiting" }
  | { state: "uploaded" }
  | { state: "refused"; code: ErrorCode; message: string };

export interface QueuedUpload {
  mediaId: string;
  intentId: string;
}

/** Its fate from its row in the queue, or, when that is gone, from the medium it became. */
export function uploadFate(item: IntentView | undefined, media: Found<MediaView>): UploadFate {
  if (item === undefined) {
    const pending = media.state === "found" ? media.value.pending : undefined;
    const there = pending === null || pending?.state === "acked";
    return there ? { state: "uploaded" } : { state: "sending", progress: 0 };
  }
  switch (item.state) {
    case "acked":
      return { state: "uploaded" };
    case "refused":
      return { state: "refused", code: item.code ?? "server", message: item.message };
    case "waiting":
    case "paused":
      return { state: "waiting" };
    case "queued":
    case "sending":
      return { state: "sending", progress: item.progress };
  }
}

/** Calls back at once and at every change. Returns how to stop. */
export function followUpload(
  client: Client,
  upload: QueuedUpload,
  onFate: (fate: UploadFate) => void,
): () => void {
  const outbox = client.outbox.watch();
  const media = client.reads.watchMedia(upload.mediaId);
  const look = () => {
    const item = outbox.getSnapshot().items.find((row) => row.id === upload.intentId);
    onFate(uploadFate(item, media.getSnapshot()));
  };
  const leaves = [outbox.subscribe(look), media.subscribe(look)];
  look();
  return () => {
    for (const leave of leaves) leave();
  };
}

/** A live value lags behind the write by a moment; longer than this it was refused anew. Milliseconds. */
const RETRY_SEEN_MS = 1_000;

/** Tries a refused upload again, and waits until its row no longer says what it said before. */
export async function retryUpload(client: Client, { intentId }: QueuedUpload): Promise<void> {
  const outbox = client.outbox.watch();
  const isRefused = () =>
    outbox.getSnapshot().items.some((row) => row.id === intentId && row.state === "refused");
  let leave = () => {};
  const moved = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, RETRY_SEEN_MS);
    leave = outbox.subscribe(() => {
      if (isRefused()) return;
      clearTimeout(timer);
      resolve();
    });
  });
  await client.outbox.retry(intentId);
  if (isRefused()) await moved;
  leave();
}
