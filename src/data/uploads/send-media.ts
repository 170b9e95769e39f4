/**
 * Sends a queued medium: its file over tus, then the finish with the renditions. Every step may be repeated;
 * the id that was made on this device lets the server make one row of it (law 2).
 */
import type { HttpStack } from "tus-js-client";
import { DISCARDED } from "@/data/outbox/create-sender";
import type { IntentBodies } from "@/data/outbox/intents";
import { type Answer, noAnswer, type Refusal } from "@/data/remote/answers";
import type { Remote } from "@/data/remote/create-remote";
import type { DeviceStore } from "@/data/replica/device-store";
import type { Replica } from "@/data/replica/open-replica";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";

export interface SendMediaDeps {
  remote: Remote;
  replica: Pick<Replica, "uploads">;
  device: Pick<DeviceStore, "readBlob">;
  /** Absent where the platform has XHR. */
  httpStack?: (() => Promise<HttpStack>) | undefined;
  /** Percent, at most `UPLOAD_PROGRESS_CAP`. */
  onProgress: (percent: number) => void;
  onAnswer: (ours: boolean) => void;
}

export interface MediaToSend {
  intentId: string;
  body: IntentBodies["media.create"];
  createdAt: number;
  signal: AbortSignal;
}

export async function sendMedia(deps: SendMediaDeps, media: MediaToSend): Promise<Answer> {
  const file = await deps.device.readBlob(media.body.files.file);
  if (file === null) return refusedHere("file_missing");
  const sent = await sendWholeFile(deps, media, file);
  if ("kind" in sent) return isOutOfStep(sent) ? beginAgain(deps, media, sent) : sent;
  if (media.signal.aborted) return noAnswer("network");
  deps.onProgress(UPLOAD_PROGRESS_CAP);
  const answer = await deps.remote.request("/api/media", {
    method: "POST",
    body: await finishForm(deps, media.body, sent.uploadUrl),
  });
  // The upload expired, or the server lost it: it is begun anew.
  return isGone(answer) ? beginAgain(deps, media, answer) : answer;
}

const isGone = (answer: Answer): boolean =>
  answer.kind === "refusal" && (answer.status === 404 || answer.status === 410);

/**
 * The server has other bytes than this device believes: a chunk arrived twice, its answer never came, or two were
 * written at once. The next try asks where the upload stands.
 */
const isOutOfStep = (answer: Answer): boolean =>
  isGone(answer) || (answer.kind === "refusal" && [409, 423, 460].includes(answer.status));

async function beginAgain(
  { replica }: SendMediaDeps,
  { intentId }: MediaToSend,
  answer: Answer,
): Promise<Answer> {
  if (isGone(answer)) await replica.uploads.bulkRemove([intentId]);
  return { kind: "unknown", status: answer.status, code: "server", ours: true, retryAfter: null };
}

async function sendWholeFile(
  deps: SendMediaDeps,
  { intentId, body, createdAt, signal }: MediaToSend,
  file: Blob,
): Promise<{ uploadUrl: string } | Answer> {
  const { uploads } = deps.replica;
  const known = await uploads.findOne(intentId).exec();
  // A finish whose answer was lost: the file is there, and perhaps no longer as an upload.
  if (known !== null && known.sentBytes === file.size) return { uploadUrl: known.uploadUrl };
  const totalBytes = file.size;
  const keep = (uploadUrl: string, sentBytes: number) =>
    uploads.incrementalUpsert({ id: intentId, uploadUrl, sentBytes, totalBytes });
  const { sendFile } = await import("./send-file");
  const httpStack = await deps.httpStack?.();
  let stored: Promise<unknown> = Promise.resolve();
  const result = await sendFile({
    blob: file,
    endpoint: deps.remote.address("/api/uploads"),
    uploadUrl: known?.uploadUrl ?? null,
    token: deps.remote.token(),
    metadata: {
      filename: body.originalFilename,
      filetype: body.contentType,
      originalName: body.originalFilename,
      uploader: body.userId,
      time: String(createdAt),
    },
    signal,
    isDiscarded: () => signal.reason === DISCARDED,
    ...(httpStack === undefined ? {} : { httpStack }),
    onUrl: (uploadUrl) => {
      stored = keep(uploadUrl, 0);
    },
    onProgress: (sent) =>
      deps.onProgress(Math.floor((UPLOAD_PROGRESS_CAP * sent) / Math.max(1, totalBytes))),
  });
  await stored;
  if ("kind" in result) {
    // What this device ended itself says nothing about the connection.
    if (!signal.aborted) deps.onAnswer(result.kind !== "unknown" || result.ours);
    return result;
  }
  deps.onAnswer(true);
  await keep(result.uploadUrl, totalBytes);
  return result;
}

async function finishForm(
  { device }: SendMediaDeps,
  body: IntentBodies["media.create"],
  uploadUrl: string,
): Promise<FormData> {
  const form = new FormData();
  const fields = {
    id: body.mediaId,
    uploadId: new URL(uploadUrl).pathname.split("/").at(-1) ?? "",
    caption: body.caption,
    tags: JSON.stringify(body.tags),
    alt: body.alt,
    type: body.type,
    width: String(body.width),
    height: String(body.height),
    duration: String(body.duration),
    thumbhash: body.thumbhash,
    originalFilename: body.originalFilename,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const name of ["thumbnail", "preview"] as const) {
    const blob = body.files[name] === "" ? null : await device.readBlob(body.files[name]);
    if (blob !== null) form.set(name, blob, `${name}.jpg`);
  }
  return form;
}

/** A no of this device's own: nothing that the server could answer would help. */
const refusedHere = (code: ErrorCode): Refusal => ({
  kind: "refusal",
  status: 400,
  code,
  message: "",
  fields: {},
});
