/** A file's type by its bytes, and whether it is whole. Runs on the server, without TextEncoder. */
import { byteAt, type ReadableBytes, type ReadBytes, textAt, throughWindow, uint } from "./bytes";
import { GIF_TRAILER, gifPictures, webpPictures } from "./frames";

export type MediaKind = "photo" | "video";

/** The kind that a list with this filter shows; null for both. */
export const kindOfFilter = (filter: "all" | "photos" | "videos"): MediaKind | null =>
  filter === "all" ? null : filter === "photos" ? "photo" : "video";

export interface DetectedFile {
  kind: MediaKind;
  contentType: string;
  extension: string;
}

export const DETECT_BYTES = 64;

const JPEG: DetectedFile = { kind: "photo", contentType: "image/jpeg", extension: "jpg" };
const PNG: DetectedFile = { kind: "photo", contentType: "image/png", extension: "png" };
const GIF: DetectedFile = { kind: "photo", contentType: "image/gif", extension: "gif" };
const WEBP: DetectedFile = { kind: "photo", contentType: "image/webp", extension: "webp" };
const MP4: DetectedFile = { kind: "video", contentType: "video/mp4", extension: "mp4" };
const M4V: DetectedFile = { kind: "video", contentType: "video/x-m4v", extension: "m4v" };
const MOV: DetectedFile = { kind: "video", contentType: "video/quicktime", extension: "mov" };
const WEBM: DetectedFile = { kind: "video", contentType: "video/webm", extension: "webm" };
const THREE_GP: DetectedFile = { kind: "video", contentType: "video/3gpp", extension: "3gp" };

const MP4_BRAND = /^(iso[m2-9]|mp4[12]|mp71|avc1|hvc1|hev1|dash|ms(dh|nv)|mmp4|f4v |xavc|cmfc)$/i;
const HEIC_BRAND = /^(hei[cxms]|hev[cxms]|mif1|msf1)$/;
const SEQUENCE_BRAND = /^(avis|hev[cxms]|msf1)$/;
/** Sound, stills and raw pictures in the same container. */
const OTHER_BRAND = /^(m4[abp] |avi[fs]|crx |jp[2xm] |mjp2|qcif)$/i;

/** What a QuickTime film begins with that is older than `ftyp`. */
const OLD_QUICKTIME = ["moov", "mdat", "wide", "pnot"];

/** The type of a file by its first `DETECT_BYTES` bytes, or null for types we do not store. */
export function detectFile(head: ReadableBytes): DetectedFile | null {
  if (startsWith(head, 0, [0xff, 0xd8, 0xff])) return JPEG;
  if (startsWith(head, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return PNG;
  if (/^GIF8[79]a$/.test(textAt(head, 0, 6))) return GIF;
  if (textAt(head, 0, 4) === "RIFF" && textAt(head, 8, 4) === "WEBP") return WEBP;
  if (startsWith(head, 0, EBML)) return docType(head) === "webm" ? WEBM : null;
  const box = textAt(head, 4, 4);
  if (box !== "ftyp") return OLD_QUICKTIME.includes(box) ? MOV : null;
  return byBrands(brands(head));
}

export const isAnimatedWebp = (head: ReadableBytes): boolean =>
  detectFile(head) === WEBP && textAt(head, 12, 4) === "VP8X" && (byteAt(head, 20) & 0x02) !== 0;

/** A picture that we do not store, but that a device can make a JPEG of: iPhones make `heic`. */
export type ConvertiblePicture = "heic" | "avif" | "jxl" | "tiff" | "bmp";

export function convertiblePicture(head: ReadableBytes): ConvertiblePicture | null {
  if (startsWith(head, 0, [0xff, 0x0a]) || textAt(head, 4, 8) === "JXL \r\n\x87\n") return "jxl";
  // With a plus it is BigTIFF.
  if (/^(II[*+]\0|MM\0[*+])$/.test(textAt(head, 0, 4))) return "tiff";
  // Its header has at least 40 bytes, of which we know the first.
  if (textAt(head, 0, 2) === "BM" && uint(head, 15, 3) === 0 && byteAt(head, 14) >= 12)
    return "bmp";
  if (textAt(head, 4, 4) !== "ftyp") return null;
  const [major = "", ...compatible] = brands(head);
  if (/^avi[fs]$/.test(major) || (major === "mif1" && compatible.includes("avif"))) return "avif";
  return HEIC_BRAND.test(major) ? "heic" : null;
}

/**
 * What is known of a file of which nothing can be made here: a camera's raw picture, or a video of
 * a kind that we do not store. Raw pictures that are TIFF show only once they are read.
 */
export function foreignKind(head: ReadableBytes): "raw" | "video" | null {
  if (RAW_START.test(textAt(head, 0, 15)) || textAt(head, 4, 8) === "ftypcrx ") return "raw";
  const isFilm =
    (textAt(head, 0, 4) === "RIFF" && textAt(head, 8, 4) === "AVI ") ||
    FILM_STARTS.some((start) => startsWith(head, 0, start)) ||
    STREAMS.some((start) => startsWith(head, 4, start)) ||
    textAt(head, 29, 6) === "theora";
  return isFilm ? "video" : null;
}

/** Of Fujifilm, Panasonic, Olympus, Minolta and Sigma. */
const RAW_START = /^(FUJIFILMCCD-RAW|IIU\0|IIR[OS]|MMOR|\0MRM|FOVb)/;
/** First packets of an MPEG stream, of programs or services. Camcorders put a time before it. */
const STREAMS = [
  [0x47, 0x40, 0x00],
  [0x47, 0x40, 0x11],
];

/** Whether such a picture is an animation, of which a JPEG can hold the first picture alone. */
export const isSequence = (head: ReadableBytes): boolean =>
  convertiblePicture(head) === "jxl"
    ? isJxlAnimation(head)
    : textAt(head, 4, 4) === "ftyp" && brands(head).some((brand) => SEQUENCE_BRAND.test(brand));

/** Bits of a width or height, by which of four lengths is chosen. */
const JXL_SIDES = [9, 13, 18, 30];

/** Reads the header bit by bit, from each byte's lowest on: sizes, then what is not as usual. */
function isJxlAnimation(head: ReadableBytes): boolean {
  const boxed = textAt(head, 0, head.length).indexOf("jxlc");
  let bit = 8 * (boxed < 0 ? 2 : boxed + 4 + 2);
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, bit++)
      value += ((byteAt(head, bit >> 3) >> (bit & 7)) & 1) << i;
    return value;
  };
  const skipSize = () => {
    const isSmall = take(1) === 1;
    const skipSide = () => take(isSmall ? 5 : (JXL_SIDES[take(2)] ?? 0));
    skipSide();
    // Without a usual ratio the width follows.
    if (take(3) === 0) skipSide();
  };
  skipSize();
  const isUsual = take(1) === 1 || take(1) === 0;
  if (isUsual) return false;
  take(3);
  if (take(1) === 1) skipSize();
  const hasPreview = take(1) === 1;
  return !hasPreview && take(1) === 1;
}

