/**
 * What a video's own headers say: size, length and how its pictures are coded. A browser without a
 * decoder for it tells none of that. Runs on the server, too.
 */
import { byteAt, type ReadBytes, textAt, throughWindow, uint } from "./bytes";
import { type IsoBox, readBox, readElement, WEBM_SEGMENT } from "./media-files";

export interface VideoFacts {
  /** A track of pictures, or a header that does not say. */
  hasPictures: boolean;
  /** Pixels as shown; 0 when unknown. */
  width: number;
  height: number;
  /** Seconds; 0 when unknown. */
  duration: number;
  /** Such as `avc1` or `V_VP9`; "" when unknown. */
  codec: string;
}

export function videoFacts(read: ReadBytes, size: number, contentType: string): VideoFacts {
  const isWebm = contentType === "video/webm";
  const facts = isWebm ? webmFacts(throughWindow(read), size) : isoFacts(read, size);
  const [width, height, duration] = [facts.width, facts.height, facts.duration].map(sensible);
  return { ...facts, width: width ?? 0, height: height ?? 0, duration: duration ?? 0 };
}

/** More pixels or seconds are a fault of the header, or a trick. */
const MOST = 1_000_000;
const sensible = (value: number): number => (value > 0 && value <= MOST ? value : 0);

const UNKNOWN: VideoFacts = { hasPictures: true, width: 0, height: 0, duration: 0, codec: "" };

/** Every browser of the last years plays these; the others only some, with the right hardware. */
export const playsEverywhere = ({ codec }: VideoFacts): boolean =>
  codec === "" || /^(avc[1-4]|vp0[89]|av01|V_VP[89]|V_AV1)$/.test(codec);

// MP4 and its relatives: `mvhd` has the length, `tkhd` the size, `stsd` the coding.

/** Boxes looked at in one box: an index of a phone has a dozen. */
const MAX_BOXES = 200;

function isoFacts(read: ReadBytes, size: number): VideoFacts {
  const file: IsoBox = { type: "", start: 0, body: 0, end: size };
  // Outside the index every box may be large, so nothing is read beyond its head.
  const moov = boxes(read, file, 5_000).find(({ type }) => type === "moov");
  if (moov === undefined) return UNKNOWN;
  const near = throughWindow((at, length) => read(at, Math.min(length, moov.end - at)));
  const tracks = boxes(near, moov).filter(({ type }) => type === "trak");
  const handlers = tracks.map((trak) => handlerOf(near, trak));
  const picture = tracks[handlers.indexOf("vide")];
  const duration = isoDuration(near, moov);
  if (picture === undefined) return { ...UNKNOWN, duration, hasPictures: tracks.length === 0 };
  return { hasPictures: true, duration, ...pictureTrack(near, picture) };
}

function boxes(read: ReadBytes, { body, end }: IsoBox, most = MAX_BOXES): IsoBox[] {
  const found: IsoBox[] = [];
  for (let at = body; at + 8 <= end && found.length < most; ) {
    const box = readBox(read, at, end);
    if (box === null) break;
    found.push(box);
    at = box.end;
  }
  return found;
}

const inside = (read: ReadBytes, outer: IsoBox, ...path: string[]): IsoBox | undefined =>
  path.reduce<IsoBox | undefined>(
    (box, wanted) => box && boxes(read, box).find(({ type }) => type === wanted),
    outer,
  );

function handlerOf(read: ReadBytes, trak: IsoBox): string {
  const hdlr = inside(read, trak, "mdia", "hdlr");
  return hdlr ? textAt(read(hdlr.body + 8, 4), 0, 4) : "";
}

/** A film in fragments has its length, if anywhere, in `mehd`. */
function isoDuration(read: ReadBytes, moov: IsoBox): number {
  const mvhd = inside(read, moov, "mvhd");
  if (mvhd === undefined) return 0;
  const head = read(mvhd.body, 32);
  const [scaleAt, length] = byteAt(head, 0) === 1 ? [20, 8] : [12, 4];
  const scale = uint(head, scaleAt, 4);
  const mehd = inside(read, moov, "mvex", "mehd");
  const long = mehd && read(mehd.body, 12);
  const fragments = long ? uint(long, 4, byteAt(long, 0) === 1 ? 8 : 4) : 0;
  const stated = uint(head, scaleAt + 4, length);
  // All ones: unknown.
  const units = stated > 0 && stated < 2 ** (8 * length) - 1 ? stated : fragments;
  return scale > 0 ? units / scale : 0;
}

/** A number with 16 bits behind the point. */
const FIXED = 65_536;

