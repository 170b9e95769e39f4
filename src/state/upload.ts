/** Reads and redraws chosen files, and follows a queued upload to its end. Readers load late. */
import type { Client } from "@/data/client";
import type { Found, IntentView, MediaView, PreparedMedia } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import { convertiblePicture, DETECT_BYTES, detectFile } from "@/domain/media-files";
import { failed, type Result } from "@/domain/result";

const load = () => import("@/data/files/prepare");

export const prepareMedia = async (file: File): Promise<Result<PreparedMedia>> =>
  (await load()).prepareMedia(file);

export const shrinkPhoto = async (file: File): Promise<Result<PreparedMedia>> =>
  (await load()).shrinkPhoto(file);

/** Photos above this size are made smaller for a chat; others only lose their camera data. */
const CHAT_PHOTO_BYTES = 1_048_576;

/** Prepares a photo for a chat. Fails with `file_type` for a file that is no picture. */
export async function prepareChatPhoto(file: File): Promise<Result<PreparedMedia>> {
  const { prepareMedia: prepare, shrinkPhoto: shrink } = await load();
  const shrunk = file.size > CHAT_PHOTO_BYTES ? await shrink(file) : null;
  // A file that cannot be made smaller, such as an animation, is sent as it is if it fits.
  const answer = shrunk?.success ? shrunk : await prepare(file);
  return answer.success && answer.value.type !== "photo" ? failed("file_type") : answer;
}

/** A quick check of the size and the first bytes. Preparing the file checks all of it. */
export async function firstFault(file: File): Promise<ErrorCode | null> {
  if (file.size === 0) return "file_empty";
  try {
    const head = new Uint8Array(await file.slice(0, DETECT_BYTES).arrayBuffer());
    const detected = detectFile(head);
    if (detected === null) return convertiblePicture(head) === null ? "file_type" : null;
    if (detected.kind === "photo") return file.size > IMAGE_MAX_BYTES ? "image_too_large" : null;
    return file.size > VIDEO_MAX_BYTES ? "video_too_large" : null;
  } catch {
    // The file was moved or deleted after it was chosen.
    return "file_missing";
  }
}

export type UploadOutcome =
  | { state: "sending"; progress: number }
  /** Safe on this device; the server does not answer, or the person must sign in again. */
  | { state: "waiting" }
  | { state: "uploaded" }
  | { state: "refused"; code: ErrorCode; message: string };

export interface QueuedUpload {
  mediaId: string;
  intentId: string;
}

/** The outcome from the upload's row in the outbox, or from the medium when that is gone. */
export function uploadOutcome(
  item: IntentView | undefined,
  media: Found<MediaView>,
): UploadOutcome {
  if (item === undefined) {
    const pending = media.state === "found" ? media.value.pending : undefined;
    const isUploaded = pending === null || pending?.state === "acked";
    return isUploaded ? { state: "uploaded" } : { state: "sending", progress: 0 };
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

/** Calls back at once and at every change. Returns a function that stops it. */
export function followUpload(
  client: Client,
  upload: QueuedUpload,
  onOutcome: (outcome: UploadOutcome) => void,
): () => void {
  const outbox = client.outbox.watch();
  const media = client.reads.watchMedia(upload.mediaId);
  const look = () => {
    const item = outbox.getSnapshot().items.find((row) => row.id === upload.intentId);
    onOutcome(uploadOutcome(item, media.getSnapshot()));
  };
  const leaves = [outbox.subscribe(look), media.subscribe(look)];
  look();
  return () => {
    for (const leave of leaves) leave();
  };
}

/** How long a live value may lag behind the write, milliseconds. */
const RETRY_SEEN_MS = 1_000;

/** Tries a refused upload again, and waits until its row is no longer refused. */
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
