/**
 * Overwrites place, time and titles in a video. Nothing moves, so every offset in the file stays
 * right, and the file is never in memory as a whole.
 */
import { asciiBytes, type Bytes, textAt, uint } from "@/domain/bytes";
import {
  type DetectedFile,
  type IsoBox,
  readBox,
  readElement,
  WEBM_SEGMENT,
} from "@/domain/media-files";

export function stripVideo(read: ReadVideo, file: Blob, detected: DetectedFile): Blob {
  const isWebm = detected.contentType === "video/webm";
  const edits = isWebm ? webmEdits(read, file.size) : isoVideoEdits(read, file.size);
  return applyEdits(file, edits, detected.contentType);
}

interface Edit {
  at: number;
  bytes: Bytes;
}

/** Reads `length` bytes from `offset`; fewer where the file ends. */
type ReadVideo = (offset: number, length: number) => Bytes;

/** The edited file, of the same length. Skips an edit that overlaps another or the end. */
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

// MP4, MOV, M4V and 3GP: `udta` and `meta` boxes (place, device, titles), times, makers' boxes and
// tracks of timed metadata (cameras write places) become `free` boxes of zeros of the same size.

const TOP_KEPT = new Set(
  "ftyp styp moov mdat moof mfra sidx ssix free skip wide prft emsg pdin".split(" "),
);
const PERSONAL = new Set(["udta", "meta", "uuid"]);
/** Tracks that play, and the time code that belongs to them. */
const HANDLERS_KEPT = new Set("vide soun sbtl subt text clcp tmcd auxv".split(" "));
/** Boxes that begin with a version, a creation time and a modification time. */
const TIMED = new Set(["mvhd", "tkhd", "mdhd"]);

function isoVideoEdits(read: ReadVideo, size: number): Edit[] {
  const edits: Edit[] = [];
  for (const box of boxesIn(read, 0, size)) {
    if (box.type === "moov") edits.push(...indexEdits(read, box));
    else if (!TOP_KEPT.has(box.type)) edits.push({ at: box.start, bytes: freeBox(box) });
  }
  return edits;
}

/** The whole index rewritten as one piece, and the samples of the tracks removed from it. */
function indexEdits(read: ReadVideo, moov: IsoBox): Edit[] {
  const before = read(moov.start, moov.end - moov.start);
  const index = before.slice();
  const hidden = cleanIndex(index, moov.body - moov.start, index.length);
  const changed = index.some((byte, i) => byte !== before[i]);
  return changed ? [...hidden, { at: moov.start, bytes: index }] : [];
}

function cleanIndex(index: Bytes, from: number, to: number): Edit[] {
  const read = (at: number, length: number) => index.subarray(at, at + length);
  return boxesIn(read, from, to).flatMap((box) => {
    const isForeign = box.type === "trak" && !HANDLERS_KEPT.has(handlerOf(read, box));
    if (TIMED.has(box.type)) eraseTimes(index, box);
    if (box.type === "mdia" || (box.type === "trak" && !isForeign)) {
      return cleanIndex(index, box.body, box.end);
    }
    const samples = isForeign ? eraseSamples(read, box) : [];
    if (isForeign || PERSONAL.has(box.type)) index.set(freeBox(box), box.start);
    return samples;
  });
}

function handlerOf(read: ReadVideo, trak: IsoBox): string {
  const hdlr = boxAt(read, trak, "mdia", "hdlr");
  return hdlr ? textAt(read(hdlr.body + 8, 4), 0, 4) : "";
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

const boxAt = (read: ReadVideo, inside: IsoBox, ...path: string[]): IsoBox | undefined =>
  path.reduce<IsoBox | undefined>(
    (box, wanted) => box && boxesIn(read, box.body, box.end).find(({ type }) => type === wanted),
    inside,
  );

function freeBox(box: IsoBox): Bytes {
  const bytes = new Uint8Array(box.end - box.start);
  new DataView(bytes.buffer).setUint32(0, bytes.length);
  bytes.set(asciiBytes("free"), 4);
  return bytes;
}

/** More samples than 200 MB of metadata can hold: a crafted table stops here. */
const MAX_SAMPLES = 5_000_000;

/** Zeros over each chunk of one track, found by its sample tables; none without those tables. */
function eraseSamples(read: ReadVideo, trak: IsoBox): Edit[] {
  const stbl = boxAt(read, trak, "mdia", "minf", "stbl");
  if (stbl === undefined) return [];
  const offsets = chunkOffsets(read, stbl);
  const perChunk = samplesPerChunk(read, stbl, offsets.length);
  const sizes = sampleSizes(read, stbl);
  let sample = 0;
  return offsets.map((at, chunk) => {
    let length = 0;
    for (let n = perChunk[chunk] ?? 0; n > 0 && sample < MAX_SAMPLES; n--)
      length += sizes(sample++);
    return { at, bytes: new Uint8Array(length) };
  });
}

/** The table's numbers after its version and flags. */
function tableOf(read: ReadVideo, stbl: IsoBox, type: string): ((index: number) => number) | null {
  const box = boxAt(read, stbl, type);
  if (box === undefined) return null;
  const bytes = read(box.body + 4, box.end - box.body - 4);
  return (index) => uint(bytes, index * 4, 4);
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
    // Each entry applies from its first chunk, counted from 1, to the next entry or the end.
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

// WebM: titles, tags, attachments and the date. Each becomes an empty element of the same size.

const INFO = 0x1549a966;
const TAGS = 0x1254c367;
const ATTACHMENTS = 0x1941a469;
const DATE = 0x4461;
const TITLE = 0x7ba9;
const VOID = 0xec;
const HEAD_BYTES = 12;

function webmEdits(read: ReadVideo, size: number): Edit[] {
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

/** The elements up to the first whose end is unknown. */
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

/** An empty element of `length` bytes with its head; at least two. */
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