function byBrands([major = "", ...compatible]: string[]): DetectedFile | null {
  if (OTHER_BRAND.test(major) || HEIC_BRAND.test(major)) return null;
  if (major === "qt  ") return MOV;
  if (/^M4V/.test(major)) return M4V;
  if (MP4_BRAND.test(major)) return MP4;
  // `isom` alone proves nothing: plain 3GP names it too.
  const alsoMp4 = compatible.some((brand) => brand !== "isom" && MP4_BRAND.test(brand));
  if (/^3g[peshr][0-9a-z]$/.test(major)) return alsoMp4 ? MP4 : THREE_GP;
  return alsoMp4 || compatible.includes("isom") ? MP4 : null;
}

function brands(head: ReadableBytes): string[] {
  const end = Math.min(uint(head, 0, 4), head.length);
  const found = [textAt(head, 8, 4)];
  for (let at = 16; at + 4 <= end; at += 4) found.push(textAt(head, at, 4));
  return found;
}

/** Judges a file by the sizes that its parts state. Trailing bytes of cameras are no fault. */
export function fileFault(read: ReadBytes, size: number, detected: DetectedFile) {
  if (size === 0) return "file_empty";
  return isWhole(read, size, detected.contentType) ? null : "file_broken";
}

function isWhole(read: ReadBytes, size: number, contentType: string): boolean {
  switch (contentType) {
    case JPEG.contentType:
      return isWholeJpeg(read, size);
    case PNG.contentType:
      return isWholePng(read, size);
    case GIF.contentType:
      return isWholeGif(read, size);
    case WEBP.contentType:
      return webpPictures(read, size).whole;
    case WEBM.contentType:
      return isWholeWebm(read, size);
    default:
      return isWholeIsoFile(read, size);
  }
}

/** Parts read before a file counts as broken; a crafted one must not keep a server busy. */
export const MAX_PARTS = 5_000;

/** A progressive JPEG has about ten. Each costs a decoder as much as a whole picture. */
const MAX_SCANS = 32;

function isWholeJpeg(read: ReadBytes, size: number): boolean {
  const markers = jpegParts(read, size).map(({ marker }) => marker);
  const scans = markers.filter((marker) => marker === JPEG_SCAN).length;
  const header = markers.slice(0, markers.indexOf(JPEG_SCAN));
  const ended = markers[markers.length - 1] === JPEG_END;
  return ended && scans > 0 && scans <= MAX_SCANS && header.some(isJpegFrame);
}

