/**
 * Prepares a photo in the worker: strips or re-encodes it, and draws its renditions. Formats that
 * we do not store become JPEG first.
 */
import { rgbaToThumbHash } from "thumbhash";
import type { Bytes } from "@/domain/bytes";
import { IMAGE_MAX_BYTES, PREVIEW_EDGE, THUMBNAIL_EDGE, THUMBNAIL_QUALITY } from "@/domain/limits";
import { DETECT_BYTES, type DetectedFile, detectFile } from "@/domain/media-files";
import { statedPixels } from "@/domain/pictures";
import { failed, ok, type Result } from "@/domain/result";
import { pictureFault } from "@/domain/what-fits";
import {
  isAnimated,
  isSideways,
  type PictureHeader,
  readPictureHeader,
  stripPicture,
} from "./strip-picture";
import { type CleanFile, noRenditions, type Renditions } from "./worker-tasks";

/** A file of at most this many bytes, no larger than a preview, is its own preview. */
const OWN_PREVIEW_BYTES = 512 * 1024;
/** Longest edge of a shrunk photo: sharp on any screen, and within the limit at a good quality. */
const SHRUNK_EDGE = 2560;
const SHRUNK_QUALITIES = [0.85, 0.75, 0.6, 0.45] as const;

/** Removes metadata and leaves the pixels as they are. The decode proves that it can be shown. */
export async function cleanPicture(file: Blob, detected: DetectedFile): Promise<Result<CleanFile>> {
  const bytes: Bytes = new Uint8Array(await file.arrayBuffer());
  const stripped = stripPicture(bytes, detected.contentType);
  const header = readPictureHeader(bytes, detected.contentType);
  const [width, height] = shownSize(header);
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const pixels = statedPixels(read, bytes.length, detected);
  const moves = isAnimated(read, bytes.length, detected);
  const fault = pictureFault({ bytes: stripped.size, pixels, isAnimated: moves });
  if (fault !== null) return failed(fault);
  const jpeg = detected.contentType === "image/jpeg" ? bytes : null;
  const edge = edgeToDecode(width, height);
  const picture = await decodePicture({ file: stripped, header, jpeg }, edge);
  if (picture === null) return failed("file_broken");
  const large = Math.max(width, height) > PREVIEW_EDGE || stripped.size > OWN_PREVIEW_BYTES;
  const renditions = await renditionsOf(picture, large || moves);
  return ok({ file: stripped, detected, width, height, duration: 0, ...renditions });
}

const CONVERTED_QUALITY = 0.85;

/** A JPEG with all the pixels, by the browser's own decoder; null where it has none for it. */
export async function convertPicture(file: Blob): Promise<Blob | null> {
  const picture = await decodeBitmap(file, { width: 0, height: 0, orientation: 1 }, 1);
  if (picture === null) return null;
  const canvas = scaledTo(picture, Infinity);
  picture.close();
  return canvas && encode(canvas, { type: "image/jpeg", quality: CONVERTED_QUALITY });
}

/**
 * A JPEG that fits, from a too large photo. Animations are refused, because only one frame would
 * remain.
 */
export async function reencodePicture(file: Blob, detected: DetectedFile) {
  const encoded = await readStill(file, detected);
  if (encoded === null) return failed("animation_too_large");
  const picture = await decodePicture(encoded, SHRUNK_EDGE);
  if (picture === null) return failed("file_broken");
  const canvas = scaledTo(picture, SHRUNK_EDGE);
  picture.close();
  if (canvas === null) return failed("canvas_unavailable");
  // The browser encodes on another thread, so drawing the renditions meanwhile costs no time.
  const [shrunk, renditions] = await Promise.all([
    shrink(canvas),
    drawRenditions(drawable(canvas), { preview: true }),
  ]);
  if (shrunk === null) return failed("cannot_shrink");
  const detectedJpeg = await detectJpeg(shrunk.file);
  return ok({ ...shrunk, detected: detectedJpeg, duration: 0, ...renditions });
}

