/**
 * Overwrites place, time and titles in a video. Nothing moves, so every offset in the file stays
 * right, and the file is never in memory as a whole.
 */
import {
  asciiBytes,
  type Bytes,
  byteAt,
  type ReadBytes,
  textAt,
  throughWindow,
  uint,
} from "@/domain/bytes";
import {
  type DetectedFile,
  type IsoBox,
  readElement,
  vintLength,
  WEBM_CLUSTER,
  WEBM_SEGMENT,
} from "@/domain/media-files";
import { boxAt, boxesIn, DASHCAM_LIST, type VideoSpot, videoSpots } from "@/domain/video-metadata";

export function stripVideo(read: ReadBytes, file: Blob, detected: DetectedFile): Blob {
  const spots = videoSpots(read, file.size, detected.contentType);
  const isIso = detected.contentType !== "video/webm";
  // The gaps go first: where an edit begins at the same place, the first one counts.
  const edits = [
    ...(isIso ? eraseGaps(throughWindow(read), file.size) : []),
    ...spots.flatMap(({ at, end, kind, leads }) => [
      { at, end, head: heads[kind](end - at) },
      ...eraseData(read, file.size, leads),
    ]),
  ];
  const trailer = spots.find(({ kind }) => kind === "trailer");
  return applyEdits(trailer ? file.slice(0, trailer.at) : file, edits, detected.contentType);
}

const NO_HEAD: Bytes = new Uint8Array();

/** What says that as many bytes are padding. */
const heads: Record<VideoSpot["kind"], (length: number) => Bytes> = {
  zeros: () => NO_HEAD,
  padding: () => NO_HEAD,
  trailer: () => NO_HEAD,
  box: freeBox,
  element: voidElement,
};

/** `head` and then zeros. */
interface Edit {
  at: number;
  end: number;
  head: Bytes;
}

const zeros = (at: number, end: number): Edit => ({ at, end, head: NO_HEAD });

const ZERO_STEP = 1_048_576;

/** The edited file, of the same length. Skips an edit that overlaps another or the end. */
export function applyEdits(file: Blob, edits: readonly Edit[], type: string): Blob {
  const parts: BlobPart[] = [];
  const nothing = new Blob([new Uint8Array(ZERO_STEP)]);
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    if (edit.at < at || edit.end > file.size) continue;
    parts.push(file.slice(at, edit.at), edit.head);
    for (let left = edit.end - edit.at - edit.head.length; left > 0; left -= ZERO_STEP) {
      parts.push(nothing.slice(0, left));
    }
    at = edit.end;
  }
  parts.push(file.slice(at));
  return new Blob(parts, { type });
}

function freeBox(length: number): Bytes {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, length);
  head.set(asciiBytes("free"), 4);
  return head;
}

/** More samples than 200 MB of metadata can hold: a crafted table stops here. */
const MAX_SAMPLES = 5_000_000;

function eraseData(read: ReadBytes, size: number, leads: VideoSpot["leads"]): Edit[] {
  if (leads === null) return [];
  if (typeof leads === "number") return eraseBlocks(throughWindow(read), size, leads);
  if (leads.type === DASHCAM_LIST) return eraseDashcamBlocks(read, leads);
  return [...eraseChunks(read, leads), ...eraseFragments(throughWindow(read), size, leads)];
}

const LIST_HEAD = 8;
const BLOCK_MARK = "freeGPS ";

/** The blocks whose places and sizes a dashcam lists. */
function eraseDashcamBlocks(read: ReadBytes, { body, end }: IsoBox): Edit[] {
  const list = read(body + LIST_HEAD, end - body - LIST_HEAD);
  const edits: Edit[] = [];
  for (let entry = 0; entry + 8 <= list.length; entry += 8) {
    const [at, length] = [uint(list, entry, 4), uint(list, entry + 4, 4)];
    // What a broken list names besides may be pictures.
    const mark = textAt(read(at + 4, BLOCK_MARK.length), 0, BLOCK_MARK.length);
    if (mark === BLOCK_MARK) edits.push(zeros(at, at + length));
  }
  return edits;
}

interface Chunk {
  at: number;
  length: number;
}

const eraseChunks = (read: ReadBytes, trak: IsoBox): Edit[] =>
  chunksOf(read, trak).chunks.map(({ at, length }) => zeros(at, at + length));

