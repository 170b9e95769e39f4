/**
 * The size that a picture's headers state, and what may be a profile picture. A small file can
 * state billions of pixels, and decoding takes eight bytes for each, also in PocketBase's
 * thumbnails.
 */
import { byteAt, type ReadBytes, uint } from "./bytes";
import type { ErrorCode } from "./error-codes";
import { gifPictures, type Pictures, webpPictures } from "./frames";
import { PHOTO_MAX_PIXELS, PROFILE_PICTURE_MAX_BYTES } from "./limits";
import {
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
  isJpegFrame,
  MAX_PARTS,
} from "./media-files";

/** An animation may have as many pixels as this many of the largest photos. */
const ANIMATION_PHOTOS = 10;

/**
 * Width times height of the largest picture in the file, or a tenth of all frames of an animation
 * together where that is more; Infinity for unreadable headers.
 */
export function statedPixels(
  read: ReadBytes,
  size: number,
  { contentType }: Pick<DetectedFile, "contentType">,
): number {
  switch (contentType) {
    case "image/jpeg":
      return jpegPixels(read, size);
    case "image/png":
      return known(uint(read(16, 8), 0, 4) * uint(read(16, 8), 4, 4));
    case "image/gif":
      return framesPixels(gifPictures(read, size));
    case "image/webp":
      return framesPixels(webpPictures(read, size));
    default:
      return 0;
  }
}

const known = (pixels: number): number => (pixels > 0 ? pixels : Infinity);

const framesPixels = ({ largest, total }: Pictures): number =>
  known(Math.max(largest, total / ANIMATION_PHOTOS));

/** Reads marker by marker up to the first scan, which must follow its frame header. */
function jpegPixels(read: ReadBytes, size: number): number {
  let at = 2;
  let most = 0;
  for (let parts = 0; parts < MAX_PARTS && at + 4 <= size; parts++) {
    const head = read(at, 9);
    const marker = byteAt(head, 1);
    // Fill bytes, and what decoders pass over.
    if (marker === 0xff || byteAt(head, 0) !== 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) return known(most);
    if (isJpegFrame(marker)) {
      most = Math.max(most, uint(head, 5, 2) * uint(head, 7, 2));
    }
    at += 2 + uint(head, 2, 2);
  }
  return Infinity;
}

/** The type of a profile picture, or its fault (specification §5). `size` in bytes. */
export function judgeProfilePicture(
  read: ReadBytes,
  size: number,
): { detected: DetectedFile } | { code: ErrorCode } {
  if (size === 0) return { code: "file_empty" };
  if (size > PROFILE_PICTURE_MAX_BYTES) return { code: "too_large" };
  const detected = detectFile(read(0, DETECT_BYTES));
  if (detected?.kind !== "photo") return { code: "file_type" };
  const fault = fileFault(read, size, detected);
  if (fault !== null) return { code: fault };
  if (statedPixels(read, size, detected) > PHOTO_MAX_PIXELS) return { code: "too_large" };
  return { detected };
}

/** The specification's sentences (§5), for the service and the server. */
export function profilePictureText(code: ErrorCode): string | undefined {
  if (code === "too_large") return "Profilbild darf maximal 2MB groß sein.";
  if (code === "file_type") return "Nur Bilddateien sind als Profilbild erlaubt.";
  return undefined;
}
