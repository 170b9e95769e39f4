/**
 * A photo made ready in the worker: stripped as it is, or re-encoded so that it fits, with its renditions. Files over the
 * limit are compressed by browser-image-compression. What it cannot do is re-encoded here: pictures of very many pixels,
 * formats that we do not store, chat photos larger than a screen, and everything on Safari, where it needs a document.
 */
import { rgbaToThumbHash } from "thumbhash";
import type { Bytes } from "@/domain/bytes";
import type { ErrorCode } from "@/domain/error-codes";
import {
  IMAGE_MAX_BYTES,
  PHOTO_MAX_PIXELS,
  PREVIEW_EDGE,
  THUMBNAIL_EDGE,
  THUMBNAIL_QUALITY,
} from "@/domain/limits";
import { DETECT_BYTES, type DetectedFile, detectFile } from "@/domain/media-files";
import {
  isAnimatedGif,
  isSideways,
  type PictureHeader,
  readPictureHeader,
  readWebpHeader,
  stripPicture,
} from "./strip-picture";
import { type CleanFile, noRenditions, type Renditions } from "./worker-client";

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

/** One decode of a picture, at the size that its use needs. Runs in a worker. */

export interface Decoded extends Drawable {
  close: () => void;
}

export interface Encoded {
  file: Blob;
  header: PictureHeader;
  /** The whole of a JPEG, where it was read already. */
  jpeg: Bytes | null;
}

/**
 * Decodes to `edge` pixels or more on the longest side, less where the picture is smaller. Null where this browser
 * cannot decode it. `edge` Infinity asks for the whole picture.
 */
export async function decodePicture(encoded: Encoded, edge: number): Promise<Decoded | null> {
  const { file, header, jpeg } = encoded;
  const scale = Math.min(1, edge / Math.max(header.width, header.height, 1));
  if (scale < 1 && jpeg !== null) {
    const reduced = await decodeReduced(jpeg, header, scale);
    if (reduced) return reduced;
  }
  return decodeBitmap(file, header, scale);
}

/** A JPEG can be decoded at a part of its size, in a part of the time, where the browser lets us. */
async function decodeReduced(
  jpeg: Bytes,
  header: PictureHeader,
  scale: number,
): Promise<Decoded | null> {
  if (typeof ImageDecoder === "undefined") return null;
  // Decoders know eighths and take the next smaller one of any other wish; halves of halves are the fast ones.
  const part = 2 ** Math.ceil(Math.log2(Math.max(scale, 1 / 8)));
  const decoder = new ImageDecoder({
    data: jpeg,
    type: "image/jpeg",
    desiredWidth: Math.ceil(header.width * part),
    desiredHeight: Math.ceil(header.height * part),
  });
  try {
    const { image } = await decoder.decode();
    return {
      source: image,
      width: image.displayWidth,
      height: image.displayHeight,
      close: () => image.close(),
    };
  } catch {
    // The other decoder has the last word.
    return null;
  } finally {
    decoder.close();
  }
}

async function decodeBitmap(
  file: Blob,
  header: PictureHeader,
  scale: number,
): Promise<Decoded | null> {
  try {
    const bitmap = await createImageBitmap(file, resizeTo(header, scale));
    return {
      source: bitmap,
      width: bitmap.width,
      height: bitmap.height,
      close: () => bitmap.close(),
    };
  } catch {
    // Not decodable here: the caller decides what that means.
    return null;
  }
}

function resizeTo(header: PictureHeader, scale: number): ImageBitmapOptions {
  if (scale >= 1 || header.width === 0) return {};
  const [width, height] = shownSize(header);
  return {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
    resizeQuality: "high",
  };
}

/** Width and height as the picture is shown. */
export function shownSize(header: PictureHeader): [width: number, height: number] {
  const { width, height, orientation } = header;
  return isSideways(orientation) ? [height, width] : [width, height];
}

