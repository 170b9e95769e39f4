/**
 * The pictures inside a GIF or a WebP, by the sizes that their headers state. A decoder that trusts
 * one header and meets another size in the next may end its process, and an animation of a few
 * kilobytes can keep it busy for minutes. Reads headers only, and not too many.
 */
import {
  byteAt,
  littleUint,
  type ReadableBytes,
  type ReadBytes,
  textAt,
  throughWindow,
} from "./bytes";

export interface Pictures {
  /** Whether all parts are there, are where they may be and agree on their sizes. */
  whole: boolean;
  /** Width times height of the largest, the canvas included; Infinity for more than can be read. */
  largest: number;
  /** The same of all frames together. */
  total: number;
  /** Whether a GIF has its end mark behind the last part. */
  ended?: boolean;
}

interface Size {
  width: number;
  height: number;
}

/** Thirty seconds at 25 frames a second. */
const MAX_FRAMES = 750;
const TOO_MANY: Pictures = { whole: true, largest: Infinity, total: Infinity };
const BROKEN: Pictures = { whole: false, largest: Infinity, total: Infinity };

function addPicture(found: Pictures, { width, height }: Size): void {
  found.largest = Math.max(found.largest, width * height);
  found.total += width * height;
}

/** Blocks of a GIF that are read. Most encoders write blocks of 255 bytes: 20,000 in 5 MB. */
const MAX_GIF_BLOCKS = 60_000;
/** Frames and extensions: most frames have one before them. */
const MAX_GIF_PARTS = 5_000;

export function gifPictures(read: ReadBytes, size: number): Pictures {
  const near = throughWindow(read);
  const screen = near(6, 7);
  const found = { whole: false, largest: sizeOf16(screen, 0), total: 0 };
  let at = 13 + colorTable(byteAt(screen, 4));
  let frames = 0;
  const skipBlocks = blockSkipper(near, size);
  for (let parts = 0; at < size && parts < MAX_GIF_PARTS; parts++) {
    const head = near(at, 10);
    const kind = byteAt(head, 0);
    if (kind === GIF_FRAME) {
      frames += 1;
      addPicture(found, { width: littleUint(head, 5, 2), height: littleUint(head, 7, 2) });
      at += 11 + colorTable(byteAt(head, 9));
    } else if (kind === GIF_EXTENSION) {
      at += 2;
    } else {
      // The trailer, or nothing that a decoder goes on from.
      return { ...found, whole: frames > 0, ended: kind === GIF_TRAILER };
    }
    if (frames > MAX_FRAMES) return TOO_MANY;
    at = skipBlocks(at);
  }
  return BROKEN;
}

/** Finds the end of the blocks that begin at a place; Infinity without one, or after too many. */
export function blockSkipper(near: ReadBytes, size: number): (from: number) => number {
  let left = MAX_GIF_BLOCKS;
  return (from) => {
    for (let at = from; at < size; ) {
      const bytes = near(at, 4096);
      let i = 0;
      while (i < bytes.length) {
        const length = byteAt(bytes, i);
        i += length + 1;
        if (length === 0) return at + i;
        left -= 1;
        if (left < 0) return Infinity;
      }
      at += i;
    }
    return Infinity;
  };
}

export const GIF_EXTENSION = 0x21;
export const GIF_FRAME = 0x2c;
export const GIF_TRAILER = 0x3b;

const sizeOf16 = (bytes: ReadableBytes, at: number): number =>
  littleUint(bytes, at, 2) * littleUint(bytes, at + 2, 2);

/** Bytes of the color table that these flags announce. */
export const colorTable = (flags: number): number =>
  flags >= 0x80 ? 3 * 2 ** ((flags % 8) + 1) : 0;

interface Chunk {
  type: string;
  /** The first bytes of what it holds. */
  head: ReadableBytes;
  body: number;
  end: number;
}

const MAX_CHUNKS = 2_000;
/** A frame of an animation has its alpha, its picture, and perhaps what is not invented yet. */
const MAX_FRAME_CHUNKS = 3;

