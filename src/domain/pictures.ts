/**
 * Pictures judged by their bytes: the size that a file's headers state, and what may be a profile
 * picture. A few hundred kilobytes can state billions of pixels, and a program that decodes them
 * needs eight bytes for each. PocketBase does that when it draws a small picture on demand.
 */
import type { ErrorCode } from "./error-codes";
import { PHOTO_MAX_PIXELS, PROFILE_PICTURE_MAX_BYTES } from "./limits";
import {
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
  type ReadBytes,
} from "./media-files";

type Bytes = ArrayLike<number>;

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
      return known(big(read(16, 8), 0, 4) * big(read(16, 8), 4, 4));
    case "image/gif":
      return known(little(read(6, 4), 0, 2) * little(read(6, 4), 2, 2));
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
    const marker = byte(head, 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) return known(most);
    // A frame header: all of C0 to CF but the tables C4, C8 and CC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      most = Math.max(most, big(head, 5, 2) * big(head, 7, 2));
    }
    at += 2 + big(head, 2, 2);
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
    const length = little(head, 4, 4);
    at += 8 + length + (length % 2);
  }
  return known(most);
}

function webpChunkPixels(head: Bytes): number {
  const type = String.fromCharCode(byte(head, 0), byte(head, 1), byte(head, 2), byte(head, 3));
  if (type === "VP8X") return (little(head, 12, 3) + 1) * (little(head, 15, 3) + 1);
  if (type === "VP8 ") return (little(head, 14, 2) % 16_384) * (little(head, 16, 2) % 16_384);
  if (type !== "VP8L") return 0;
  const sides = little(head, 9, 4);
  return ((sides % 16_384) + 1) * ((Math.floor(sides / 16_384) % 16_384) + 1);
}

const byte = (bytes: Bytes, at: number): number => bytes[at] ?? 0;

function big(bytes: Bytes, at: number, length: number): number {
  let value = 0;
  for (let i = 0; i < length; i++) value = value * 256 + byte(bytes, at + i);
  return value;
}

function little(bytes: Bytes, at: number, length: number): number {
  let value = 0;
  for (let i = length - 1; i >= 0; i--) value = value * 256 + byte(bytes, at + i);
  return value;
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
