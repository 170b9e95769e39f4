/**
 * What a picture or a video says about the person who made it: places, times, titles, devices. The
 * device takes it out before it sends a file, and the server refuses a file that still has it; both
 * look here. Headers alone are read, and the walks end early in a crafted file.
 */
import {
  asciiBytes,
  type Bytes,
  byteAt,
  littleUint,
  type ReadableBytes,
  type ReadBytes,
  textAt,
  throughWindow,
  uint,
} from "./bytes";
import { blockSkipper, colorTable, GIF_EXTENSION, GIF_FRAME, GIF_TRAILER } from "./frames";
import { type DetectedFile, jpegParts, MAX_PARTS, NO_MARKER } from "./media-files";
import { holdsVideoMetadata } from "./video-metadata";

/** Whether there is anything in a whole file that the device would take out of it. */
export function holdsMetadata(
  read: ReadBytes,
  size: number,
  { kind, contentType }: DetectedFile,
): boolean {
  if (kind === "video") return holdsVideoMetadata(read, size, contentType);
  return pictureParts(read, size, contentType).some(({ instead }) => instead !== null);
}

export interface PicturePart {
  at: number;
  end: number;
  /** What stands there in the clean file; null where the part stays as it is. */
  instead: Bytes | null;
}

/** All of a picture, in order. */
export function pictureParts(read: ReadBytes, size: number, contentType: string): PicturePart[] {
  switch (contentType) {
    case "image/jpeg":
      return jpegPicture(throughWindow(read), size);
    case "image/png":
      return pngPicture(throughWindow(read), size);
    case "image/webp":
      return webpPicture(throughWindow(read), size);
    default:
      return gifPicture(throughWindow(read), size);
  }
}

const NOTHING: Bytes = new Uint8Array();
const kept = (at: number, end: number): PicturePart => ({ at, end, instead: null });
const removed = (at: number, end: number): PicturePart => ({ at, end, instead: NOTHING });
/** What lies behind a picture's end: motion photos append a video. */
const behind = (at: number, size: number): PicturePart[] => (at < size ? [removed(at, size)] : []);

function orUnchanged(wanted: Bytes, before: ReadableBytes): Bytes | null {
  const same = wanted.length === before.length && wanted.every((byte, i) => byte === before[i]);
  return same ? null : wanted;
}

// JPEG: EXIF, XMP, IPTC, comments, makers' blocks and embedded second pictures go. Pixels, colour
// profile and orientation stay.

function jpegPicture(read: ReadBytes, size: number): PicturePart[] {
  const all = jpegParts(read, size);
  const parts = all.map(({ marker, at, end }) => {
    if (marker === NO_MARKER) return removed(at, end);
    const isPrivate = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
    const instead = isPrivate ? cleanSegment(read(at, end - at), marker) : null;
    return { at, end, instead };
  });
  return [kept(0, 2), ...parts, ...behind(parts[parts.length - 1]?.end ?? 2, size)];
}

export const isExif = (segment: ReadableBytes, marker: number): boolean =>
  marker === 0xe1 && textAt(segment, 4, 6) === "Exif\0\0";

function cleanSegment(segment: Uint8Array, marker: number): Bytes | null {
  if (!isExif(segment, marker)) return isNeeded(segment, marker) ? null : NOTHING;
  const tiff = cleanTiff(segment.subarray(10));
  return tiff && (tiff.length > 0 ? exifSegment(tiff) : NOTHING);
}

/** What Safari's canvas writes: Photoshop's block with no text and the checksum of none. */
const EMPTY_PHOTOSHOP = [
  "Photoshop 3.0\0",
  "8BIM\x04\x04\0\0\0\0\0\0",
  "8BIM\x04\x25\0\0\0\0\0\x10",
  "\xd4\x1d\x8c\xd9\x8f\0\xb2\x04\xe9\x80\x09\x98\xec\xf8\x42\x7e",
].join("");

/** Segments that change the look: JFIF, the colour profile, Adobe's colour transform. */
function isNeeded(segment: ReadableBytes, marker: number): boolean {
  if (marker === 0xed) return textAt(segment, 4, 80) === EMPTY_PHOTOSHOP;
  if (marker === 0xe0) return textAt(segment, 4, 5) === "JFIF\0";
  if (marker === 0xe2) return textAt(segment, 4, 12) === "ICC_PROFILE\0";
  return marker === 0xee && textAt(segment, 4, 5) === "Adobe";
}

