/** Removes metadata from pictures without decoding them, and reads size and orientation. */
import { asciiBytes, type Bytes, littleUint, textAt, uint } from "@/domain/bytes";
import { isJpegFrame } from "@/domain/media-files";

interface PictureFormat {
  /** The pieces of the clean file, in order. */
  strip: (bytes: Bytes) => Bytes[];
  readHeader: (bytes: Bytes) => PictureHeader;
}

const FORMATS: Record<string, PictureFormat> = {
  "image/jpeg": { strip: stripJpeg, readHeader: readJpegHeader },
  "image/png": { strip: stripPng, readHeader: readPngHeader },
  "image/webp": { strip: stripWebp, readHeader: readWebpHeader },
  "image/gif": { strip: stripGif, readHeader: readGifHeader },
};

function formatOf(contentType: string): PictureFormat {
  const format = FORMATS[contentType];
  if (!format) throw new Error(`no picture format of ours: ${contentType}`);
  return format;
}

/** The same picture, bit for bit, without anything about the person who took it. */
export function stripPicture(bytes: Bytes, contentType: string): Blob {
  return new Blob(formatOf(contentType).strip(bytes), { type: contentType });
}

export function readPictureHeader(bytes: Bytes, contentType: string): PictureHeader {
  return formatOf(contentType).readHeader(bytes);
}

// JPEG: removes EXIF, XMP, IPTC, comments, makers' blocks, embedded second pictures, and everything
// after the end (motion photos append a video). Pixels, colour profile and orientation stay.

const SCAN = 0xda;
const END = 0xd9;

function stripJpeg(bytes: Bytes): Bytes[] {
  const pieces = [bytes.subarray(0, 2)];
  for (const { marker, segment } of jpegSegments(bytes)) {
    const piece = cleanSegment(segment, marker);
    if (piece) pieces.push(piece);
  }
  return [...pieces, Uint8Array.of(0xff, END)];
}

function* jpegSegments(bytes: Bytes): Generator<{ marker: number; segment: Bytes }> {
  for (let at = 2; at + 1 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) return;
    const end = marker === SCAN ? scanEnd(bytes, at) : at + 2 + uint(bytes, at + 2, 2);
    yield { marker, segment: bytes.subarray(at, end) };
    at = end;
  }
}

const isExif = (segment: Bytes, marker: number): boolean =>
  marker === 0xe1 && textAt(segment, 4, 6) === "Exif\0\0";

/** What may stay of the segment, or null. */
function cleanSegment(segment: Bytes, marker: number): Bytes | null {
  if (isExif(segment, marker)) {
    const orientation = readOrientation(segment.subarray(10));
    return orientation > 1 ? exifSegment(orientation) : null;
  }
  const isPrivate = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
  return isPrivate && !isNeeded(segment, marker) ? null : segment;
}

/** Segments that change the look: JFIF, the colour profile, Adobe's colour transform. */
function isNeeded(segment: Bytes, marker: number): boolean {
  if (marker === 0xe0) return textAt(segment, 4, 5) === "JFIF\0";
  if (marker === 0xe2) return textAt(segment, 4, 12) === "ICC_PROFILE\0";
  return marker === 0xee && textAt(segment, 4, 5) === "Adobe";
}

function exifSegment(orientation: number): Bytes {
  const tiff = orientationTiff(orientation);
  const length = 2 + 6 + tiff.length;
  return Uint8Array.of(0xff, 0xe1, 0, length, ...asciiBytes("Exif\0\0"), ...tiff);
}

/** The scan at `at` ends at the next marker that is not part of its data. */
function scanEnd(bytes: Bytes, at: number): number {
  let i = at + 2 + uint(bytes, at + 2, 2);
  for (;;) {
    i = bytes.indexOf(0xff, i);
    if (i < 0) return bytes.length;
    const next = bytes[i + 1] ?? 0;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return i;
    i += next === 0xff ? 1 : 2;
  }
}

export interface PictureHeader {
  /** Pixels as stored, before the orientation turns them. */
  width: number;
  height: number;
  orientation: number;
}

function readJpegHeader(bytes: Bytes): PictureHeader {
  const header = { width: 0, height: 0, orientation: 1 };
  for (const { marker, segment } of jpegSegments(bytes)) {
    if (marker === SCAN) break;
    if (isExif(segment, marker)) header.orientation = readOrientation(segment.subarray(10));
    if (isJpegFrame(marker)) {
      header.height = uint(segment, 5, 2);
      header.width = uint(segment, 7, 2);
    }
  }
  return header;
}

// Orientation is the only part of EXIF that we keep.

const ORIENTATION_TAG = 0x0112;

