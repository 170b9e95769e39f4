/**
 * Sends a queued file over tus and asks the server to make a row of it. Every step may be repeated; the id that was
 * made on this device lets the server make one row (law 2).
 */
import type { HttpStack } from "tus-js-client";
import { messageRow } from "@/data/chat/row";
import { type Answer, isRecord, noAnswer, type Refusal } from "@/data/engine/answers";
import type { ClientDeps, KeptMedia } from "@/data/engine/context";
import type { DeviceStore } from "@/data/engine/device-store";
import { DISCARDED } from "@/data/engine/drain";
import { cacheMark } from "@/data/engine/file-token";
import type { IntentBodies } from "@/data/engine/intents";
import type { Remote } from "@/data/engine/remote";
import type { Replica } from "@/data/engine/store";
import { mediaRow } from "@/data/media/row";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";

export interface SendFileDeps {
  remote: Remote;
  replica: Pick<Replica, "uploads">;
  device: Pick<DeviceStore, "readBlob">;
  /** Gives a preview in fewer bytes, or itself. */
  lighten?: ((preview: Blob) => Promise<Blob>) | undefined;
  /** Absent where the platform has XHR. */
  httpStack?: (() => Promise<HttpStack>) | undefined;
  /** Percent, at most `UPLOAD_PROGRESS_CAP`. */
  onProgress: (percent: number) => void;
  onAnswer: (ours: boolean) => void;
}

export interface QueuedFile {
  intentId: string;
  /** Key in the device store. */
  key: string;
  originalFilename: string;
  contentType: string;
  userId: string;
  createdAt: number;
  signal: AbortSignal;
}

export interface Finish {
  path: string;
  form: (uploadId: string) => Promise<FormData>;
  /** Whether a 404 speaks of something else than the upload. */
  isFinal?: (refusal: Refusal) => boolean;
}

export async function sendAndFinish(
  deps: SendFileDeps,
  queued: QueuedFile,
  finish: Finish,
): Promise<Answer> {
  const file = await deps.device.readBlob(queued.key);
  if (file === null) return refusedHere("file_missing");
  const sent = await sendWholeFile(deps, queued, file);
  if ("kind" in sent) return isOutOfStep(sent) ? beginAgain(deps, queued, sent) : sent;
  if (queued.signal.aborted) return noAnswer("network");
  deps.onProgress(UPLOAD_PROGRESS_CAP);
  const uploadId = new URL(sent.uploadUrl).pathname.split("/").at(-1) ?? "";
  const answer = await deps.remote.request(finish.path, {
    method: "POST",
    body: await finish.form(uploadId),
  });
  if (answer.kind === "refusal" && finish.isFinal?.(answer)) return answer;
  // The upload expired, or the server lost it: it is begun anew.
  return isGone(answer) ? beginAgain(deps, queued, answer) : answer;
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
  { replica }: SendFileDeps,
  { intentId }: QueuedFile,
  answer: Answer,
): Promise<Answer> {
  if (isGone(answer)) await replica.uploads.bulkRemove([intentId]);
  return { kind: "unknown", status: answer.status, code: "server", ours: true, retryAfter: null };
}