/** A scan's marker, length and parameters; what follows are pixels. */
const SCAN_HEAD_BYTES = 14;

/**
 * Where a JPEG that breaks off in its pixels can be ended, so that what is there is seen. Null for
 * one that has its end, and for one without pixels.
 */
export function jpegBreak(read: ReadBytes, size: number): number | null {
  const parts = jpegParts(read, size);
  const last = parts[parts.length - 1];
  const scan = parts.find(({ marker }) => marker === JPEG_SCAN);
  if (last === undefined || scan === undefined || last.marker === JPEG_END) return null;
  // A header or a table without its pixels goes.
  const isPixels = last.marker === JPEG_SCAN && last.end - last.at > SCAN_HEAD_BYTES;
  const end = isPixels ? size : last.at;
  return end > scan.at ? end : null;
}

const JPEG_END = 0xd9;
const JPEG_SCAN = 0xda;
/** Bytes between two parts, which decoders pass over. */
export const NO_MARKER = 0;

interface JpegPart {
  marker: number;
  at: number;
  /** Of a scan, and of what follows one: where the next part begins. */
  end: number;
}

/** The parts of a JPEG behind its first two bytes, up to its end or to where it breaks off. */
export function jpegParts(read: ReadBytes, size: number): JpegPart[] {
  const near = throughWindow(read);
  const findMarker = markerFinder(near, size);
  const parts: JpegPart[] = [];
  let scanned = false;
  for (let at = 2; at + 2 <= size && parts.length < MAX_PARTS; ) {
    const head = near(at, 4);
    const marker = byteAt(head, 1);
    if (byteAt(head, 0) !== 0xff) {
      const end = findMarker(at);
      parts.push({ marker: NO_MARKER, at, end });
      at = end;
      continue;
    }
    const isEnd = marker === JPEG_END;
    const stated = isEnd ? 2 : marker === 0xff ? 1 : 2 + uint(head, 2, 2);
    scanned ||= marker === JPEG_SCAN;
    const end = scanned && !isEnd ? findMarker(at + stated) : at + stated;
    parts.push({ marker, at, end });
    if (isEnd) break;
    at = end;
  }
  return parts;
}

/** C0 to CF except the tables C4, C8 and CC: the marker of a header that states the size. */
export const isJpegFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Whether FF before `second` begins a part, and does not belong to a scan's data. */
const isJpegMarker = (second: number): boolean =>
  second >= 0xc0 && second !== 0xff && (second < 0xd0 || second > 0xd7);

const SEARCH_STEP = 4096;

/** Finds the next marker from a place on; the file's end without one, or after too many FF. */
function markerFinder(near: ReadBytes, size: number): (from: number) => number {
  // Real scans have one in every 100 to 250 bytes.
  let left = Math.max(100_000, size / 50);
  return (from) => {
    for (let start = from; start < size; start += SEARCH_STEP - 1) {
      const bytes = near(start, SEARCH_STEP);
      for (let i = bytes.indexOf(0xff); i >= 0; i = bytes.indexOf(0xff, i + 1)) {
        if (isJpegMarker(byteAt(bytes, i + 1))) return start + i;
        left -= 1;
        if (left < 0) return size;
      }
    }
    return size;
  };
}

function isWholePng(read: ReadBytes, size: number): boolean {
  const near = throughWindow(read);
  let at = 8;
  let painted = false;
  for (let parts = 0; parts < MAX_PARTS && at + 12 <= size; parts++) {
    const head = near(at, 8);
    const type = textAt(head, 4, 4);
    if (at === 8 && type !== "IHDR") return false;
    if (type === "IDAT") painted = true;
    at += 12 + uint(head, 0, 4);
    if (type === "IEND") return painted && at <= size;
  }
  return false;
}

function isWholeGif(read: ReadBytes, size: number): boolean {
  const { whole, ended } = gifPictures(read, size);
  return whole && (ended === true || endsWithTrailer(read, size));
}

/** Some encoders pad with zeros after the trailer. */
function endsWithTrailer(read: ReadBytes, size: number): boolean {
  const tail = read(Math.max(13, size - 1024), 1024);
  let last = tail.length - 1;
  while (last > 0 && tail[last] === 0) last -= 1;
  return tail[last] === GIF_TRAILER;
}

const FILM_PARTS = ["ftyp", "moov", "mdat", "moof", "mfra"];

/** Boxes at the top are far apart in a film, and close together in a crafted one. */
export const TOP_WINDOW = 4_096;

