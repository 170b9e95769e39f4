/** A profile picture that was chosen: whether it will do, and the square that is cut out. */
import type { ErrorCode } from "@/domain/error-codes";
import { PROFILE_PICTURE_MAX_BYTES, THUMBNAIL_EDGE, THUMBNAIL_QUALITY } from "@/domain/limits";
import { judgeProfilePicture } from "@/domain/pictures";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import type { Square } from "@/lib/crop-square";
import { firstLook, prepareMedia } from "./upload";

/** Edge of the stored profile picture, pixels, and its JPEG quality. */
const PICTURE_EDGE = 640;
const PICTURE_QUALITY = 0.88;

/** What may be a profile picture, else the text that says why not (specification §5). */
export async function openPicture(file: File): Promise<ImageBitmap | TextKey> {
  if (file.size > PROFILE_PICTURE_MAX_BYTES) return pictureFault("too_large");
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    if ((await firstLook(file)).state === "convertible") {
      const jpeg = await prepareMedia(file);
      return jpeg.success ? await createImageBitmap(jpeg.value.file) : pictureFault(jpeg.error);
    }
    const judged = judgeProfilePicture(read, bytes.length);
    if ("code" in judged) return pictureFault(judged.code);
    return await createImageBitmap(file);
  } catch {
    // The browser cannot decode it, or it was deleted after it was chosen.
    return errorKey("image_load_failed");
  }
}

const pictureFault = (code: ErrorCode): TextKey => {
  if (code === "too_large") return "profile.pictureLarge";
  return code === "file_type" ? "profile.pictureType" : errorKey(code);
};

export type CutPicture = { file: Blob; thumbnail: Blob | null };

/** Draws the chosen square without camera data. Null if this browser cannot draw it. */
export async function cutPicture(bitmap: ImageBitmap, square: Square): Promise<CutPicture | null> {
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
