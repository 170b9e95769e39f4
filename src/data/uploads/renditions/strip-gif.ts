/** A GIF without comments and applications' blocks (XMP among them), except the one that says how often it repeats. */
import { ascii, type Bytes, littleUint16 } from "./bytes";
import type { PictureHeader } from "./strip-jpeg";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
const TRAILER = Uint8Array.of(0x3b);

/** The pieces of the clean file, in order. */
export function stripGif(bytes: Bytes): Bytes[] {
  const drawing = blocks(bytes).filter(({ at }) => isDrawing(bytes, at));
  const pieces = drawing.map(({ at, end }) => bytes.subarray(at, end));
  return [bytes.subarray(0, headEnd(bytes)), ...pieces, TRAILER];
}

export const isAnimatedGif = (bytes: Bytes): boolean =>
  blocks(bytes).filter(({ at }) => bytes[at] === IMAGE).length > 1;

const headEnd = (bytes: Bytes): number => 13 + tableBytes(bytes[10] ?? 0);

function blocks(bytes: Bytes): { at: number; end: number }[] {
  const found: { at: number; end: number }[] = [];
  let at = headEnd(bytes);
  while (at < bytes.length) {
    const end = blockEnd(bytes, at);
    if (end === null) break;
    found.push({ at, end });
    at = end;
  }
  return found;
}

export function readGifHeader(bytes: Bytes): PictureHeader {
  return { width: littleUint16(bytes, 6), height: littleUint16(bytes, 8), orientation: 1 };
}

function isDrawing(bytes: Bytes, at: number): boolean {
  if (bytes[at] !== EXTENSION) return true;
  const label = bytes[at + 1];
  if (label === APPLICATION) return /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(ascii(bytes, at + 3, 11));
  return label !== COMMENT;
}

/** Where the block at `at` ends; null at the trailer and at what is no block. */
function blockEnd(bytes: Bytes, at: number): number | null {
  if (bytes[at] === EXTENSION) return subBlocksEnd(bytes, at + 2);
  if (bytes[at] !== IMAGE) return null;
  return subBlocksEnd(bytes, at + 11 + tableBytes(bytes[at + 9] ?? 0));
}

function subBlocksEnd(bytes: Bytes, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return Math.min(at + 1, bytes.length);
}

/** Bytes of the colour table that packed flags announce. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
