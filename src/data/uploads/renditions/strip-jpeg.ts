/**
 * A JPEG without what tells about the person: EXIF, XMP, IPTC, comments, makers' blocks, embedded second pictures
 * and whatever lies behind its end (motion photos carry a video with its place there). The picture data stay byte for
 * byte; colour profile and orientation stay too.
 */
import { ascii, type Bytes, fromAscii, uint16 } from "./bytes";
import { orientationTiff, readOrientation } from "./orientation";

const SCAN = 0xda;
const END = 0xd9;

/** The pieces of the clean file, in order. */
export function stripJpeg(bytes: Bytes): Bytes[] {
  const pieces = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) break;
    const end = marker === SCAN ? scanEnd(bytes, at) : at + 2 + uint16(bytes, at + 2);
    const piece = cleanSegment(bytes.subarray(at, end), marker);
    if (piece) pieces.push(piece);
    at = end;
  }
  pieces.push(Uint8Array.of(0xff, END));
  return pieces;
}

/** The segment as it may stay, or null. */
function cleanSegment(segment: Bytes, marker: number): Bytes | null {
  if (marker === 0xe1 && ascii(segment, 4, 6) === "Exif\0\0") {
    const orientation = readOrientation(segment.subarray(10));
    return orientation > 1 ? exifSegment(orientation) : null;
  }
  const isPrivate = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);
  return isPrivate && !isNeeded(segment, marker) ? null : segment;
}

/** Application segments without which the picture would look otherwise: JFIF, the colour profile, Adobe's colour transform. */
function isNeeded(segment: Bytes, marker: number): boolean {
  if (marker === 0xe0) return ascii(segment, 4, 5) === "JFIF\0";
  if (marker === 0xe2) return ascii(segment, 4, 12) === "ICC_PROFILE\0";
  return marker === 0xee && ascii(segment, 4, 5) === "Adobe";
}

function exifSegment(orientation: number): Bytes {
  const tiff = orientationTiff(orientation);
  const length = 2 + 6 + tiff.length;
  return Uint8Array.of(0xff, 0xe1, 0, length, ...fromAscii("Exif\0\0"), ...tiff);
}

/** Where the scan that begins at `at` ends: at the next marker that is not part of its data. */
function scanEnd(bytes: Bytes, at: number): number {
  let i = at + 2 + uint16(bytes, at + 2);
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

export function readJpegHeader(bytes: Bytes): PictureHeader {
  const header = { width: 0, height: 0, orientation: 1 };
  for (let at = 2; at + 4 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === SCAN || marker === END) break;
    const end = at + 2 + uint16(bytes, at + 2);
    if (marker === 0xe1 && ascii(bytes, at + 4, 6) === "Exif\0\0") {
      header.orientation = readOrientation(bytes.subarray(at + 10, end));
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      header.height = uint16(bytes, at + 5);
      header.width = uint16(bytes, at + 7);
    }
    at = end;
  }
  return header;
}
