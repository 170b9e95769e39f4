/** Removes metadata from pictures without decoding them, and reads size and orientation. */
import {
  type Bytes,
  littleUint,
  type ReadBytes,
  textAt,
  throughWindow,
  uint,
} from "@/domain/bytes";
import { GIF_FRAME } from "@/domain/frames";
import {
  DETECT_BYTES,
  type DetectedFile,
  isAnimatedWebp,
  isJpegFrame,
  jpegParts,
} from "@/domain/media-files";
import { isExif, pictureParts, readOrientation, webpChunks } from "@/domain/metadata";

/** The same picture, bit for bit, without anything about the person who took it. */
export function stripPicture(bytes: Bytes, contentType: string): Blob {
  const parts = pictureParts(readerOf(bytes), bytes.length, contentType);
  const clean = parts.map(({ at, end, instead }) => instead ?? bytes.subarray(at, end));
  return new Blob([joined(clean)], { type: contentType });
}

/** Firefox decodes no blob whose first part is too short to tell a type, as a JPEG's is. */
function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const readerOf =
  (bytes: Bytes): ReadBytes =>
  (offset, length) =>
    bytes.subarray(offset, offset + length);

export interface PictureHeader {
  /** Pixels as stored, before the orientation turns them. */
  width: number;
  height: number;
  orientation: number;
}

const HEADERS: Record<string, (bytes: Bytes) => PictureHeader> = {
  "image/jpeg": readJpegHeader,
  "image/png": readPngHeader,
  "image/webp": readWebpHeader,
  "image/gif": (bytes) => ({
    width: littleUint(bytes, 6, 2),
    height: littleUint(bytes, 8, 2),
    orientation: 1,
  }),
};

export function readPictureHeader(bytes: Bytes, contentType: string): PictureHeader {
  const readHeader = HEADERS[contentType];
  if (!readHeader) throw new Error(`no picture format of ours: ${contentType}`);
  return readHeader(bytes);
}

const SCAN = 0xda;

function readJpegHeader(bytes: Bytes): PictureHeader {
  const header = { width: 0, height: 0, orientation: 1 };
  for (const { marker, at, end } of jpegParts(readerOf(bytes), bytes.length)) {
    if (marker === SCAN) break;
    const segment = bytes.subarray(at, end);
    if (isExif(segment, marker)) header.orientation = readOrientation(segment.subarray(10));
    if (isJpegFrame(marker)) {
      header.height = uint(segment, 5, 2);
      header.width = uint(segment, 7, 2);
    }
  }
  return header;
}

/** Whether width and height swap when the picture is shown. */
export const isSideways = (orientation: number): boolean => orientation >= 5;

function readPngHeader(bytes: Bytes): PictureHeader {
  const parts = pictureParts(readerOf(bytes), bytes.length, "image/png");
  const exif = parts.find(({ at }) => textAt(bytes, at + 4, 4) === "eXIf");
  return {
    width: uint(bytes, 16, 4),
    height: uint(bytes, 20, 4),
    orientation: exif ? readOrientation(bytes.subarray(exif.at + 8, exif.end - 4)) : 1,
  };
}

function readWebpHeader(bytes: Bytes): PictureHeader {
  const chunks = webpChunks(readerOf(bytes), bytes.length);
  const [first] = chunks;
  const size = first && webpSize(first.type, bytes.subarray(first.at + 8, first.end));
  // Browsers do not turn a WebP by its EXIF.
  return { width: 0, height: 0, ...size, orientation: 1 };
}

function webpSize(type: string, data: Bytes) {
  if (type === "VP8X") {
    return { width: littleUint(data, 4, 3) + 1, height: littleUint(data, 7, 3) + 1 };
  }
  if (type === "VP8L") {
    const bits = littleUint(data, 1, 4);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: littleUint(data, 6, 2) & 0x3fff, height: littleUint(data, 8, 2) & 0x3fff };
}

/** Bytes of the picture after `stripPicture`. */
export const strippedSize = (read: ReadBytes, size: number, contentType: string): number =>
  pictureParts(read, size, contentType).reduce(
    (sum, { at, end, instead }) => sum + (instead?.length ?? end - at),
    0,
  );

export function isAnimated(read: ReadBytes, size: number, { contentType }: DetectedFile): boolean {
  if (contentType === "image/webp") return isAnimatedWebp(read(0, DETECT_BYTES));
  const near = throughWindow(read);
  const parts = pictureParts(read, size, contentType);
  // An animated PNG says so before its first picture.
  if (contentType === "image/png") {
    return parts.some(({ at }) => textAt(near(at + 4, 4), 0, 4) === "acTL");
  }
  if (contentType !== "image/gif") return false;
  return parts.filter(({ at }) => near(at, 1)[0] === GIF_FRAME).length > 1;
}
