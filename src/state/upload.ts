/** Reads and redraws chosen files, and follows a queued upload to its end. Readers load late. */
import type { Client } from "@/data/client";
import type { ShrinkWatch } from "@/data/files/shrink-video";
import type { PictureLook } from "@/data/files/worker-tasks";
import type { Found, IntentView, MediaView, PreparedMedia } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import {
  type ConvertiblePicture,
  convertiblePicture,
  DETECT_BYTES,
  detectFile,
  foreignKind,
  isSequence,
} from "@/domain/media-files";
import { failed, ok, type Result } from "@/domain/result";

const load = () => import("@/data/files/prepare");

export const prepareMedia = async (file: File): Promise<Result<PreparedMedia>> =>
  (await load()).prepareMedia(file);

export const shrinkPhoto = async (file: File): Promise<Result<PreparedMedia>> =>
  (await load()).shrinkPhoto(file);

export const shrinkVideo = async (file: File, watch: ShrinkWatch): Promise<Result<PreparedMedia>> =>
  (await load()).shrinkVideo(file, watch);

export const judgePicture = async (file: File): Promise<Result<PictureLook>> =>
  (await load()).judgePicture(file);

export const smallPicture = async (file: File): Promise<Result<Blob>> =>
  (await load()).smallPicture(file);

export const lookAtVideo = async (file: File) => (await load()).lookAtVideo(file);

/** Photos above this size are made smaller for a chat; others only lose their camera data. */
const CHAT_PHOTO_BYTES = 1_048_576;

/** Prepares a photo for a chat. Fails with `file_type` for a file that is no picture. */
export async function prepareChatPhoto(file: File): Promise<Result<PreparedMedia>> {
  const { prepareMedia: prepare, shrinkPhoto: shrink, withWholeThumbnail } = await load();
  const shrunk = file.size > CHAT_PHOTO_BYTES ? await shrink(file) : null;
  // A file that cannot be made smaller, such as an animation, is sent as it is if it fits.
  const answer = shrunk?.success ? shrunk : await prepare(file);
  if (!answer.success) return answer;
  if (answer.value.type !== "photo") return failed("file_type");
  return ok(await withWholeThumbnail(answer.value));
}

/** What the size and the first bytes of a file tell. */
export type FirstLook =
  /** Whether it fits shows when its parts are counted. */
  | { state: "picture" }
  /** Its pictures are looked for next. */
  | { state: "video" }
  | { state: "unfit"; code: ErrorCode }
  /** A picture that we do not store: whether it can become a JPEG shows when it does. */
  | { state: "convertible"; format: ConvertiblePicture; isAnimation: boolean };

/** A quick check. Preparing the file checks all of it. */
export async function firstLook(file: File): Promise<FirstLook> {
  if (file.size === 0) return { state: "unfit", code: "file_empty" };
  try {
    const head = new Uint8Array(await file.slice(0, DETECT_BYTES).arrayBuffer());
    const detected = detectFile(head);
    const format = detected === null ? convertiblePicture(head) : null;
    if (format !== null) return { state: "convertible", format, isAnimation: isSequence(head) };
    if (detected === null) return { state: "unfit", code: typeFault(file, head) };
    return { state: detected.kind === "photo" ? "picture" : "video" };
  } catch {
    // The file was moved or deleted after it was chosen.
    return { state: "unfit", code: "file_missing" };
  }
}

function typeFault({ type }: File, head: Uint8Array): ErrorCode {
  const kind = foreignKind(head);
  if (kind !== null) return kind === "raw" ? "file_raw" : "file_video";
  return type.startsWith("audio/") ? "file_audio" : "file_type";
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
