/** Place, time and titles out of a video, in place: nothing moves, so no table of offsets has to be rewritten. */
import {
  type DetectedFile,
  type IsoBox,
  readBox,
  readElement,
  WEBM_SEGMENT,
} from "@/domain/media-files";
import { ascii, type Bytes, fromAscii, uint32 } from "./bytes";

/** The clean file, made of slices of the given one: it is not read into memory. */
export function stripVideo(read: ReadVideo, file: Blob, detected: DetectedFile): Blob {
  const isWebm = detected.contentType === "video/webm";
  const edits = isWebm ? webmEdits(read, file.size) : isoVideoEdits(read, file.size);
  return applyEdits(file, edits, detected.contentType);
}

/** Writing over parts of a large file without reading the rest of it. */

/** Bytes to be written over those at `at`. */
export interface Edit {
  at: number;
  bytes: Bytes;
}

/** Reads `length` bytes from `offset`; fewer where the file ends. */
export type ReadVideo = (offset: number, length: number) => Bytes;

/** The edited file, as long as the given one and made of slices of it. An edit that overlaps another or the end is left out. */
export function applyEdits(file: Blob, edits: readonly Edit[], type: string): Blob {
  const parts: BlobPart[] = [];
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    const end = edit.at + edit.bytes.length;
    if (edit.at < at || end > file.size) continue;
    parts.push(file.slice(at, edit.at), edit.bytes);
    at = end;
  }
  parts.push(file.slice(at));
  return new Blob(parts, { type });
}

/**
 * What an MP4, MOV, M4V or 3GP tells about the person: `udta` and `meta` boxes (place, device, titles), times of
 * recording, makers' boxes at the top, and whole tracks of timed metadata (cameras write the place every second).
 * Each becomes a `free` box of zeros of the same size, so that every offset stays right.
 */

const TOP_KEPT = new Set(
  "ftyp styp moov mdat moof mfra sidx ssix free skip wide prft emsg pdin".split(" "),
);
const PERSONAL = new Set(["udta", "meta", "uuid"]);
/** Tracks that play, and the time code that belongs to them. */
const HANDLERS_KEPT = new Set("vide soun sbtl subt text clcp tmcd auxv".split(" "));
/** Boxes that begin with a version and two times, creation and modification. */
const TIMED = new Set(["mvhd", "tkhd", "mdhd"]);

export function isoVideoEdits(read: ReadVideo, size: number): Edit[] {
  const edits: Edit[] = [];
  for (const box of boxesIn(read, 0, size)) {
    if (box.type === "moov") edits.push(...indexEdits(read, box));
    else if (!TOP_KEPT.has(box.type)) edits.push({ at: box.start, bytes: freeBox(box) });
  }
  return edits;
}

/** The whole index rewritten as one piece, and the samples of the tracks that it no longer names. */
function indexEdits(read: ReadVideo, moov: IsoBox): Edit[] {
  const before = read(moov.start, moov.end - moov.start);
  const index = before.slice();
  const hidden = cleanIndex(index, moov.body - moov.start, index.length);
  const changed = index.some((byte, i) => byte !== before[i]);
  return changed ? [...hidden.map(zeros), { at: moov.start, bytes: index }] : [];
}

/** Cleans the boxes of `index` between `from` and `to`; answers where the samples of removed tracks lie in the file. */
function cleanIndex(index: Bytes, from: number, to: number): ByteRange[] {
  const read = (at: number, length: number) => index.subarray(at, at + length);
  return boxesIn(read, from, to).flatMap((box) => {
    const isForeign = box.type === "trak" && !HANDLERS_KEPT.has(handlerOf(read, box));
    if (TIMED.has(box.type)) eraseTimes(index, box);
    if (box.type === "mdia" || (box.type === "trak" && !isForeign)) {
      return cleanIndex(index, box.body, box.end);
    }
    const samples = isForeign ? sampleRanges(read, box) : [];
    if (isForeign || PERSONAL.has(box.type)) index.set(freeBox(box), box.start);
    return samples;
  });
}

function handlerOf(read: ReadVideo, trak: IsoBox): string {
  const mdia = boxesIn(read, trak.body, trak.end).find(({ type }) => type === "mdia");
  const hdlr = mdia && boxesIn(read, mdia.body, mdia.end).find(({ type }) => type === "hdlr");
  return hdlr ? ascii(read(hdlr.body + 8, 4), 0, 4) : "";
}

function eraseTimes(index: Bytes, box: IsoBox): void {
  const bytesOfTimes = index[box.body] === 1 ? 16 : 8;
  index.fill(0, box.body + 4, box.body + 4 + bytesOfTimes);
}