function pictureTrack(read: ReadBytes, trak: IsoBox) {
  const tkhd = inside(read, trak, "tkhd");
  const stsd = inside(read, trak, "mdia", "minf", "stbl", "stsd");
  // Behind version, flags and the number of entries the first entry begins.
  const entry = read(stsd === undefined ? trak.end : stsd.body + 8, 36);
  const codec = textAt(entry, 4, 4);
  const coded = { width: uint(entry, 32, 2), height: uint(entry, 34, 2) };
  if (tkhd === undefined) return { codec, ...coded };
  const head = read(tkhd.body, 96);
  const matrixAt = byteAt(head, 0) === 1 ? 52 : 40;
  const [width, height] = [0, 4].map((at) => Math.round(uint(head, matrixAt + 36 + at, 4) / FIXED));
  const size = width && height ? { width, height } : coded;
  // Turned by a quarter, as phones held upright write it.
  const isSideways = uint(head, matrixAt, 4) === 0 && uint(head, matrixAt + 4, 4) !== 0;
  return { codec, ...(isSideways ? { width: size.height, height: size.width } : size) };
}

// WebM: `Info` has the length, `Tracks` the rest. Both stand before the pictures.

const INFO = 0x1549a966;
const TIME_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const TRACK_TYPE = 0x83;
const CODEC = 0x86;
const VIDEO = 0xe0;
const SIZES = { width: [0x54b0, 0xb0], height: [0x54ba, 0xba] } as const;
const DISPLAY_UNIT = 0x54b2;
const PICTURES = 1;
const CLUSTER = 0x1f43b675;
const DEFAULT_SCALE = 1_000_000;
const NANOSECONDS = 1e9;

interface Element {
  id: number;
  body: number;
  end: number;
}

function webmFacts(read: ReadBytes, size: number): VideoFacts {
  const header = readElement(read(0, 12), 0, 0);
  const segment = header && readElement(read(header.end, 12), header.end, header.end);
  if (segment?.id !== WEBM_SEGMENT) return UNKNOWN;
  const top = elements(read, { ...segment, end: Math.min(segment.end, size) });
  const tracks = top.filter(({ id }) => id === TRACKS).flatMap((one) => elements(read, one));
  const entries = tracks.filter(({ id }) => id === TRACK).map((one) => elements(read, one));
  const picture = entries.find((entry) => numberIn(read, entry, TRACK_TYPE) === PICTURES);
  const duration = webmDuration(read, top);
  if (picture === undefined) return { ...UNKNOWN, duration, hasPictures: entries.length === 0 };
  const codec = picture.find(({ id }) => id === CODEC);
  const video = picture.filter(({ id }) => id === VIDEO).flatMap((one) => elements(read, one));
  // Display sizes in other units than pixels are ratios.
  const usable = numberIn(read, video, DISPLAY_UNIT) === 0 ? 0 : 1;
  const sizeOf = ([display, pixels]: readonly [number, number]) =>
    (usable === 0 && numberIn(read, video, display)) || numberIn(read, video, pixels);
  return {
    hasPictures: true,
    width: sizeOf(SIZES.width),
    height: sizeOf(SIZES.height),
    duration,
    codec: codec ? textAt(read(codec.body, codec.end - codec.body), 0, 32) : "",
  };
}

/** The elements of one, up to the first pictures. */
function elements(read: ReadBytes, { body, end }: Element): Element[] {
  const found: Element[] = [];
  for (let at = body; at < end && found.length < MAX_BOXES; ) {
    const element = readElement(read(at, 12), at, at);
    if (element === null || element.id === CLUSTER || element.end > end) break;
    found.push(element);
    at = element.end;
  }
  return found;
}

function numberIn(read: ReadBytes, list: readonly Element[], wanted: number): number {
  const element = list.find(({ id }) => id === wanted);
  const length = element ? Math.min(8, element.end - element.body) : 0;
  return element ? uint(read(element.body, length), 0, length) : 0;
}

function webmDuration(read: ReadBytes, top: readonly Element[]): number {
  const info = top.filter(({ id }) => id === INFO).flatMap((one) => elements(read, one));
  const element = info.find(({ id }) => id === DURATION);
  if (element === undefined) return 0;
  const bytes = read(element.body, element.end - element.body);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const ticks =
    bytes.length === 4 ? view.getFloat32(0) : bytes.length === 8 ? view.getFloat64(0) : 0;
  const scale = numberIn(read, info, TIME_SCALE) || DEFAULT_SCALE;
  return ticks > 0 ? (ticks * scale) / NANOSECONDS : 0;
}