/** ISO base media: a row of boxes, among them the index (`moov`) and the pictures (`mdat`). */
function isWholeIsoFile(read: ReadBytes, size: number): boolean {
  const near = throughWindow(read, TOP_WINDOW);
  const seen: string[] = [];
  let at = 0;
  for (let parts = 0; at + 8 <= size; parts++) {
    const box = readBox(near, at, size);
    if (parts >= MAX_PARTS) return false;
    // Behind the film some programs write what is no box; a part of the film is there or not.
    if (box === null && !FILM_PARTS.includes(textAt(near(at + 4, 4), 0, 4))) break;
    if (box === null) return false;
    if (!seen.includes(box.type)) {
      if (box.type === "moov" && !listsTrack(near, box)) return false;
      seen.push(box.type);
    }
    at = box.end;
  }
  return seen.includes("moov") && seen.includes("mdat");
}

/** Boxes of an index before its first track; a phone writes two or three. */
const BEFORE_TRACKS = 200;

/** Whether an index lists a track, be it packed (`cmov`), as old QuickTime does. */
function listsTrack(read: ReadBytes, { body, end }: IsoBox): boolean {
  let at = body;
  for (let parts = 0; parts < BEFORE_TRACKS && at + 8 <= end; parts++) {
    const box = readBox(read, at, end);
    if (box === null || /^(?:trak|cmov)$/.test(box.type)) return box !== null;
    at = box.end;
  }
  return false;
}

export interface IsoBox {
  type: string;
  start: number;
  body: number;
  end: number;
}

/** The box at `at` inside a file or box that ends at `limit`, or null for an impossible one. */
export function readBox(read: ReadBytes, at: number, limit: number): IsoBox | null {
  const head = read(at, 16);
  const stated = uint(head, 0, 4);
  const large = stated === 1;
  const size = large ? uint(head, 8, 8) : stated === 0 ? limit - at : stated;
  const body = at + (large ? 16 : 8);
  if (head.length < 8 || at + size < body || at + size > limit) return null;
  return { type: textAt(head, 4, 4), start: at, body, end: at + size };
}

const EBML = [0x1a, 0x45, 0xdf, 0xa3];
const EBML_DOC_TYPE = 0x4282;
export const WEBM_SEGMENT = 0x18538067;
export const WEBM_CLUSTER = 0x1f43b675;

/**
 * The element at `at`, or null for an impossible one; `bytes` begins at `base` of the file. `end`
 * is Infinity where the writer did not know it, as in recordings of browsers.
 */
export function readElement(bytes: ReadableBytes, base: number, at: number) {
  const idLength = vintLength(byteAt(bytes, at - base));
  const sizeAt = at - base + idLength;
  const sizeLength = vintLength(byteAt(bytes, sizeAt));
  if (idLength > 4 || sizeLength > 8 || sizeAt + sizeLength > bytes.length) return null;
  // Without its marker bit, an eight-byte number is short enough to be exact.
  const top = byteAt(bytes, sizeAt) - 2 ** (8 - sizeLength);
  const stated = top * 2 ** (8 * (sizeLength - 1)) + uint(bytes, sizeAt + 1, sizeLength - 1);
  const unknown = stated >= 2 ** (7 * sizeLength) - 1;
  const body = base + sizeAt + sizeLength;
  return { id: uint(bytes, at - base, idLength), body, end: unknown ? Infinity : body + stated };
}

/** Matroska, Windows Media, Flash, MPEG. */
const FILM_STARTS = [
  EBML,
  [0x30, 0x26, 0xb2, 0x75],
  [0x46, 0x4c, 0x56, 0x01],
  [0x00, 0x00, 0x01, 0xba],
  [0x00, 0x00, 0x01, 0xb3],
  ...STREAMS,
];

function docType(head: ReadableBytes): string | null {
  const header = readElement(head, 0, 0);
  if (header === null) return null;
  for (let at = header.body; at < Math.min(header.end, head.length); ) {
    const element = readElement(head, 0, at);
    if (element === null) return null;
    if (element.id === EBML_DOC_TYPE) {
      return textAt(head, element.body, element.end - element.body).replace(/\0+$/, "");
    }
    at = element.end;
  }
  return null;
}

function isWholeWebm(read: ReadBytes, size: number): boolean {
  const header = readElement(read(0, 12), 0, 0);
  if (header === null || header.end >= size) return false;
  const segment = readElement(read(header.end, 12), header.end, header.end);
  if (segment?.id !== WEBM_SEGMENT) return false;
  if (segment.end !== Infinity && segment.end > size) return false;
  let at = segment.body;
  for (let parts = 0; parts < 1000 && at < size; parts++) {
    const element = readElement(read(at, 12), at, at);
    if (element === null) return false;
    if (element.id === WEBM_CLUSTER) return true;
    at = element.end;
  }
  return false;
}

/** Length of a variable-size number from its first byte; 9 where there is none. */
export function vintLength(first: number): number {
  return first === 0 ? 9 : Math.clz32(first) - 23;
}

function startsWith(bytes: ReadableBytes, at: number, expected: readonly number[]): boolean {
  return expected.every((value, i) => bytes[at + i] === value);
}