function boxesIn(read: ReadVideo, from: number, to: number): IsoBox[] {
  const boxes: IsoBox[] = [];
  for (let at = from; at + 8 <= to; ) {
    const box = readBox(read, at, to);
    if (box === null) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

const zeros = ({ at, length }: ByteRange): Edit => ({
  at,
  bytes: new Uint8Array(length),
});

function freeBox(box: IsoBox): Bytes {
  const bytes = new Uint8Array(box.end - box.start);
  new DataView(bytes.buffer).setUint32(0, bytes.length);
  bytes.set(fromAscii("free"), 4);
  return bytes;
}

/** Where the samples of one track lie in an ISO file, from its sample tables. */

export interface ByteRange {
  at: number;
  length: number;
}

/** More than 200 MB of metadata can hold; a crafted table ends here. */
const MAX_SAMPLES = 5_000_000;

/** One range per chunk of the track, in the file's own offsets. Empty where the tables are not there. */
export function sampleRanges(read: ReadVideo, trak: IsoBox): ByteRange[] {
  const stbl = boxAt(read, trak, ["mdia", "minf", "stbl"]);
  if (stbl === null) return [];
  const offsets = chunkOffsets(read, stbl);
  const perChunk = samplesPerChunk(read, stbl, offsets.length);
  const sizes = sampleSizes(read, stbl);
  let sample = 0;
  return offsets.map((at, chunk) => {
    let length = 0;
    for (let n = perChunk[chunk] ?? 0; n > 0 && sample < MAX_SAMPLES; n--)
      length += sizes(sample++);
    return { at, length };
  });
}

function boxAt(read: ReadVideo, inside: IsoBox, path: readonly string[]): IsoBox | null {
  const [type, ...rest] = path;
  if (type === undefined) return inside;
  for (let at = inside.body; at + 8 <= inside.end; ) {
    const box = readBox(read, at, inside.end);
    if (box === null) return null;
    if (box.type === type) return boxAt(read, box, rest);
    at = box.end;
  }
  return null;
}

/** The table's numbers behind its version and flags. */
function tableOf(read: ReadVideo, stbl: IsoBox, type: string): ((index: number) => number) | null {
  const box = boxAt(read, stbl, [type]);
  if (box === null) return null;
  const bytes = read(box.body + 4, box.end - box.body - 4);
  return (index) => uint32(bytes, index * 4);
}

function chunkOffsets(read: ReadVideo, stbl: IsoBox): number[] {
  const short = tableOf(read, stbl, "stco");
  if (short) return Array.from({ length: short(0) }, (_, i) => short(i + 1));
  const long = tableOf(read, stbl, "co64");
  if (!long) return [];
  return Array.from({ length: long(0) }, (_, i) => long(2 * i + 1) * 2 ** 32 + long(2 * i + 2));
}

function samplesPerChunk(read: ReadVideo, stbl: IsoBox, chunks: number): number[] {
  const table = tableOf(read, stbl, "stsc");
  const counts = new Array<number>(chunks).fill(0);
  if (!table) return counts;
  for (let entry = 0; entry < table(0); entry++) {
    // Each entry holds from its first chunk, counted from 1, to the end or the next entry.
    counts.fill(table(3 * entry + 2), Math.max(0, table(3 * entry + 1) - 1));
  }
  return counts;
}

function sampleSizes(read: ReadVideo, stbl: IsoBox): (sample: number) => number {
  const table = tableOf(read, stbl, "stsz");
  if (!table) return () => 0;
  const all = table(0);
  return all > 0 ? () => all : (sample) => (sample < table(1) ? table(sample + 2) : 0);
}

/** Titles, tags, attachments and the date of a WebM, each overwritten by an empty element of the same size. */

const INFO = 0x1549a966;
const TAGS = 0x1254c367;
const ATTACHMENTS = 0x1941a469;
const DATE = 0x4461;
const TITLE = 0x7ba9;
const VOID = 0xec;
const HEAD_BYTES = 12;

export function webmEdits(read: ReadVideo, size: number): Edit[] {
  const header = readElement(read(0, HEAD_BYTES), 0, 0);
  if (header === null) return [];
  const segment = readElement(read(header.end, HEAD_BYTES), header.end, header.end);
  if (segment?.id !== WEBM_SEGMENT) return [];
  const end = Math.min(segment.end, size);
  const personal = (from: number, to: number, ids: readonly number[]) =>
    elements(read, from, to)
      .filter(({ id }) => ids.includes(id))
      .map(({ start, end: stop }) => ({ at: start, bytes: voidElement(stop - start) }));
  const info = elements(read, segment.body, end).filter(({ id }) => id === INFO);
  return [
    ...personal(segment.body, end, [TAGS, ATTACHMENTS]),
    ...info.flatMap((element) => personal(element.body, element.end, [DATE, TITLE])),
  ];
}

/** Elements one after another, up to the first whose end is not known. */
function elements(read: ReadVideo, from: number, to: number) {
  const found: { id: number; start: number; body: number; end: number }[] = [];
  for (let at = from; at < to; ) {
    const element = readElement(read(at, HEAD_BYTES), at, at);
    if (element === null || element.end > to) break;
    found.push({ ...element, start: at });
    at = element.end;
  }
  return found;
}

/** An empty element of `length` bytes, head included; at least two. */
function voidElement(length: number): Bytes {
  const bytes = new Uint8Array(length);
  bytes[0] = VOID;
  const sizeLength = length < 10 ? 1 : 8;
  const view = new DataView(bytes.buffer);
  if (sizeLength === 1) view.setUint8(1, 0x80 | (length - 2));
  else {
    view.setUint8(1, 1);
    view.setUint32(5, length - 9);
  }
  return bytes;
}