/** The chunks of one track by its sample tables, and whether these are complete. */
function chunksOf(read: ReadBytes, trak: IsoBox): { chunks: Chunk[]; isSure: boolean } {
  const stbl = boxAt(read, trak, "mdia", "minf", "stbl");
  if (stbl === undefined) return { chunks: [], isSure: false };
  const offsets = chunkOffsets(read, stbl);
  const perChunk = samplesPerChunk(read, stbl, offsets.length);
  const { sizeOf, count, areBytes } = sampleSizes(read, stbl);
  let sample = 0;
  const chunks = offsets.map((at, chunk) => {
    let length = 0;
    for (let n = perChunk[chunk] ?? 0; n > 0 && sample < MAX_SAMPLES; n--)
      length += sizeOf(sample++);
    return { at, length: areBytes ? length : Number.POSITIVE_INFINITY };
  });
  const isElsewhere = ["saio", "saiz", "stz2"].some((type) => boxAt(read, stbl, type));
  return { chunks, isSure: sample === count && !isElsewhere };
}

/**
 * What lies in a film's data and belongs to no track: some dashcams write places there that nothing
 * points to. Only where the tables of all tracks are complete, and the film is not in fragments.
 */
function eraseGaps(read: ReadBytes, size: number): Edit[] {
  const boxes = boxesIn(read, { body: 0, end: size });
  const [moov, second] = boxes.filter(({ type }) => type === "moov");
  if (moov === undefined || second || boxes.some(({ type }) => type === "moof")) return [];
  const index = boxesIn(read, moov);
  const tracks = index.filter(({ type }) => type === "trak").map((trak) => chunksOf(read, trak));
  const isSure = tracks.length > 0 && tracks.every((track) => track.isSure);
  if (!isSure || index.some(({ type }) => type === "mvex")) return [];
  const chunks = tracks.flatMap((track) => track.chunks).sort((a, b) => a.at - b.at);
  // A chunk of unknown length lasts until the next one.
  const used = chunks.map(({ at, length }, i) => ({
    at,
    end: length === Number.POSITIVE_INFINITY ? (chunks[i + 1]?.at ?? size) : at + length,
  }));
  return boxes
    .filter(({ type }) => type === "mdat")
    .flatMap(({ body, end }) => gapsIn(body, end, used));
}

/** What is not in `used`, whose parts are in order, between two places. */
function gapsIn(from: number, to: number, used: readonly { at: number; end: number }[]): Edit[] {
  const gaps: Edit[] = [];
  let at = from;
  for (const part of used) {
    if (part.at > at && at < to) gaps.push(zeros(at, Math.min(part.at, to)));
    at = Math.max(at, part.end);
  }
  if (at < to) gaps.push(zeros(at, to));
  return gaps;
}

// Fragments: each run of a track's samples lies where its `moof` says.

const HAS_BASE = 0x1;
const HAS_DESCRIPTION = 0x2;
const HAS_DURATION = 0x8;
const HAS_SIZE = 0x10;
const RUN_HAS_OFFSET = 0x1;
const RUN_HAS_FIRST_FLAGS = 0x4;
const RUN_HAS_SIZE = 0x200;
/** Duration, size, flags and composition offset of each sample. */
const RUN_FIELDS = [0x100, RUN_HAS_SIZE, 0x400, 0x800];

function eraseFragments(read: ReadBytes, size: number, trak: IsoBox): Edit[] {
  const id = trackId(read, trak);
  const moofs = boxesIn(read, { body: 0, end: size }).filter(({ type }) => type === "moof");
  return moofs.flatMap((moof) =>
    boxesIn(read, moof)
      .filter(({ type }) => type === "traf")
      .flatMap((traf) => eraseRuns(read, moof, traf, id)),
  );
}

function trackId(read: ReadBytes, trak: IsoBox): number {
  const tkhd = boxAt(read, trak, "tkhd");
  if (tkhd === undefined) return 0;
  const head = read(tkhd.body, 24);
  return uint(head, byteAt(head, 0) === 1 ? 20 : 12, 4);
}

function eraseRuns(read: ReadBytes, moof: IsoBox, traf: IsoBox, id: number): Edit[] {
  const tfhd = boxAt(read, traf, "tfhd");
  if (tfhd === undefined) return [];
  const head = read(tfhd.body, 40);
  if (uint(head, 4, 4) !== id) return [];
  const flags = uint(head, 1, 3);
  const has = (flag: number) => (flags & flag) !== 0;
  const base = has(HAS_BASE) ? uint(head, 8, 8) : moof.start;
  const skipped = (has(HAS_BASE) ? 8 : 0) + (has(HAS_DESCRIPTION) ? 4 : 0);
  const sizeAt = 8 + skipped + (has(HAS_DURATION) ? 4 : 0);
  const usualSize = has(HAS_SIZE) ? uint(head, sizeAt, 4) : 0;
  let at = base;
  return boxesIn(read, traf)
    .filter(({ type }) => type === "trun")
    .map((trun) => {
      const run = runOf(read(trun.body, trun.end - trun.body), usualSize);
      const from = run.offset === null ? at : base + run.offset;
      at = from + run.length;
      return zeros(from, at);
    });
}

