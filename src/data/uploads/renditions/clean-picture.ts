/** A photo made ready in the worker: stripped or re-encoded, with its renditions from one decode. */
import type { ErrorCode } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, PHOTO_MAX_PIXELS, PREVIEW_EDGE } from "@/domain/limits";
import { type DetectedFile, detectFile } from "@/domain/media-files";
import type { Bytes } from "./bytes";
import { type Decoded, decodePicture, type Encoded, shownSize } from "./decode";
import { type Drawable, drawRenditions, encodeJpeg, scaledTo } from "./draw";
import type { CleanFile, Renditions } from "./protocol";
import { isAnimatedGif } from "./strip-gif";
import { readPictureHeader, stripPicture } from "./strip-picture";
import { readWebpHeader } from "./strip-webp";

/** A file of at most this many bytes, no larger than a preview, is its own preview. */
const OWN_PREVIEW_BYTES = 512 * 1024;
/** Longest edge of a shrunk photo: sharp on any screen, and within the limit at a good quality. */
const SHRUNK_EDGE = 2560;
/** Tried one after another until the photo fits. */
const SHRUNK_QUALITIES = [0.85, 0.75, 0.6, 0.45];

type Cleaned = { clean: CleanFile } | { code: ErrorCode };

/** Metadata out, pixels untouched. The decode proves that it can be shown. */
export async function cleanPicture(file: Blob, detected: DetectedFile): Promise<Cleaned> {
  const bytes: Bytes = new Uint8Array(await file.arrayBuffer());
  const stripped = stripPicture(bytes, detected.contentType);
  if (stripped.size > IMAGE_MAX_BYTES) return { code: "image_too_large" };
  const header = readPictureHeader(bytes, detected.contentType);
  const [width, height] = shownSize(header);
  const isJpeg = detected.contentType === "image/jpeg";
  if (width * height > PHOTO_MAX_PIXELS) return { code: "image_too_large" };
  const jpeg = isJpeg ? bytes : null;
  const picture = await decodePicture({ file: stripped, header, jpeg }, PREVIEW_EDGE);
  if (picture === null) return { code: "file_broken" };
  const large = Math.max(width, height) > PREVIEW_EDGE || stripped.size > OWN_PREVIEW_BYTES;
  const preview = large || isAnimated(bytes, detected);
  const renditions = await renditionsOf(picture, preview);
  return { clean: { file: stripped, detected, width, height, ...renditions } };
}

/** A JPEG that fits, from a photo that is too large or of a type that we do not store. An animation stays what it is. */
export async function reencodePicture(file: Blob, detected: DetectedFile | null): Promise<Cleaned> {
  const encoded = await readStill(file, detected);
  if (encoded === null) return { code: "image_too_large" };
  const picture = await decodePicture(encoded, SHRUNK_EDGE);
  if (picture === null) return { code: detected === null ? "file_heic" : "file_broken" };
  const canvas = scaledTo(picture, SHRUNK_EDGE);
  picture.close();
  if (canvas === null) return { code: "canvas_unavailable" };
  // The browser encodes on a thread of its own, and what is drawn meanwhile costs no time.
  const [shrunk, renditions] = await Promise.all([
    shrink(canvas),
    drawRenditions(drawableOf(canvas), { preview: true }),
  ]);
  if (shrunk === null) return { code: "image_too_large" };
  const jpeg = detectFile(new Uint8Array(await shrunk.file.slice(0, 64).arrayBuffer()));
  if (jpeg === null) throw new Error("a JPEG of ours is none");
  return { clean: { ...shrunk, detected: jpeg, ...renditions } };
}

/** What the decoder needs, the size 0 by 0 where only it can tell; null for an animation. */
async function readStill(file: Blob, detected: DetectedFile | null): Promise<Encoded | null> {
  if (detected === null) {
    return { file, header: { width: 0, height: 0, orientation: 1 }, jpeg: null };
  }
  const { contentType } = detected;
  const bytes: Bytes = new Uint8Array(await file.arrayBuffer());
  if (isAnimated(bytes, detected)) return null;
  const header = readPictureHeader(bytes, contentType);
  return { file, header, jpeg: contentType === "image/jpeg" ? bytes : null };
}

/** An animation: its renditions are its first frame, and stand still. */
function isAnimated(bytes: Bytes, { contentType }: DetectedFile): boolean {
  if (contentType === "image/gif") return isAnimatedGif(bytes);
  return contentType === "image/webp" && readWebpHeader(bytes).animated;
}

async function shrink(
  whole: OffscreenCanvas,
): Promise<{ file: Blob; width: number; height: number } | null> {
  for (const edge of [Infinity, SHRUNK_EDGE / 2]) {
    const canvas = edge === Infinity ? whole : scaledTo(drawableOf(whole), edge);
    if (canvas === null) return null;
    for (const quality of SHRUNK_QUALITIES) {
      const file = await encodeJpeg(canvas, quality);
      if (file && file.size <= IMAGE_MAX_BYTES) {
        return { file, width: canvas.width, height: canvas.height };
      }
    }
  }
  return null;
}

const drawableOf = (source: OffscreenCanvas): Drawable => ({
  source,
  width: source.width,
  height: source.height,
});

async function renditionsOf(picture: Decoded, preview: boolean): Promise<Renditions> {
  try {
    return await drawRenditions(picture, { preview });
  } finally {
    picture.close();
  }
}
