/**
 * A photo made ready in the worker: stripped as it is, or re-encoded so that it fits, with its renditions. Files over the
 * limit are compressed by browser-image-compression. What it cannot do is re-encoded here: pictures of very many pixels,
 * formats that we do not store, chat photos larger than a screen, and everything on Safari, where it needs a document.
 */
import type { ErrorCode } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, PHOTO_MAX_PIXELS, PREVIEW_EDGE } from "@/domain/limits";
import { DETECT_BYTES, type DetectedFile, detectFile } from "@/domain/media-files";
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
const SHRUNK_QUALITIES = [0.85, 0.75, 0.6, 0.45] as const;
/**
 * The library decodes the whole picture and copies it to a canvas, 8 bytes a pixel: measured 219 MB at 24 megapixels,
 * 394 at 48, 812 at 100. A decode at reduced size takes 110 to 170 MB for all of them.
 */
const LIBRARY_MAX_PIXELS = 25_000_000;
const LIBRARY_OPTIONS = {
  maxSizeMB: IMAGE_MAX_BYTES / 1_048_576,
  maxWidthOrHeight: SHRUNK_EDGE,
  initialQuality: SHRUNK_QUALITIES[0],
  alwaysKeepResolution: true,
  fileType: "image/jpeg",
  // This is a worker already. One of the library's own is a blob, which our content security policy forbids.
  useWebWorker: false,
};

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

/**
 * A JPEG that fits, from a photo that is too large or of a type that we do not store. An animation is refused, because
 * one frame of it would be left.
 */
export async function reencodePicture(file: Blob, detected: DetectedFile | null): Promise<Cleaned> {
  const encoded = await readStill(file, detected);
  if (encoded === null) return { code: "image_too_large" };
  const compressed = detected && (await compressPicture(encoded, detected));
  if (compressed) return { clean: compressed };
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
  return { clean: { ...shrunk, detected: await detectJpeg(shrunk.file), ...renditions } };
}

async function detectJpeg(file: Blob): Promise<DetectedFile> {
  const detected = detectFile(new Uint8Array(await file.slice(0, DETECT_BYTES).arrayBuffer()));
  if (detected?.contentType !== "image/jpeg") throw new Error("encoded as JPEG, and is not one");
  return detected;
}

/** The library's work on a file over the limit. Null where it has none to do, or cannot do it. */
async function compressPicture(
  encoded: Encoded,
  { contentType }: DetectedFile,
): Promise<CleanFile | null> {
  const { file, header } = encoded;
  const fits = file.size <= IMAGE_MAX_BYTES;
  if (fits || header.width * header.height > LIBRARY_MAX_PIXELS) return null;
  const photo = new File([file], "photo", { type: contentType });
  const options = { ...LIBRARY_OPTIONS, exifOrientation: header.orientation };
  try {
    const { default: compress } = await import("browser-image-compression");
    // The library mostly waits for the browser's decoder and encoder, which leaves time for the renditions.
    const [made, renditions] = await Promise.all([
      compress(photo, options),
      decodePicture(encoded, PREVIEW_EDGE).then(
        (picture) => picture && renditionsOf(picture, true),
      ),
    ]);
    if (made.size > IMAGE_MAX_BYTES || renditions === null) return null;
    const bytes = new Uint8Array(await made.arrayBuffer());
    const { width, height } = readPictureHeader(bytes, "image/jpeg");
    return { file: made, detected: await detectJpeg(made), width, height, ...renditions };
  } catch {
    // Ignoring it: no document (Safari), no memory, or the library could not be loaded.
    return null;
  }
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