/** The chunks between two places; null where one does not fit, or there are too many. */
function chunksIn(read: ReadBytes, from: number, end: number, most: number): Chunk[] | null {
  const chunks: Chunk[] = [];
  for (let at = from; at + 8 <= end; ) {
    const bytes = read(at, 24);
    const body = at + 8;
    const length = littleUint(bytes, 4, 4);
    if (body + length > end || chunks.length >= most) return null;
    const head = bytes.subarray(8, 8 + length);
    chunks.push({ type: textAt(bytes, 0, 4), head, body, end: body + length });
    at = body + length + (length % 2);
  }
  return chunks;
}

const isPicture = ({ type }: Chunk): boolean => type === "VP8 " || type === "VP8L";

export function webpPictures(readAnywhere: ReadBytes, size: number): Pictures {
  const read = throughWindow(readAnywhere);
  const end = littleUint(read(4, 4), 0, 4) + 8;
  const chunks = chunksIn(read, 12, Math.min(end, size), MAX_CHUNKS);
  const first = chunks?.[0];
  if (!chunks || !first) return BROKEN;
  const found = { whole: end <= size, largest: 0, total: 0 };
  if (first.type !== "VP8X") {
    if (!isPicture(first) || chunks.some(({ type }) => /^(VP8X|ANMF)$/.test(type)))
      found.whole = false;
    addStill(chunks, null, found);
    return found;
  }
  const canvas = { width: sideOf24(first.head, 4), height: sideOf24(first.head, 7) };
  found.largest = canvas.width * canvas.height;
  if (chunks.filter(({ type }) => type === "VP8X").length > 1) found.whole = false;
  const frames = chunks.filter(({ type }) => type === "ANMF");
  const animated = (byteAt(first.head, 0) & 0x02) !== 0;
  if (frames.length > MAX_FRAMES) return TOO_MANY;
  if (animated !== frames.length > 0) found.whole = false;
  for (const frame of frames) addFrame(read, frame, canvas, found);
  if (!animated) addStill(chunks, canvas, found);
  else if (chunks.some((chunk) => isPicture(chunk) || chunk.type === "ALPH")) found.whole = false;
  return found;
}

const sideOf24 = (bytes: ReadableBytes, at: number): number => littleUint(bytes, at, 3) + 1;

/** A frame of an animation must be inside the canvas, and its picture as large as it says. */
function addFrame(read: ReadBytes, frame: Chunk, canvas: Size, found: Pictures): void {
  const { head, body, end } = frame;
  const size = { width: sideOf24(head, 6), height: sideOf24(head, 9) };
  const right = 2 * littleUint(head, 0, 3) + size.width;
  const bottom = 2 * littleUint(head, 3, 3) + size.height;
  if (right > canvas.width || bottom > canvas.height) found.whole = false;
  const chunks = chunksIn(read, body + 16, end, MAX_FRAME_CHUNKS);
  if (chunks === null) found.whole = false;
  else addStill(chunks, size, found);
}

/**
 * Among these chunks there must be one picture, as large as `expected`, with at most one chunk of
 * alpha before it, whose size is that of the canvas too. A file without a canvas has no alpha.
 */
function addStill(chunks: readonly Chunk[], expected: Size | null, found: Pictures): void {
  const pictures = chunks.filter(isPicture);
  for (const picture of pictures) {
    const size = bitmapSize(picture);
    addPicture(found, size);
    const { width, height } = expected ?? size;
    if (size.width !== width || size.height !== height || width * height === 0) found.whole = false;
  }
  const [picture] = pictures;
  const alphas = chunks.filter(({ type }) => type === "ALPH");
  const mayHave = expected !== null && picture?.type === "VP8 ";
  if (pictures.length !== 1 || alphas.length > (mayHave ? 1 : 0)) found.whole = false;
  if (alphas.some(({ body }) => body > (picture?.body ?? 0))) found.whole = false;
}

/** Nothing by nothing where the picture's signature is missing. */
function bitmapSize({ type, head }: Chunk): Size {
  if (type === "VP8L") {
    const sides = littleUint(head, 1, 4);
    return byteAt(head, 0) === 0x2f
      ? { width: (sides % 16_384) + 1, height: (Math.floor(sides / 16_384) % 16_384) + 1 }
      : { width: 0, height: 0 };
  }
  return littleUint(head, 3, 3) === 0x2a019d
    ? { width: littleUint(head, 6, 2) % 16_384, height: littleUint(head, 8, 2) % 16_384 }
    : { width: 0, height: 0 };
}