export async function detectJpeg(file: Blob): Promise<DetectedFile> {
  const detected = detectFile(new Uint8Array(await file.slice(0, DETECT_BYTES).arrayBuffer()));
  if (detected?.contentType !== "image/jpeg") throw new Error("encoded as JPEG, and is not one");
  return detected;
}

/** The picture with what the decoder needs; null for an animation. */
async function readStill(file: Blob, detected: DetectedFile): Promise<Encoded | null> {
  const bytes: Bytes = new Uint8Array(await file.arrayBuffer());
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  if (isAnimated(read, bytes.length, detected)) return null;
  const header = readPictureHeader(bytes, detected.contentType);
  return { file, header, jpeg: detected.contentType === "image/jpeg" ? bytes : null };
}

async function shrink(whole: OffscreenCanvas) {
  for (const edge of [Infinity, SHRUNK_EDGE / 2]) {
    const canvas = edge === Infinity ? whole : scaledTo(drawable(whole), edge);
    if (canvas === null) return null;
    for (const quality of SHRUNK_QUALITIES) {
      const file = await encode(canvas, { type: "image/jpeg", quality });
      if (file && file.size <= IMAGE_MAX_BYTES) {
        return { file, width: canvas.width, height: canvas.height };
      }
    }
  }
  return null;
}

interface Drawable {
  source: ImageBitmap | VideoFrame | OffscreenCanvas;
  width: number;
  height: number;
  close: () => void;
}

export const drawable = (source: ImageBitmap | OffscreenCanvas): Drawable => ({
  source,
  width: source.width,
  height: source.height,
  close: () => "close" in source && source.close(),
});

interface Encoded {
  file: Blob;
  header: PictureHeader;
  jpeg: Bytes | null;
}

/** Of the longest side: enough for the preview, and for a thumbnail that covers its square. */
const edgeToDecode = (width: number, height: number): number =>
  Math.max(PREVIEW_EDGE, (THUMBNAIL_EDGE * Math.max(width, height)) / Math.min(width, height));

/** Decodes to at least `edge` pixels on the longest side, if there are so many. Null on failure. */
async function decodePicture({ file, header, jpeg }: Encoded, edge: number) {
  const scale = Math.min(1, edge / Math.max(header.width, header.height, 1));
  const reduced = scale < 1 && jpeg !== null ? await decodeReduced(jpeg, header, scale) : null;
  return reduced ?? decodeBitmap(file, header, scale);
}

/** Some browsers decode a JPEG at a part of its size, in a part of the time. */
async function decodeReduced(jpeg: Bytes, header: PictureHeader, scale: number) {
  if (typeof ImageDecoder === "undefined") return null;
  // Decoders round any other part down to the next eighth; halves of halves are fast.
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
    // Ignoring it: the other decoder tries next.
    return null;
  } finally {
    decoder.close();
  }
}

