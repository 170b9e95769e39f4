/**
 * Sends a queued file over tus and asks the server to make a row of it. Every step may be repeated; the id that was
 * made on this device lets the server make one row (law 2).
 */
import { type Answer, noAnswer, type Refusal } from "@/data/engine/answers";
import type { AbortReason } from "@/data/engine/drain";
import type { Sending } from "@/data/engine/noun";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";

export interface QueuedFile {
  /** Key in the device store. */
  key: string;
  originalFilename: string;
  contentType: string;
  userId: string;
}

export interface Finish {
  path: string;
  form: (uploadId: string) => Promise<FormData>;
  /** Whether a 404 speaks of something else than the upload. */
  isFinal?: (refusal: Refusal) => boolean;
}

export async function sendAndFinish(
  sending: Sending,
  queued: QueuedFile,
  finish: Finish,
): Promise<Answer> {
  const file = await sending.device.readBlob(queued.key);
  if (file === null) return refusedHere("file_missing");
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

/**
 * The server has other bytes than this device believes: a chunk arrived twice, its answer never came, or two were
 * written at once. The next try asks where the upload stands.
 */
const isOutOfStep = (answer: Answer): boolean =>
  isGone(answer) || (answer.kind === "refusal" && [409, 423, 460].includes(answer.status));

async function startOver({ replica, intentId }: Sending, answer: Answer): Promise<Answer> {
  if (isGone(answer)) await replica.uploads.bulkRemove([intentId]);
  return { kind: "unknown", status: answer.status, code: "server", ours: true, retryAfter: null };
}

async function sendWholeFile(
  sending: Sending,
  about: QueuedFile,
  file: Blob,
): Promise<{ uploadUrl: string } | Answer> {
  const { intentId, createdAt, signal, remote } = sending;
  const { uploads } = sending.replica;
  const known = await uploads.findOne(intentId).exec();
  // A finish whose answer was lost: the file is there, and perhaps no longer as an upload.
  if (known !== null && known.sentBytes === file.size) return { uploadUrl: known.uploadUrl };
  const totalBytes = file.size;
  const keep = (uploadUrl: string, sentBytes: number) =>
    uploads.incrementalUpsert({ id: intentId, uploadUrl, sentBytes, totalBytes });
  const { sendFile } = await import("./tus");
  const httpStack = await sending.httpStack?.();
  let stored: Promise<unknown> = Promise.resolve();
  const result = await sendFile({
    blob: file,
    endpoint: remote.address("/api/uploads"),
    uploadUrl: known?.uploadUrl ?? null,
    token: remote.token(),
    metadata: {
      filename: about.originalFilename,
      filetype: about.contentType,
      originalName: about.originalFilename,
      uploader: about.userId,
      time: String(createdAt),
    },
    signal,
    isDiscarded: () => signal.reason === ("discarded" satisfies AbortReason),
    ...(httpStack === undefined ? {} : { httpStack }),
    onUrl: (uploadUrl) => {
      stored = keep(uploadUrl, 0);
    },
    // Other tabs, and this one after a restart, know how far it is.
    onChunk: (sent, uploadUrl) => {
      stored = stored.then(() => keep(uploadUrl, Math.min(sent, totalBytes - 1)));
    },
    onProgress: (sent) =>
      sending.onProgress(Math.floor((UPLOAD_PROGRESS_CAP * sent) / Math.max(1, totalBytes))),
  });
  await stored;
  if ("kind" in result) {
    // What this device ended itself says nothing about the connection.
    if (!signal.aborted) sending.onAnswer(result.kind !== "unknown" || result.ours);
    return result;
  }
  sending.onAnswer(true);
  await keep(result.uploadUrl, totalBytes);
  return result;
}

/** A no of this device's own: nothing that the server could answer would help. */
const refusedHere = (code: ErrorCode): Refusal => ({
  kind: "refusal",
  status: 400,
  code,
  message: "",
  fields: {},
});
