/**
 * What an MP4, MOV, M4V or 3GP tells about the person: `udta` and `meta` boxes (place, device, titles), times of
 * recording, makers' boxes at the top, and whole tracks of timed metadata (cameras write the place every second).
 * Each becomes a `free` box of zeros of the same size, so that every offset stays right.
 */
import { type IsoBox, readBox } from "@/domain/media-files";
import { ascii, type Bytes, fromAscii } from "./bytes";
import { type ByteRange, sampleRanges } from "./iso-sample-ranges";
import type { Edit, ReadVideo } from "./video-edits";

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