/** 1 to 8 as EXIF counts them, from a TIFF block; 1 where it is missing or invalid. */
function readOrientation(tiff: Uint8Array): number {
  if (tiff.length < 14) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12;
    if (entry + 12 > tiff.length) break;
    if (view.getUint16(entry, little) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

function orientationTiff(orientation: number): Bytes {
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.of(...header, 0, 1, ...entry, 0, 0, 0, 0);
}

/** Whether width and height swap when the picture is shown. */
export const isSideways = (orientation: number): boolean => orientation >= 5;

// PNG: only the chunks that draw it stay, and the orientation.

const SIGNATURE = 8;
/** Chunks besides the critical ones (IHDR, PLTE, IDAT, IEND) that change the look. */
const DRAWING = "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT";
const KEPT_PNG_CHUNKS = new Set(`IHDR PLTE IDAT IEND ${DRAWING}`.split(" "));

function stripPng(bytes: Bytes): Bytes[] {
  const pieces = [bytes.subarray(0, SIGNATURE)];
  for (const chunk of pngChunks(bytes)) {
    if (chunk.type === "eXIf") {
      const orientation = readOrientation(chunk.data);
      if (orientation > 1) pieces.push(pngChunk("eXIf", orientationTiff(orientation)));
    } else if (KEPT_PNG_CHUNKS.has(chunk.type)) {
      pieces.push(chunk.whole);
    }
  }
  return pieces;
}

function readPngHeader(bytes: Bytes): PictureHeader {
  const exif = [...pngChunks(bytes)].find(({ type }) => type === "eXIf");
  return {
    width: uint(bytes, 16, 4),
    height: uint(bytes, 20, 4),
    orientation: exif ? readOrientation(exif.data) : 1,
  };
}

function* pngChunks(bytes: Bytes): Generator<{ type: string; data: Bytes; whole: Bytes }> {
  for (let at = SIGNATURE; at + 12 <= bytes.length; ) {
    const type = textAt(bytes, at + 4, 4);
    const end = at + 12 + uint(bytes, at, 4);
    yield { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) };
    if (type === "IEND") return;
    at = end;
  }
}

function pngChunk(type: string, data: Bytes): Bytes {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(asciiBytes(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

// WebP: only the chunks that draw it stay, and the orientation; nothing after its end.

const KEPT_WEBP_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

function stripWebp(bytes: Bytes): Bytes[] {
  const { orientation } = readWebpHeader(bytes);
  const kept = webpChunks(bytes)
    .filter(({ type }) => KEPT_WEBP_CHUNKS.has(type))
    .map(({ type, whole }) => (type === "VP8X" ? withFlags(whole, orientation > 1) : whole));
  if (orientation > 1) kept.push(webpChunk("EXIF", orientationTiff(orientation)));
  const size = kept.reduce((sum, piece) => sum + piece.length, 4);
  const head = new Uint8Array(12);
  head.set(asciiBytes("RIFF....WEBP"));
  new DataView(head.buffer).setUint32(4, size, true);
  return [head, ...kept];
}

function readWebpHeader(bytes: Bytes): PictureHeader {
  const chunks = webpChunks(bytes);
  const exif = chunks.find(({ type }) => type === "EXIF");
  const orientation = exif ? readOrientation(withoutPrefix(exif.data)) : 1;
  return { ...(chunks[0] ? webpSize(chunks[0]) : { width: 0, height: 0 }), orientation };
}

function webpSize({ type, data }: { type: string; data: Bytes }) {
  if (type === "VP8X") {
    return { width: littleUint(data, 4, 3) + 1, height: littleUint(data, 7, 3) + 1 };
  }
  if (type === "VP8L") {
    const bits = littleUint(data, 1, 4);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: littleUint(data, 6, 2) & 0x3fff, height: littleUint(data, 8, 2) & 0x3fff };
}

/** Some writers put JPEG's prefix before the block. */
function withoutPrefix(exif: Bytes): Bytes {
  return textAt(exif, 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif;
}

function withFlags(header: Bytes, exif: boolean): Bytes {
  const copy = header.slice();
  const flags = (copy[8] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
  copy[8] = exif ? flags | EXIF_FLAG : flags;
  return copy;
}

function webpChunks(bytes: Bytes): { type: string; data: Bytes; whole: Bytes }[] {
  const found = [];
  const limit = Math.min(bytes.length, littleUint(bytes, 4, 4) + 8);
  for (let at = 12; at + 8 <= limit; ) {
    const length = littleUint(bytes, at + 4, 4);
    const end = at + 8 + length + (length % 2);
    const data = bytes.subarray(at + 8, at + 8 + length);
    found.push({ type: textAt(bytes, at, 4), data, whole: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

function webpChunk(type: string, data: Bytes): Bytes {
  const chunk = new Uint8Array(8 + data.length + (data.length % 2));
  chunk.set(asciiBytes(type));
  new DataView(chunk.buffer).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}

// GIF: comments and application blocks (XMP is one) go, except the one with the repeat count.

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
const TRAILER = Uint8Array.of(0x3b);

function stripGif(bytes: Bytes): Bytes[] {
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

function readGifHeader(bytes: Bytes): PictureHeader {
  return { width: littleUint(bytes, 6, 2), height: littleUint(bytes, 8, 2), orientation: 1 };
}

function isDrawing(bytes: Bytes, at: number): boolean {
  if (bytes[at] !== EXTENSION) return true;
  const label = bytes[at + 1];
  if (label === APPLICATION) return /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(textAt(bytes, at + 3, 11));
  return label !== COMMENT;
}

/** The end of the block at `at`; null at the trailer and where there is no block. */
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

/** Bytes of the colour table that packed flags state. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
