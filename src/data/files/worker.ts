/**
 * The worker that looks into files: checks them, takes metadata out and makes renditions, away from the main thread.
 * One file at a time, because a decoded photo takes 50 MB.
 */
import type { ErrorCode } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import {
  convertiblePicture,
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
} from "@/domain/media-files";
import { cleanPicture, drawRenditions, lighten, reencodePicture } from "./pictures";
import { stripVideo } from "./strip-video";
import {
  type CleanFile,
  noRenditions,
  type WorkerAnswer,
  type WorkerRequest,
} from "./worker-client";

/** Largest photo that is read at all, to be stripped or shrunk. */
const READABLE_PHOTO_BYTES = 20 * IMAGE_MAX_BYTES;

/** Only workers have it, and the page's types therefore do not. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const reader = new FileReaderSync();
let last: Promise<void> = Promise.resolve();

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  last = last.then(() => answer(data).then((message) => postMessage(message)));
});

async function answer(request: WorkerRequest): Promise<WorkerAnswer> {
  const { id } = request;
  try {
    if (request.task === "draw") {
      const renditions = await drawFrame(request.frame);
      return { id, answer: "drawn", renditions };
    }
    if (request.task === "lighten") {
      return { id, answer: "lightened", preview: await lighten(request.preview) };
    }
    const outcome = await clean(request.file, request.shrink);
    return "code" in outcome
      ? { id, answer: "refused", code: outcome.code }
      : { id, answer: "clean", clean: outcome.clean };
  } catch (error) {
    return { id, answer: "refused", code: codeOf(error) };
  }
}

async function drawFrame(frame: ImageBitmap) {
  try {
    const picture = { source: frame, width: frame.width, height: frame.height };
    return await drawRenditions(picture, { preview: true });
  } finally {
    frame.close();
  }
}

async function clean(
  file: Blob,
  shrink: boolean,
): Promise<{ clean: CleanFile } | { code: ErrorCode }> {
  if (file.size === 0) return { code: "file_empty" };
  const head = readFrom(file)(0, DETECT_BYTES);
  const detected = detectFile(head);
  if (detected === null) {
    const convertible = convertiblePicture(head) !== null && file.size <= READABLE_PHOTO_BYTES;
    return convertible ? reencodePicture(file, null) : { code: "file_type" };
  }
  const tooLarge = sizeFault(file.size, detected);
  if (tooLarge) return { code: tooLarge };
  const fault = fileFault(readFrom(file), file.size, detected);
  if (fault) return { code: fault };
  if (detected.kind === "photo") {
    return shrink ? reencodePicture(file, detected) : cleanPicture(file, detected);
  }
  const none = { ...noRenditions("image_load_failed"), width: 0, height: 0 };
  return { clean: { file: stripVideo(readFrom(file), file, detected), detected, ...none } };
}

function sizeFault(size: number, detected: DetectedFile): ErrorCode | null {
  if (detected.kind === "video") return size > VIDEO_MAX_BYTES ? "video_too_large" : null;
  return size > READABLE_PHOTO_BYTES ? "image_too_large" : null;
}

/** Reads pieces of a file on demand, so that a video is never in memory as a whole. */
function readFrom(file: Blob) {
  return (offset: number, length: number): Uint8Array<ArrayBuffer> =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
}

/** The file went away while it was read (a card pulled out, a cloud file), or memory ran out. */
function codeOf(error: unknown): ErrorCode {
  return error instanceof DOMException && error.name === "NotFoundError"
    ? "file_missing"
    : "file_broken";
}