/** Where a run's samples begin behind the base, and how many bytes they have. */
function runOf(trun: Uint8Array, usualSize: number): { offset: number | null; length: number } {
  const flags = uint(trun, 1, 3);
  const count = Math.min(uint(trun, 4, 4), MAX_SAMPLES);
  const offset = flags & RUN_HAS_OFFSET ? uint(trun, 8, 4) | 0 : null;
  if ((flags & RUN_HAS_SIZE) === 0) return { offset, length: count * usualSize };
  const step = RUN_FIELDS.filter((field) => flags & field).length * 4;
  let at = 8 + (flags & RUN_HAS_OFFSET ? 4 : 0) + (flags & RUN_HAS_FIRST_FLAGS ? 4 : 0);
  at += flags & 0x100 ? 4 : 0;
  let length = 0;
  for (let i = 0; i < count && at < trun.length; i++, at += step) length += uint(trun, at, 4);
  return { offset, length };
}

// WebM: the blocks of one track, in clusters of known and of unknown length.

const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const OPENED = [WEBM_SEGMENT, WEBM_CLUSTER, BLOCK_GROUP];

function eraseBlocks(read: ReadBytes, size: number, track: number): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0, count = 0; at < size && count < MAX_SAMPLES; count++) {
    const element = readElement(read(at, 12), at, at);
    if (element === null) break;
    const { id, body, end } = element;
    if (id === SIMPLE_BLOCK || id === BLOCK) {
      const from = blockDataOf(read(body, 12), body, track);
      if (from !== null && from < end) edits.push(zeros(from, end));
    }
    at = OPENED.includes(id) ? body : end;
  }
  return edits;
}

/** Where the data of a block of `track` begin; null for other tracks'. */
function blockDataOf(head: Uint8Array, body: number, track: number): number | null {
  const length = vintLength(byteAt(head, 0));
  const number = uint(head, 0, length) - 2 ** (7 * length);
  return number === track ? body + length + 3 : null;
}

/** The table's numbers after its version and flags. */
function tableOf(read: ReadBytes, stbl: IsoBox, type: string): ((index: number) => number) | null {
  const box = boxAt(read, stbl, type);
  if (box === undefined) return null;
  const bytes = read(box.body + 4, box.end - box.body - 4);
  return (index) => uint(bytes, index * 4, 4);
}

function chunkOffsets(read: ReadBytes, stbl: IsoBox): number[] {
  const short = tableOf(read, stbl, "stco");
  const length = (table: (index: number) => number) => Math.min(table(0), MAX_SAMPLES);
  if (short) return Array.from({ length: length(short) }, (_, i) => short(i + 1));
  const long = tableOf(read, stbl, "co64");
  if (!long) return [];
  return Array.from(
    { length: length(long) },
    (_, i) => long(2 * i + 1) * 2 ** 32 + long(2 * i + 2),
  );
}

function samplesPerChunk(read: ReadBytes, stbl: IsoBox, chunks: number): number[] {
  const table = tableOf(read, stbl, "stsc");
  const counts = new Array<number>(chunks).fill(0);
  if (!table) return counts;
  for (let entry = 0; entry < table(0); entry++) {
    // Each entry applies from its first chunk, counted from 1, to the next entry or the end.
    counts.fill(table(3 * entry + 2), Math.max(0, table(3 * entry + 1) - 1));
  }
  return counts;
}

/** `areBytes`: where all sizes are the same, old QuickTime counts frames of sound instead. */
function sampleSizes(read: ReadBytes, stbl: IsoBox) {
  const table = tableOf(read, stbl, "stsz");
  if (!table) return { sizeOf: () => 0, count: 0, areBytes: false };
  const [all, count] = [table(0), table(1)];
  const sizeOf = (sample: number) => (all > 0 ? all : sample < count ? table(sample + 2) : 0);
  return { sizeOf, count, areBytes: all === 0 };
}

const VOID = 0xec;

/** The head of an empty element of `length` bytes; at least two. */
function voidElement(length: number): Bytes {
  if (length < 10) return Uint8Array.of(VOID, 0x80 | (length - 2));
  const head = new Uint8Array(9);
  const view = new DataView(head.buffer);
  head[0] = VOID;
  view.setUint8(1, 1);
  view.setUint32(5, length - 9);
  return head;
}
