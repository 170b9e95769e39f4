/** The worker for files. One file at a time, because a decoded photo takes 50 MB. */
import type { Bytes } from "@/domain/bytes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import {
  convertiblePicture,
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
  jpegBreak,
} from "@/domain/media-files";
import { statedPixels } from "@/domain/pictures";
import { failed, ok, type Result } from "@/domain/result";
import { videoFacts } from "@/domain/video-facts";
import { canShrinkPicture, pictureFault } from "@/domain/what-fits";
import {
  cleanPicture,
  compressPreview,
  convertPicture,
  detectJpeg,
  drawable,
  reducePicture,
  reencodePicture,
  renditionsOf,
} from "./pictures";
import { isAnimated, strippedSize } from "./strip-picture";
import { stripVideo } from "./strip-video";
import {
  type CleanFile,
  noRenditions,
  type PictureLook,
  type SeenVideo,
  type WorkerAnswer,
  type WorkerRequest,
  type WorkerTask,
} from "./worker-tasks";

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
    case "look":
      return look(task.file);
    case "judge":
      return judge(task.picture);
    case "draw":
      return ok(await renditionsOf(drawable(task.frame), true));
    case "compress":
      return ok(await compressPreview(task.preview));
    case "strip":
      return ok(strip(task.video));
    case "reduce":
    case "show":
      return reduce(task.picture, task.task === "show");
  }
}

async function clean(file: Blob, shrink: boolean): Promise<Result<CleanFile>> {
  if (file.size === 0) return failed("file_empty");
  const read = readerOf(file);
  const head = read(0, DETECT_BYTES);
  const detected = detectFile(head);
  if (detected === null) return cleanOther(file, head, shrink);
  if (detected.kind === "video") return cleanVideo(file);
  if (file.size > READABLE_PHOTO_BYTES) return failed("cannot_shrink");
  const fault = fileFault(read, file.size, detected);
  const ended = fault === null ? null : withEnd(file, detected);
  if (ended !== null) return clean(ended, shrink);
  if (fault) return failed(fault);
  return shrink ? reencodePicture(file, detected) : cleanPicture(file, detected);
}

const END = Uint8Array.of(0xff, 0xd9);

/** A JPEG that breaks off, with an end; null for what would not be whole with one either. */
function withEnd(file: Blob, detected: DetectedFile): Blob | null {
  if (detected.contentType !== "image/jpeg") return null;
  const at = jpegBreak(readerOf(file), file.size);
  if (at === null) return null;
  const ended = new Blob([file.slice(0, at), END], { type: detected.contentType });
  return fileFault(readerOf(ended), ended.size, detected) === null ? ended : null;
}

/** Whether a picture is whole and fits once it is stripped, or what is wrong. Decodes nothing. */
function judge(file: Blob): Result<PictureLook> {
  const read = readerOf(file);
  const detected = detectFile(read(0, DETECT_BYTES));
  if (detected?.kind !== "photo") return failed("file_type");
  const { contentType } = detected;
  const pixels = statedPixels(read, file.size, detected);
  const isHeavy = file.size > IMAGE_MAX_BYTES;
  const bytes = isHeavy ? strippedSize(read, file.size, contentType) : file.size;
  const fits = pictureFault({ bytes, pixels, isAnimated: false }) === null;
  const broken = fileFault(read, file.size, detected);
  const isCut = broken !== null && withEnd(file, detected) !== null;
  if (broken !== null && !isCut) return failed(broken);
  if (fits) return ok({ isCut });
  const fault = pictureFault({ bytes, pixels, isAnimated: isAnimated(read, file.size, detected) });
  if (fault !== "animation_too_large" && file.size > READABLE_PHOTO_BYTES) {
    return failed("cannot_shrink");
  }
  return fault === null ? ok({ isCut }) : failed(fault);
}

async function reduce(file: Blob, mayBeItself: boolean): Promise<Result<Blob>> {
  const detected = detectFile(readerOf(file)(0, DETECT_BYTES));
  if (detected?.kind !== "photo" || file.size > READABLE_PHOTO_BYTES) return failed("file_type");
  return reducePicture(file, detected, mayBeItself);
}

function cleanVideo(file: Blob): Result<CleanFile> {
  const seen = look(file);
  if (!seen.success) return seen;
  const { width, height, duration, detected, bytes } = seen.value;
  if (bytes > VIDEO_MAX_BYTES) return failed("video_too_large");
  const none = noRenditions("image_load_failed");
  const stripped = stripVideo(readerOf(file), file, detected);
  return ok({ file: stripped, detected, width, height, duration, ...none });
}

function look(file: Blob): Result<SeenVideo> {
  const read = readerOf(file);
  const detected = detectFile(read(0, DETECT_BYTES));
  if (detected?.kind !== "video") return failed("file_type");
  const fault = fileFault(read, file.size, detected);
  if (fault) return failed(fault);
  const facts = videoFacts(read, file.size, detected.contentType);
  if (!facts.hasPictures) return failed("file_audio");
  return ok({ ...facts, detected, bytes: file.size });
}

/** A picture that we do not store, as a JPEG. `prepare.ts` knows what else to try. */
async function cleanOther(file: Blob, head: Bytes, shrink: boolean): Promise<Result<CleanFile>> {
  const format = convertiblePicture(head);
  if (format === null) return failed("file_type");
  if (file.size > READABLE_PHOTO_BYTES) return failed("cannot_shrink");
  const jpeg = await convertPicture(file);
  if (jpeg === null) return failed(format === "heic" ? "file_heic" : "file_unreadable");
  const detected = await detectJpeg(jpeg);
  const whole = shrink ? null : await cleanPicture(jpeg, detected);
  const isDone = whole !== null && (whole.success || !canShrinkPicture(whole.error));
  return isDone ? whole : reencodePicture(jpeg, detected);
}

function strip(video: Blob): Blob {
  const read = readerOf(video);
  const detected = detectFile(read(0, DETECT_BYTES));
  return detected === null ? video : stripVideo(read, video, detected);
}

/** Reads pieces of a file on demand, so that a video is never in memory as a whole. */
function readerOf(file: Blob) {
  return (offset: number, length: number): Bytes =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
}

/** The file disappeared or was changed (a removed card, a cloud file); else memory ran out. */
const codeOf = (error: unknown) =>
  error instanceof DOMException && GONE.includes(error.name) ? "file_missing" : "file_broken";

const GONE = ["NotFoundError", "NotReadableError"];
