/** A WebP with only the chunks that draw it: no XMP, no EXIF (but its orientation), nothing behind its end. */
import { ascii, type Bytes, fromAscii, littleUint16, littleUint32 } from "./bytes";
import { orientationTiff, readOrientation } from "./orientation";
import type { PictureHeader } from "./strip-jpeg";

const KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const ANIMATION_FLAG = 0x02;

/** The pieces of the clean file, in order. */
export function stripWebp(bytes: Bytes): Bytes[] {
  const { orientation } = readWebpHeader(bytes);
  const kept = chunks(bytes)
    .filter(({ type }) => KEPT.has(type))
    .map(({ type, whole }) => (type === "VP8X" ? withFlags(whole, orientation > 1) : whole));
  if (orientation > 1) kept.push(webpChunk("EXIF", orientationTiff(orientation)));
  const size = kept.reduce((sum, piece) => sum + piece.length, 4);
  const head = new Uint8Array(12);
  head.set(fromAscii("RIFF....WEBP"));
  new DataView(head.buffer).setUint32(4, size, true);
  return [head, ...kept];
}

export function readWebpHeader(bytes: Bytes): PictureHeader & { animated: boolean } {
  const all = chunks(bytes);
  const exif = all.find(({ type }) => type === "EXIF");
  const orientation = exif ? readOrientation(withoutPrefix(exif.data)) : 1;
  const first = all[0];
  if (!first) return { width: 0, height: 0, orientation, animated: false };
  const animated = first.type === "VP8X" && ((first.data[0] ?? 0) & ANIMATION_FLAG) !== 0;
  return { ...size(first), orientation, animated };
}

function size({ type, data }: { type: string; data: Bytes }): { width: number; height: number } {
  if (type === "VP8X") {
    const uint24 = (at: number) => littleUint32(data, at) & 0xffffff;
    return { width: uint24(4) + 1, height: uint24(7) + 1 };
  }
  if (type === "VP8L") {
    const bits = littleUint32(data, 1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: littleUint16(data, 6) & 0x3fff, height: littleUint16(data, 8) & 0x3fff };
}

/** Some writers put JPEG's prefix before the block. */
function withoutPrefix(exif: Bytes): Bytes {
  return ascii(exif, 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif;
}

function withFlags(header: Bytes, exif: boolean): Bytes {
  const copy = header.slice();
  const flags = (copy[8] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
  copy[8] = exif ? flags | EXIF_FLAG : flags;
  return copy;
}

function chunks(bytes: Bytes): { type: string; data: Bytes; whole: Bytes }[] {
  const found = [];
  const limit = Math.min(bytes.length, littleUint32(bytes, 4) + 8);
  for (let at = 12; at + 8 <= limit; ) {
    const length = littleUint32(bytes, at + 4);
    const end = at + 8 + length + (length % 2);
    const data = bytes.subarray(at + 8, at + 8 + length);
    found.push({ type: ascii(bytes, at, 4), data, whole: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

function webpChunk(type: string, data: Bytes): Bytes {
  const chunk = new Uint8Array(8 + data.length + (data.length % 2));
  chunk.set(fromAscii(type));
  new DataView(chunk.buffer).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}
