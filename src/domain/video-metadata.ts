/**
 * What a video says besides its pictures and its sound: places, times, titles, devices. Each part
 * that plays is named here; the rest is overwritten in place, for cameras put places anywhere.
 */
import { byteAt, type ReadBytes, textAt, throughWindow, uint } from "./bytes";
import {
  type IsoBox,
  MAX_PARTS,
  readBox,
  readElement,
  TOP_WINDOW,
  WEBM_CLUSTER,
  WEBM_SEGMENT,
} from "./media-files";

/** A place in a video to be overwritten without moving anything. */
export interface VideoSpot {
  at: number;
  end: number;
  /**
   * What it is: bytes to be zero, a box of ISO media, one that is padding already, an element of
   * WebM, or what follows the last box and is none.
   */
  kind: "zeros" | "box" | "padding" | "element" | "trailer";
  /**
   * What leads to data of it elsewhere, which are to go too: the box of a track, a track's number
   * in a WebM, or the box in which a dashcam lists its blocks.
   */
  leads: IsoBox | number | null;
}

/** `mostReads` bounds the work that the indexes of a crafted file make. */
export const videoSpots = (
  read: ReadBytes,
  size: number,
  contentType: string,
  mostReads = Number.POSITIVE_INFINITY,
): VideoSpot[] =>
  contentType === "video/webm" ? webmSpots(read, size) : isoSpots(read, size, mostReads);

/** How much of all padding together is read to see whether it is empty. */
const PADDING_LOOK = 65_536;
/** A film of a phone has five tracks, of which each takes 50. */
const INDEX_READS = 3_000;

/** Whether a whole file has a spot that `stripVideo` would change. Of padding the begin counts. */
export function holdsVideoMetadata(read: ReadBytes, size: number, contentType: string): boolean {
  let left = PADDING_LOOK;
  return videoSpots(read, size, contentType, INDEX_READS).some(({ at, end, kind }) => {
    if (kind !== "padding") return true;
    const length = Math.min(end - at, left);
    left -= length;
    return length > 0 && read(at, length).some((byte) => byte !== 0);
  });
}

// MP4, MOV, M4V and 3GP. Makers use `udta`, `meta`, `uuid` and boxes of their own, `free` and
// `skip` (BlackVue), tracks of metadata (GoPro, Android) and of captions (drones).

/** Which boxes may stand in a box; those of "" at the top. */
const KEPT: Record<string, string[]> = {
  "": "ftyp styp moov mdat moof mfra sidx ssix prft pdin wide free skip".split(" "),
  moov: "mvhd trak mvex iods free skip".split(" "),
  trak: "tkhd edts tref mdia tapt clip matt load imap free skip".split(" "),
  mdia: "mdhd hdlr elng minf free skip".split(" "),
  minf: "vmhd smhd hmhd nmhd sthd gmhd dinf hdlr stbl free skip".split(" "),
  stbl: (
    "stsd stts ctts cslg stsc stsz stz2 stco co64 stss stps stsh stdp padb sdtp sbgp sgpd subs " +
    "saiz saio free skip"
  ).split(" "),
  moof: "mfhd traf free skip".split(" "),
  traf: "tfhd tfdt trun sdtp sbgp sgpd subs saiz saio senc free skip".split(" "),
};
export const DASHCAM_LIST = "gps ";
const PADDING = ["free", "skip", "wide"];
/** Tracks that play, and the time code that belongs to them. */
const HANDLERS_KEPT = ["vide", "soun", "auxv", "tmcd"];
/** Boxes that begin with a version, a creation time and a modification time. */
const TIMED = ["mvhd", "tkhd", "mdhd"];

const spotOf = (kind: VideoSpot["kind"], at: number, end: number): VideoSpot => ({
  at,
  end,
  kind,
  leads: null,
});

function isoSpots(read: ReadBytes, size: number, mostReads: number): VideoSpot[] {
  const near = throughWindow(read);
  let left = mostReads;
  const frugal: ReadBytes = (at, length) => {
    left -= 1;
    return left < 0 ? new Uint8Array() : near(at, Math.min(length, size - at));
  };
  const boxes = boxesIn(throughWindow(read, TOP_WINDOW), { body: 0, end: size });
  const end = boxes[boxes.length - 1]?.end ?? size;
  const trailer = end < size ? [spotOf("trailer", end, size)] : [];
  return [...boxes.flatMap((box) => spotsOf(frugal, "", box)), ...trailer];
}