async function sendWholeFile(
  deps: SendFileDeps,
  { intentId, createdAt, signal, ...about }: QueuedFile,
  file: Blob,
): Promise<{ uploadUrl: string } | Answer> {
  const { uploads } = deps.replica;
  const known = await uploads.findOne(intentId).exec();
  // A finish whose answer was lost: the file is there, and perhaps no longer as an upload.
  if (known !== null && known.sentBytes === file.size) return { uploadUrl: known.uploadUrl };
  const totalBytes = file.size;
  const keep = (uploadUrl: string, sentBytes: number) =>
    uploads.incrementalUpsert({ id: intentId, uploadUrl, sentBytes, totalBytes });
  const { sendFile } = await import("./tus");
  const httpStack = await deps.httpStack?.();
  let stored: Promise<unknown> = Promise.resolve();
  const result = await sendFile({
    blob: file,
    endpoint: deps.remote.address("/api/uploads"),
    uploadUrl: known?.uploadUrl ?? null,
    token: deps.remote.token(),
    metadata: {
      filename: about.originalFilename,
      filetype: about.contentType,
      originalName: about.originalFilename,
      uploader: about.userId,
      time: String(createdAt),
    },
    signal,
    isDiscarded: () => signal.reason === DISCARDED,
    ...(httpStack === undefined ? {} : { httpStack }),
    onUrl: (uploadUrl) => {
      stored = keep(uploadUrl, 0);
    },
    // Other tabs, and this one after a restart, know how far it is.
    onChunk: (sent, uploadUrl) => {
      stored = stored.then(() => keep(uploadUrl, Math.min(sent, totalBytes - 1)));
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

/** A no of this device's own: nothing that the server could answer would help. */
const refusedHere = (code: ErrorCode): Refusal => ({
  kind: "refusal",
  status: 400,
  code,
  message: "",
  fields: {},
});

/** Sends a queued medium: its file over tus, then the finish with the renditions. */

export interface MediaToSend {
  intentId: string;
  body: IntentBodies["media.create"];
  createdAt: number;
  signal: AbortSignal;
}

export function sendMedia(deps: SendFileDeps, { body, ...queued }: MediaToSend): Promise<Answer> {
  const { originalFilename, contentType, userId } = body;
  return sendAndFinish(
    deps,
    { ...queued, key: body.files.file, originalFilename, contentType, userId },
    { path: "/api/media", form: (uploadId) => mediaForm(deps, body, uploadId) },
  );
}

async function mediaForm(
  { device, lighten }: Pick<SendFileDeps, "device" | "lighten">,
  body: IntentBodies["media.create"],
  uploadId: string,
): Promise<FormData> {
  const form = new FormData();
  const fields = {
    id: body.mediaId,
    uploadId,
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
  const read = async (key: string) => (key === "" ? null : device.readBlob(key));
  const [thumbnail, preview] = [await read(body.files.thumbnail), await read(body.files.preview)];
  if (thumbnail !== null) form.set("thumbnail", thumbnail, "thumbnail");
  if (preview !== null) {
    // Ignoring a failure: it is as good as it is.
    const light = await lighten?.(preview).catch(() => preview);
    form.set("preview", light ?? preview, "preview");
  }
  return form;
}

/** Sends a queued photo message: its file over tus, then the finish that makes the message. */

export interface PhotoMessageToSend {
  intentId: string;
  body: IntentBodies["message.photo"];
  createdAt: number;
  signal: AbortSignal;
}

export function sendPhotoMessage(
  deps: SendFileDeps,
  { body, ...queued }: PhotoMessageToSend,
): Promise<Answer> {
  const { originalFilename, contentType, userId } = body;
  return sendAndFinish(
    deps,
    { ...queued, key: body.files.file, originalFilename, contentType, userId },
    {
      path: "/api/messages/photo",
      form: (uploadId) => photoForm(deps, body, uploadId),
      isFinal: speaksOfTheChat,
    },
  );
}

/** The conversation or the other person is gone, and not the upload (pb_hooks/src/chat.ts). */
const speaksOfTheChat = ({ status, code, message }: Refusal): boolean =>
  status === 404 && (code === "gone" || message === "Conversation not found");

async function photoForm(
  { device }: Pick<SendFileDeps, "device">,
  body: IntentBodies["message.photo"],
  uploadId: string,
): Promise<FormData> {
  const form = new FormData();
  const fields = {
    id: body.messageId,
    uploadId,
    conversationId: body.conversationId,
    message: body.text,
    timestamp: String(body.timestamp),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const key = body.files.thumbnail;
  const thumbnail = key === "" ? null : await device.readBlob(key);
  if (thumbnail !== null) form.set("thumbnail", thumbnail, "thumbnail.jpg");
  return form;
}

/** One's own sent files stay on the device, where the service worker serves them offline. */

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