async function decodeBitmap(file: Blob, header: PictureHeader, scale: number) {
  try {
    return drawable(await createImageBitmap(file, resizeTo(header, scale)));
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

const shownSize = ({ width, height, orientation }: PictureHeader): [number, number] =>
  isSideways(orientation) ? [height, width] : [width, height];

const PREVIEW_QUALITY = 0.82;
/** Looks like our JPEG (SSIM 0.98 to the original) in less than half the bytes. */
const WEBP_QUALITY = 0.8;
/** thumbhash takes no larger picture. */
const HASH_EDGE = 100;

export async function renditionsOf(picture: Drawable, preview: boolean): Promise<Renditions> {
  try {
    return await drawRenditions(picture, { preview });
  } finally {
    picture.close();
  }
}

/** Where it fails there are none but the reason: the original is shown (specification §8). */
export async function drawRenditions(
  picture: Omit<Drawable, "close">,
  options: { preview: boolean },
): Promise<Renditions> {
  if (typeof OffscreenCanvas === "undefined") return noRenditions("canvas_unavailable");
  const reduced = scaledTo(picture, PREVIEW_EDGE);
  const isPanorama = reduced && Math.min(reduced.width, reduced.height) < THUMBNAIL_EDGE;
  const small = reduced && cover(isPanorama ? picture : drawable(reduced), THUMBNAIL_EDGE);
  if (reduced === null || small === null) return noRenditions("canvas_unavailable");
  const [thumbnail, preview] = await Promise.all([
    encode(small, { type: "image/jpeg", quality: THUMBNAIL_QUALITY }),
    options.preview ? encode(reduced, { type: "image/jpeg", quality: PREVIEW_QUALITY }) : null,
  ]);
  if (thumbnail === null) return noRenditions("thumbnail_failed");
  return { thumbnail, preview, thumbhash: hashOf(reduced), fault: null };
}

function scaledTo(picture: Omit<Drawable, "close">, edge: number): OffscreenCanvas | null {
  const scale = Math.min(1, edge / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const board = whiteBoard(width, height);
  board?.context.drawImage(picture.source, 0, 0, width, height);
  return board?.canvas ?? null;
}

function cover(picture: Omit<Drawable, "close">, edge: number): OffscreenCanvas | null {
  const scale = Math.max(edge / picture.width, edge / picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  const board = whiteBoard(edge, edge);
  board?.context.drawImage(picture.source, (edge - width) / 2, (edge - height) / 2, width, height);
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

/**
 * The preview as WebP, or `preview` itself where that is no gain. WebP encoding takes longer than
 * all other work on a photo, so it happens while the photo is being sent.
 */
export async function compressPreview(preview: Blob): Promise<Blob> {
  const picture = await decodeBitmap(preview, { width: 0, height: 0, orientation: 1 }, 1);
  if (picture === null) return preview;
  const canvas = scaledTo(picture, PREVIEW_EDGE);
  picture.close();
  const small = canvas && (await encode(canvas, { type: "image/webp", quality: WEBP_QUALITY }));
  return small !== null && small.size < preview.size ? small : preview;
}

/** Longest edge of a photo in a chat or a form: twice the pixels of its place on the screen. */
const SMALL_EDGE = 480;

/** What has no more pixels, and no more bytes than a preview, is shown as it is if it is still. */
const SMALL_PIXELS = 1_048_576;

/**
 * The whole picture, small, as a JPEG. Of a JPEG no more is decoded than that takes.
 * @param mayBeItself where it is small, and can be drawn
 */
export async function reducePicture(
  file: Blob,
  detected: DetectedFile,
  mayBeItself: boolean,
): Promise<Result<Blob>> {
  const bytes: Bytes = new Uint8Array(await file.arrayBuffer());
  const header = readPictureHeader(bytes, detected.contentType);
  const jpeg = detected.contentType === "image/jpeg" ? bytes : null;
  const picture = await decodePicture({ file, header, jpeg }, SMALL_EDGE);
  if (picture === null) return failed("file_broken");
  const pixels = header.width * header.height;
  const isSmall = pixels > 0 && pixels <= SMALL_PIXELS && file.size <= OWN_PREVIEW_BYTES;
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const isItself = mayBeItself && isSmall && !isAnimated(read, bytes.length, detected);
  const canvas = isItself ? null : scaledTo(picture, SMALL_EDGE);
  picture.close();
  if (isItself) return ok(file);
  const small = canvas && (await encode(canvas, { type: "image/jpeg", quality: PREVIEW_QUALITY }));
  return small === null ? failed("canvas_unavailable") : ok(small);
}

/** Null where the browser silently made something else: some give a PNG, or nothing. */
async function encode(canvas: OffscreenCanvas, wanted: { type: string; quality: number }) {
  try {
    const blob = await canvas.convertToBlob(wanted);
    return blob.type === wanted.type && blob.size > 0 ? blob : null;
  } catch {
    // Too large for this browser, or out of memory: the caller decides what that means.
    return null;
  }
}

function hashOf(source: OffscreenCanvas): string {
  const canvas = scaledTo(drawable(source), HASH_EDGE);
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return "";
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return btoa(String.fromCharCode(...rgbaToThumbHash(canvas.width, canvas.height, data)));
}
