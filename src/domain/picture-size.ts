/**
 * How many pixels a picture states, read from its headers. A few hundred kilobytes can state billions, and whoever
 * decodes them (PocketBase draws a small picture of any stored one on demand) pays eight bytes for each.
 */
import type { DetectedFile, ReadBytes } from "./media-files";

type Bytes = ArrayLike<number>;

/** Headers that a walk looks at before it gives up. */
const MAX_PARTS = 20_000;

/** Width times height of the largest picture in the file; Infinity where its headers cannot be understood. */
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

/** Marker by marker to the first scan, which must come after the frame it belongs to. */
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

/** Every chunk that holds a picture: the canvas named first may be smaller than what is painted on it. */
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
