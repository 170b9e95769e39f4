/**
 * The size that a picture's headers state, and what may be a profile picture. A small file can
 * state billions of pixels, and decoding takes eight bytes for each, also in PocketBase's
 * thumbnails.
 */
import { byteAt, littleUint, type ReadableBytes, type ReadBytes, textAt, uint } from "./bytes";
import type { ErrorCode } from "./error-codes";
import { PHOTO_MAX_PIXELS, PROFILE_PICTURE_MAX_BYTES } from "./limits";
import { DETECT_BYTES, type DetectedFile, detectFile, fileFault, isJpegFrame } from "./media-files";

/** Headers that are read before the file counts as broken. */
const MAX_PARTS = 20_000;

/** Width times height of the largest picture in the file; Infinity for unreadable headers. */
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
      return known(littleUint(read(6, 4), 0, 2) * littleUint(read(6, 4), 2, 2));
    case "image/webp":
      return webpPixels(read, size);
    default:
      return 0;
  }
}

const known = (pixels: number): number => (pixels > 0 ? pixels : Infinity);

/** Reads marker by marker up to the first scan, which must follow its frame header. */
function jpegPixels(read: ReadBytes, size: number): number {
  let at = 2;
  let most = 0;
  for (let parts = 0; parts < MAX_PARTS && at + 4 <= size; parts++) {
    const head = read(at, 9);
    const marker = byteAt(head, 1);
    if (marker === 0xff) {
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

/** Reads every chunk that holds a picture: the stated canvas may be smaller than its pictures. */
function webpPixels(read: ReadBytes, size: number): number {
  let at = 12;
  let most = 0;
  for (let parts = 0; at + 8 <= size; parts++) {
    if (parts >= MAX_PARTS) return Infinity;
    const head = read(at, 18);
    most = Math.max(most, webpChunkPixels(head));
    const length = littleUint(head, 4, 4);
    at += 8 + length + (length % 2);
  }
  return known(most);
}

function webpChunkPixels(head: ReadableBytes): number {
  const type = textAt(head, 0, 4);
  if (type === "VP8X") return (littleUint(head, 12, 3) + 1) * (littleUint(head, 15, 3) + 1);
  if (type === "VP8 ")
    return (littleUint(head, 14, 2) % 16_384) * (littleUint(head, 16, 2) % 16_384);
  if (type !== "VP8L") return 0;
  const sides = littleUint(head, 9, 4);
  return ((sides % 16_384) + 1) * ((Math.floor(sides / 16_384) % 16_384) + 1);
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

/** The specification's sentences (§5), for the service and the server; the page shows none. */
export function profilePictureText(code: ErrorCode): string | undefined {
  if (code === "too_large") return "Profilbild darf maximal 2MB groß sein.";
  if (code === "file_type") return "Nur Bilddateien sind als Profilbild erlaubt.";
  return undefined;
}