function spotsOf(read: ReadBytes, parent: string, box: IsoBox): VideoSpot[] {
  const { type, start, body, end } = box;
  if (!KEPT[parent]?.includes(type)) {
    return [{ ...spotOf("box", start, end), leads: type === DASHCAM_LIST ? box : null }];
  }
  if (PADDING.includes(type)) return end > body ? [spotOf("padding", body, end)] : [];
  if (TIMED.includes(type)) return timesOf(read, box);
  const isForeign = type === "trak" && !HANDLERS_KEPT.includes(handlerOf(read, box));
  if (isForeign) return [{ ...spotOf("box", start, end), leads: box }];
  if (KEPT[type] === undefined) return [];
  return boxesIn(read, box).flatMap((inner) => spotsOf(read, type, inner));
}

function handlerOf(read: ReadBytes, trak: IsoBox): string {
  const hdlr = boxAt(read, trak, "mdia", "hdlr");
  return hdlr ? textAt(read(hdlr.body + 8, 4), 0, 4) : "";
}

function timesOf(read: ReadBytes, { body }: IsoBox): VideoSpot[] {
  const head = read(body, 20);
  const end = 4 + (byteAt(head, 0) === 1 ? 16 : 8);
  const isClean = uint(head, 4, 8) + uint(head, 12, end - 12) === 0;
  return isClean ? [] : [spotOf("zeros", body + 4, body + end)];
}

export function boxesIn(read: ReadBytes, { body, end }: Pick<IsoBox, "body" | "end">): IsoBox[] {
  const boxes: IsoBox[] = [];
  for (let at = body; at + 8 <= end && boxes.length < MAX_PARTS; ) {
    const box = readBox(read, at, end);
    if (box === null) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

export const boxAt = (read: ReadBytes, inside: IsoBox, ...path: string[]): IsoBox | undefined =>
  path.reduce<IsoBox | undefined>(
    (box, wanted) => box && boxesIn(read, box).find(({ type }) => type === wanted),
    inside,
  );

// WebM: what plays is kept, of what is written about it the numbers.

const SEEK_HEAD = 0x114d9b74;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const CUES = 0x1c53bb6b;
const VOID = 0xec;
const CHECKSUM = 0xbf;
const KEPT_ELEMENTS = [SEEK_HEAD, INFO, TRACKS, CUES, WEBM_CLUSTER, CHECKSUM];
/** Time scale, length, and the two names of programs without which it is no WebM. */
const KEPT_INFO = [0x2ad7b1, 0x4489, 0x4d80, 0x5741, CHECKSUM];
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
/** Pictures and sound. */
const TYPES_KEPT = [1, 2];
const ELEMENT_HEAD = 12;
/** Three hours in clusters of a second. */
const MAX_ELEMENTS = 10_000;

function webmSpots(read: ReadBytes, size: number): VideoSpot[] {
  const header = readElement(read(0, ELEMENT_HEAD), 0, 0);
  if (header === null) return [];
  const segment = readElement(read(header.end, ELEMENT_HEAD), header.end, header.end);
  if (segment?.id !== WEBM_SEGMENT) return [];
  const all = elementsIn(read, segment.body, Math.min(segment.end, size));
  const inside = (parent: number) =>
    all
      .filter(({ id }) => id === parent)
      .flatMap(({ body, end }) => elementsIn(throughWindow(read), body, end));
  return [
    ...foreignElements(all, KEPT_ELEMENTS),
    ...foreignElements(inside(INFO), KEPT_INFO),
    ...inside(TRACKS).flatMap((entry) => foreignTrack(throughWindow(read), entry)),
  ];
}

const foreignElements = (all: WebmElement[], kept: number[]): VideoSpot[] =>
  all.flatMap(({ id, at, body, end }) => {
    if (id === VOID) return end > body ? [spotOf("padding", body, end)] : [];
    return kept.includes(id) ? [] : [spotOf("element", at, end)];
  });

/** Captions and metadata, with their samples. */
function foreignTrack(read: ReadBytes, { id, at, body, end }: WebmElement): VideoSpot[] {
  if (id !== TRACK_ENTRY) return foreignElements([{ id, at, body, end }], [CHECKSUM]);
  const parts = elementsIn(read, body, end);
  const number = (wanted: number) => {
    const part = parts.find((one) => one.id === wanted);
    const bytes = part ? read(part.body, Math.min(8, part.end - part.body)) : [];
    return uint(bytes, 0, bytes.length);
  };
  if (TYPES_KEPT.includes(number(TRACK_TYPE))) return [];
  return [{ ...spotOf("element", at, end), leads: number(TRACK_NUMBER) }];
}

export interface WebmElement {
  id: number;
  at: number;
  body: number;
  end: number;
}

/** The elements up to the first whose end is unknown. */
export function elementsIn(read: ReadBytes, from: number, to: number): WebmElement[] {
  const found: WebmElement[] = [];
  for (let at = from; at < to && found.length < MAX_ELEMENTS; ) {
    const element = readElement(read(at, ELEMENT_HEAD), at, at);
    if (element === null || element.end > to) break;
    found.push({ ...element, at });
    at = element.end;
  }
  return found;
}