function exifSegment(tiff: Bytes): Bytes {
  const length = 2 + 6 + tiff.length;
  return Uint8Array.of(0xff, 0xe1, 0, length, ...asciiBytes("Exif\0\0"), ...tiff);
}

// Of EXIF the orientation stays, and a block that says no more than that and how to draw.

const ORIENTATION_TAG = 0x0112;
/** Where the second directory begins, colour space, width and height: canvases write these. */
const PLAIN_TAGS = [ORIENTATION_TAG, 0x8769, 0xa001, 0xa002, 0xa003];
/** More than a JPEG's EXIF can have. */
const EXIF_MAX_BYTES = 65_536;

const numbersOf = (tiff: ReadableBytes) => (uint(tiff, 0, 2) === 0x4949 ? littleUint : uint);

/** 1 to 8 as EXIF counts them, from a TIFF block; 1 where it is missing or invalid. */
export function readOrientation(tiff: ReadableBytes): number {
  if (tiff.length < 14) return 1;
  const number = numbersOf(tiff);
  const directory = number(tiff, 4, 4);
  if (directory + 2 > tiff.length) return 1;
  const entries = number(tiff, directory, 2);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12;
    if (entry + 12 > tiff.length) break;
    if (number(tiff, entry, 2) !== ORIENTATION_TAG) continue;
    const value = number(tiff, entry + 8, 2);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** What may stand for a TIFF block: null for the block itself, and nothing for no block. */
function cleanTiff(tiff: ReadableBytes): Bytes | null {
  if (isPlainTiff(tiff)) return null;
  const orientation = readOrientation(tiff);
  return orientation > 1 ? orientationTiff(orientation) : NOTHING;
}

/** Whether the block is one or two directories of plain tags with one number each, and no more. */
function isPlainTiff(tiff: ReadableBytes): boolean {
  const end = numbersOf(tiff)(tiff, 4, 4) === 8 ? plainEnd(tiff, 8) : 0;
  return end > 0 && (end === tiff.length || plainEnd(tiff, end) === tiff.length);
}

/** The end of the directory of plain tags at `at`; 0 where it is none, or is not the last. */
function plainEnd(tiff: ReadableBytes, at: number): number {
  const number = numbersOf(tiff);
  const entries = number(tiff, at, 2);
  const end = at + 2 + entries * 12 + 4;
  if (entries > PLAIN_TAGS.length || number(tiff, end - 4, 4) !== 0) return 0;
  for (let entry = at + 2; entry < end - 4; entry += 12) {
    const isNumber = number(tiff, entry + 2, 2) <= 4 && number(tiff, entry + 4, 4) === 1;
    if (!isNumber || !PLAIN_TAGS.includes(number(tiff, entry, 2))) return 0;
  }
  return end;
}

function orientationTiff(orientation: number): Bytes {
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.of(...header, 0, 1, ...entry, 0, 0, 0, 0);
}

// PNG: only the chunks that draw it stay, and the orientation.

const PNG_SIGNATURE = 8;
/** Chunks besides the critical ones (IHDR, PLTE, IDAT, IEND) that change the look. */
const DRAWING = "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT";
const KEPT_PNG_CHUNKS = `IHDR PLTE IDAT IEND ${DRAWING}`.split(" ");

function pngPicture(read: ReadBytes, size: number): PicturePart[] {
  const parts = [kept(0, PNG_SIGNATURE)];
  let at = PNG_SIGNATURE;
  for (let type = ""; type !== "IEND" && at + 12 <= size && parts.length < MAX_PARTS; ) {
    const head = read(at, 8);
    type = textAt(head, 4, 4);
    const length = uint(head, 0, 4);
    const end = at + 12 + length;
    if (type === "eXIf") {
      const tiff = cleanTiff(read(at + 8, Math.min(length, EXIF_MAX_BYTES)));
      const instead = tiff && (tiff.length > 0 ? pngChunk("eXIf", tiff) : NOTHING);
      parts.push({ at, end, instead });
    } else {
      parts.push(KEPT_PNG_CHUNKS.includes(type) ? kept(at, end) : removed(at, end));
    }
    at = end;
  }
  return [...parts, ...behind(at, size)];
}

function pngChunk(type: string, data: Bytes): Bytes {
  const named = Uint8Array.of(...asciiBytes(type), ...data);
  return Uint8Array.of(...bigBytes(data.length), ...named, ...bigBytes(crc32(named)));
}

const bigBytes = (value: number): number[] =>
  [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

// WebP: only the chunks that draw it stay, and the orientation; nothing after its end.

const KEPT_WEBP_CHUNKS = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"];
const RIFF_HEAD = 12;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

function webpPicture(read: ReadBytes, size: number): PicturePart[] {
  const chunks = webpChunks(read, size);
  const exif = chunks.find(({ type }) => type === "EXIF");
  const tiff = exif ? cleanTiff(tiffOf(read, exif)) : NOTHING;
  const hasExif = tiff === null || tiff.length > 0;
  const parts = chunks.map(({ type, at, end }): PicturePart => {
    if (at === exif?.at && hasExif) return { at, end, instead: tiff && exifChunk(tiff) };
    if (!KEPT_WEBP_CHUNKS.includes(type)) return removed(at, end);
    return type === "VP8X" ? withFlags(read, { at, end }, hasExif) : kept(at, end);
  });
  const length = parts.reduce(
    (sum, { at, end, instead }) => sum + (instead?.length ?? end - at),
    4,
  );
  const riff = Uint8Array.of(
    ...asciiBytes("RIFF"),
    ...bigBytes(length).reverse(),
    ...asciiBytes("WEBP"),
  );
  const head = { at: 0, end: RIFF_HEAD, instead: orUnchanged(riff, read(0, RIFF_HEAD)) };
  return [head, ...parts, ...behind(parts[parts.length - 1]?.end ?? RIFF_HEAD, size)];
}

const exifChunk = (tiff: Bytes): Bytes =>
  Uint8Array.of(...asciiBytes("EXIF"), ...bigBytes(tiff.length).reverse(), ...tiff);

interface WebpChunk {
  type: string;
  at: number;
  end: number;
}

export function webpChunks(read: ReadBytes, size: number): WebpChunk[] {
  const found: WebpChunk[] = [];
  const limit = Math.min(size, littleUint(read(4, 4), 0, 4) + 8);
  for (let at = RIFF_HEAD; at + 8 <= limit && found.length < MAX_PARTS; ) {
    const head = read(at, 8);
    const length = littleUint(head, 4, 4);
    const end = Math.min(size, at + 8 + length + (length % 2));
    found.push({ type: textAt(head, 0, 4), at, end });
    at = end;
  }
  return found;
}

/** The TIFF block of an EXIF chunk. Some writers put JPEG's prefix before it. */
function tiffOf(read: ReadBytes, { at, end }: Pick<WebpChunk, "at" | "end">): Uint8Array {
  const data = read(at + 8, Math.min(end - at - 8, EXIF_MAX_BYTES));
  return textAt(data, 0, 6) === "Exif\0\0" ? data.subarray(6) : data;
}

function withFlags(read: ReadBytes, { at, end }: { at: number; end: number }, exif: boolean) {
  const before = read(at, Math.min(end - at, 64));
  const wanted: Bytes = Uint8Array.from(before);
  const flags = byteAt(before, 8) & ~(EXIF_FLAG | XMP_FLAG);
  wanted[8] = exif ? flags | EXIF_FLAG : flags;
  return { at, end, instead: orUnchanged(wanted, before) };
}

// GIF: comments and application blocks (XMP is one) go, except the one with the repeat count.

const GIF_COMMENT = 0xfe;
const GIF_APPLICATION = 0xff;

function gifPicture(read: ReadBytes, size: number): PicturePart[] {
  const skipBlocks = blockSkipper(read, size);
  let at = 13 + colorTable(byteAt(read(10, 1), 0));
  const parts = [kept(0, at)];
  for (;;) {
    const head = read(at, 14);
    const kind = byteAt(head, 0);
    if (kind !== GIF_EXTENSION && kind !== GIF_FRAME) break;
    const isFrame = kind === GIF_FRAME;
    const from = at + (isFrame ? 11 + colorTable(byteAt(head, 9)) : 2);
    const end = Math.min(size, skipBlocks(from));
    parts.push(isFrame || isDrawing(head) ? kept(at, end) : removed(at, end));
    at = end;
  }
  const isTrailer = byteAt(read(at, 1), 0) === GIF_TRAILER;
  const trailer = isTrailer
    ? kept(at, at + 1)
    : { at, end: at, instead: Uint8Array.of(GIF_TRAILER) };
  return [...parts, trailer, ...behind(trailer.end, size)];
}

function isDrawing(extension: ReadableBytes): boolean {
  const label = byteAt(extension, 1);
  if (label !== GIF_APPLICATION) return label !== GIF_COMMENT;
  return /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(textAt(extension, 3, 11));
}
