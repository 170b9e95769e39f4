/** Drawing in a worker: from one decoded picture the thumbnail, the preview and the thumbhash. */
import { rgbaToThumbHash } from "thumbhash";
import { PREVIEW_EDGE, THUMBNAIL_EDGE, THUMBNAIL_QUALITY } from "@/domain/limits";
import { noRenditions, type Renditions } from "./protocol";

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
