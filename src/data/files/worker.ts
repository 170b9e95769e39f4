/** The worker for files. One file at a time, because a decoded photo takes 50 MB. */
import type { Bytes } from "@/domain/bytes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import { convertiblePicture, DETECT_BYTES, detectFile, fileFault } from "@/domain/media-files";
import { failed, ok, type Result } from "@/domain/result";
import { cleanPicture, compressPreview, drawable, reencodePicture, renditionsOf } from "./pictures";
import { stripVideo } from "./strip-video";
import {
  type CleanFile,
  noRenditions,
  type WorkerAnswer,
  type WorkerRequest,
  type WorkerTask,
} from "./worker-client";

/** The largest photo that is read at all, to be stripped or shrunk. */
const READABLE_PHOTO_BYTES = 20 * IMAGE_MAX_BYTES;

/** Only workers have it, so the page's types lack it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const reader = new FileReaderSync();
let last: Promise<void> = Promise.resolve();

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  last = last.then(async () => {
    const result = await run(data).catch((error: unknown) => failed(codeOf(error)));
    postMessage({ id: data.id, result } satisfies WorkerAnswer);
  });
});

async function run(task: WorkerTask): Promise<WorkerAnswer["result"]> {
  switch (task.task) {
    case "clean":
      return clean(task.file, task.shrink);
    case "draw":
      return ok(await renditionsOf(drawable(task.frame), true));
    case "compress":
      return ok(await compressPreview(task.preview));
  }
}

async function clean(file: Blob, shrink: boolean): Promise<Result<CleanFile>> {
  if (file.size === 0) return failed("file_empty");
  const read = readerOf(file);
  const head = read(0, DETECT_BYTES);
  const detected = detectFile(head);
  if (detected === null) {
    const convertible = convertiblePicture(head) !== null && file.size <= READABLE_PHOTO_BYTES;
    return convertible ? reencodePicture(file, null) : failed("file_type");
  }
  const isPhoto = detected.kind === "photo";
  if (file.size > (isPhoto ? READABLE_PHOTO_BYTES : VIDEO_MAX_BYTES)) {
    return failed(isPhoto ? "image_too_large" : "video_too_large");
  }
  const fault = fileFault(read, file.size, detected);
  if (fault) return failed(fault);
  if (isPhoto) return shrink ? reencodePicture(file, detected) : cleanPicture(file, detected);
  const none = { ...noRenditions("image_load_failed"), width: 0, height: 0 };
  return ok({ file: stripVideo(read, file, detected), detected, ...none });
}

/** Reads pieces of a file on demand, so that a video is never in memory as a whole. */
function readerOf(file: Blob) {
  return (offset: number, length: number): Bytes =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
}

/** The file disappeared while it was read (a removed card, a cloud file), or memory ran out. */
const codeOf = (error: unknown) =>
  error instanceof DOMException && error.name === "NotFoundError" ? "file_missing" : "file_broken";
