/** Sends a queued file over tus, then makes a row of it. Each step may be repeated (law 2). */
import { type Answer, noAnswer, type Refusal, unsure } from "@/data/engine/answers";
import type { KeptMedia } from "@/data/engine/deps";
import type { Sending, Sent } from "@/data/engine/noun";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";

interface QueuedFile {
  key: string;
  originalFilename: string;
  contentType: string;
  userId: string;
}

interface Finish {
  path: string;
  form: (uploadId: string) => Promise<FormData>;
  /** Whether a 404 is about something other than the upload. */
  isFinal?: (refusal: Refusal) => boolean;
}

export async function sendAndFinish(
  sending: Sending,
  queued: QueuedFile,
  finish: Finish,
): Promise<Answer> {
  const stored = await sending.device.readBlob(queued.key);
  if (stored === null) return refusedHere("file_missing");
  // One that an earlier version queued may hold what only this one knows to take out.
  const isVideo = queued.contentType.startsWith("video/");
  const file = (isVideo ? await sending.strip?.(stored) : undefined) ?? stored;
  const sent = await sendWholeFile(sending, queued, file);
  if ("kind" in sent) return isOutOfStep(sent) ? startOver(sending, sent) : sent;
  if (sending.signal.aborted) return noAnswer("network");
  sending.onProgress(UPLOAD_PROGRESS_CAP);
  const uploadId = new URL(sent.uploadUrl).pathname.split("/").at(-1) ?? "";
  const answer = await sending.remote.request(finish.path, {
    method: "POST",
    body: await finish.form(uploadId),
  });
  if (answer.kind === "refusal" && finish.isFinal?.(answer)) return answer;
  // The upload expired, or the server lost it.
  return isGone(answer) ? startOver(sending, answer) : answer;
}

const isGone = (answer: Answer): boolean =>
  answer.kind === "refusal" && (answer.status === 404 || answer.status === 410);

/** The server's bytes differ from this device's count, so the next try asks for the position. */
const isOutOfStep = (answer: Answer): boolean =>
  isGone(answer) || (answer.kind === "refusal" && [409, 423, 460].includes(answer.status));

async function startOver({ replica, intentId }: Sending, answer: Answer): Promise<Answer> {
  if (isGone(answer)) await replica.uploads.bulkRemove([intentId]);
  return unsure(answer.status);
}

async function sendWholeFile(
  sending: Sending,
  { originalFilename, contentType, userId }: QueuedFile,
  blob: Blob,
): Promise<{ uploadUrl: string } | Answer> {
  const { intentId, createdAt, signal, onAnswer } = sending;
  const { uploads } = sending.replica;
  const known = await uploads.findOne(intentId).exec();
  // A finish whose answer was lost: the server has the file, perhaps no longer as an upload.
  if (known !== null && known.sentBytes === blob.size) return { uploadUrl: known.uploadUrl };
  const totalBytes = blob.size;
  const keep = (uploadUrl: string, sentBytes: number) =>
    uploads.incrementalUpsert({ id: intentId, uploadUrl, sentBytes, totalBytes });
  const metadata = {
    filename: originalFilename,
    filetype: contentType,
    originalName: originalFilename,
    uploader: userId,
    time: String(createdAt),
  };
  const { sendFile } = await import("./tus");
  const uploadUrl = known?.uploadUrl ?? null;
  const result = await sendFile(sending, { blob, uploadUrl, metadata, keep });
  if ("kind" in result) {
    // A stop by this device says nothing about the connection.
    if (!signal.aborted) onAnswer(result.kind !== "unknown" || result.ours);
    return result;
  }
  onAnswer(true);
  await keep(result.uploadUrl, totalBytes);
  return result;
}

const refusedHere = (code: ErrorCode): Refusal => ({
  kind: "refusal",
  status: 400,
  code,
  message: "",
  fields: {},
});

/** Keeps sent files on the device, where the service worker finds them. "" is no file. */
export async function keepSent(
  { keepMedia, device }: Sent,
  files: readonly { url: string; key: string }[],
  options: Pick<KeptMedia, "evictable"> = {},
): Promise<void> {
  if (keepMedia === undefined) return;
  const entries: KeptMedia[] = [];
  for (const { url, key } of files) {
    const blob = url === "" || key === "" ? null : await device.readBlob(key);
    if (blob !== null) entries.push({ url, blob, ...options });
  }
  await keepMedia(entries);
}