/** Drawing in a worker: from one decoded picture the thumbnail, the preview and the thumbhash. */

/** What a canvas can draw, with the size it is shown at. */
export interface Drawable {
  source: ImageBitmap | VideoFrame | OffscreenCanvas;
  width: number;
  height: number;
}

const PREVIEW_QUALITY = 0.82;
/** Against the scaled original a WebP of this quality looks like a JPEG of the other (SSIM 0.98), in less than half the bytes. */
const LIGHT_QUALITY = 0.8;
/** thumbhash looks at no more than this. */
const HASH_EDGE = 100;

/** Failed renditions are none, with the reason: the original is shown instead (specification §8). */
export async function drawRenditions(
  picture: Drawable,
  options: { preview: boolean },
): Promise<Renditions> {
  if (typeof OffscreenCanvas === "undefined") return noRenditions("canvas_unavailable");
  const reduced = scaledTo(picture, PREVIEW_EDGE);
  if (reduced === null) return noRenditions("canvas_unavailable");
  const small = cover(reduced, THUMBNAIL_EDGE);
  if (small === null) return noRenditions("canvas_unavailable");
  const [thumbnail, preview] = await Promise.all([
    encodeJpeg(small, THUMBNAIL_QUALITY),
    options.preview ? encodeJpeg(reduced, PREVIEW_QUALITY) : null,
  ]);
  if (thumbnail === null) return noRenditions("thumbnail_failed");
  return { thumbnail, preview, thumbhash: hashOf(reduced), fault: null };
}

/** The picture on white, its longest edge at most `edge`. */
export function scaledTo(picture: Drawable, edge: number): OffscreenCanvas | null {
  const scale = Math.min(1, edge / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const board = whiteBoard(width, height);
  board?.context.drawImage(picture.source, 0, 0, width, height);
  return board?.canvas ?? null;
}

/** A square of the picture's middle, on white. */
function cover(source: OffscreenCanvas, edge: number): OffscreenCanvas | null {
  const scale = Math.max(edge / source.width, edge / source.height);
  const width = source.width * scale;
  const height = source.height * scale;
  const board = whiteBoard(edge, edge);
  board?.context.drawImage(source, (edge - width) / 2, (edge - height) / 2, width, height);
  return board?.canvas ?? null;
}

function whiteBoard(width: number, height: number) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (context === null) return null;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  return { canvas, context };
}

export const encodeJpeg = (canvas: OffscreenCanvas, quality: number): Promise<Blob | null> =>
  encode(canvas, { type: "image/jpeg", quality });

/**
 * A preview in fewer bytes, for all who will fetch it; as it is where this browser cannot make it lighter. Encoding WebP takes
 * longer than everything else about a photo: that may happen while it is sent, not while somebody waits for it.
 */
export async function lighten(preview: Blob): Promise<Blob> {
  const source = await createImageBitmap(preview).catch(() => null);
  if (source === null) return preview;
  const { width, height } = source;
  const canvas = scaledTo({ source, width, height }, PREVIEW_EDGE);
  source.close();
  const light = canvas && (await encode(canvas, { type: "image/webp", quality: LIGHT_QUALITY }));
  return light !== null && light.size < preview.size ? light : preview;
}

/** Null where the browser made something else: some answer with PNG, or nothing, without a word. */
async function encode(
  canvas: OffscreenCanvas,
  wanted: { type: string; quality: number },
): Promise<Blob | null> {
  try {
    const blob = await canvas.convertToBlob(wanted);
    return blob.type === wanted.type && blob.size > 0 ? blob : null;
  } catch {
    // Too large for this browser, or out of memory: the caller says what that means.
    return null;
  }
}

function hashOf(source: OffscreenCanvas): string {
  const picture = { source, width: source.width, height: source.height };
  const canvas = scaledTo(picture, HASH_EDGE);
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return "";
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return btoa(String.fromCharCode(...rgbaToThumbHash(canvas.width, canvas.height, data)));
}
