/** A chosen profile picture: judged, shown for cropping, and cut to the square that is sent. Without camera data, since it is drawn anew. */
import { PROFILE_PICTURE_MAX_BYTES, THUMBNAIL_EDGE, THUMBNAIL_QUALITY } from "@/domain/limits";
import { judgeProfilePicture } from "@/domain/pictures";
import type { Size, Square } from "@/lib/crop-square";

/** Edge of the stored picture, pixels, and its JPEG quality. */
const PICTURE_EDGE = 640;
const PICTURE_QUALITY = 0.88;

export interface ChosenPicture {
  bitmap: ImageBitmap;
  size: Size;
}

/** Null for what is no picture, larger than 2 MB, damaged, or not decodable here: the page is silent then (specification §5). */
export async function openPicture(file: File): Promise<ChosenPicture | null> {
  if (file.size > PROFILE_PICTURE_MAX_BYTES) return null;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    if ("code" in judgeProfilePicture(read, bytes.length)) return null;
    const bitmap = await createImageBitmap(file);
    return { bitmap, size: { width: bitmap.width, height: bitmap.height } };
  } catch {
    // The browser cannot decode it, or it was deleted since it was chosen.
    return null;
  }
}

export interface CutPicture {
  file: Blob;
  thumbnail: Blob | null;
}

/** Null where this browser cannot draw it. */
export async function cutPicture(
  { bitmap }: ChosenPicture,
  square: Square,
): Promise<CutPicture | null> {
  const edge = Math.min(PICTURE_EDGE, Math.round(square.side));
  const file = await draw(bitmap, square, edge, PICTURE_QUALITY);
  const thumbnail = await draw(bitmap, square, THUMBNAIL_EDGE, THUMBNAIL_QUALITY);
  return file === null ? null : { file, thumbnail };
}

function draw(
  bitmap: ImageBitmap,
  { left, top, side }: Square,
  edge: number,
  quality: number,
): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, edge);
  canvas.height = canvas.width;
  const context = canvas.getContext("2d");
  if (context === null) return Promise.resolve(null);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}
