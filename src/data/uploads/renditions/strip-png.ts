/** A PNG with only the chunks that draw it: no texts, times, EXIF (but its orientation) or makers' chunks. */
import { ascii, type Bytes, fromAscii, uint32 } from "./bytes";
import { orientationTiff, readOrientation } from "./orientation";
import type { PictureHeader } from "./strip-jpeg";

const SIGNATURE = 8;
/** Chunks beside the critical ones (IHDR, PLTE, IDAT, IEND) that change how the picture looks. */
const DRAWING = "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT";
const KEPT = new Set(`IHDR PLTE IDAT IEND ${DRAWING}`.split(" "));

/** The pieces of the clean file, in order. */
export function stripPng(bytes: Bytes): Bytes[] {
  const pieces = [bytes.subarray(0, SIGNATURE)];
  for (const chunk of chunks(bytes)) {
    if (chunk.type === "eXIf") {
      const orientation = readOrientation(chunk.data);
      if (orientation > 1) pieces.push(pngChunk("eXIf", orientationTiff(orientation)));
    } else if (KEPT.has(chunk.type)) {
      pieces.push(chunk.whole);
    }
  }
  return pieces;
}

export function readPngHeader(bytes: Bytes): PictureHeader {
  const exif = [...chunks(bytes)].find(({ type }) => type === "eXIf");
  return {
    width: uint32(bytes, 16),
    height: uint32(bytes, 20),
    orientation: exif ? readOrientation(exif.data) : 1,
  };
}

function* chunks(bytes: Bytes): Generator<{ type: string; data: Bytes; whole: Bytes }> {
  for (let at = SIGNATURE; at + 12 <= bytes.length; ) {
    const type = ascii(bytes, at + 4, 4);
    const end = at + 12 + uint32(bytes, at);
    yield { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) };
    if (type === "IEND") return;
    at = end;
  }
}

function pngChunk(type: string, data: Bytes): Bytes {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(fromAscii(type), 4);
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
