/**
 * The worker that makes a JPEG of what the browser cannot decode: HEIC and TIFF. It is a script of
 * its own, because its answer alone lets WebAssembly be compiled (http/static-files.ts), and no
 * part of a decoder comes to a device before a file needs it.
 */
import libheifAddress from "libheif-js/libheif-wasm/libheif.wasm?url";
import { asciiBytes, type Bytes, littleUint, type ReadBytes, textAt, uint } from "@/domain/bytes";
import { PHOTO_MAX_PIXELS } from "@/domain/limits";
import { type IsoBox, readBox } from "@/domain/media-files";
import { failed, ok, type Result } from "@/domain/result";
import { boxAt } from "@/domain/video-metadata";
import type { ConverterAnswer, ConverterRequest } from "./worker-tasks";

/** What libheif holds decoded in one piece (512 MB), and the sensors of phones: 108 million. */
const MOST_PIXELS = 120_000_000;
const JPEG_QUALITY = 0.85;

let last: Promise<void> = Promise.resolve();

addEventListener("message", ({ data }: MessageEvent<ConverterRequest>) => {
  last = last.then(async () => {
    const result = await convert(data).catch(() => failed("file_broken"));
    postMessage({ id: data.id, result } satisfies ConverterAnswer);
  });
});

async function convert({ file, format, shrink }: ConverterRequest): Promise<Result<Blob>> {
  const decode = await (format === "heic" ? heicDecoder() : tiffDecoder()).catch(() => null);
  // The decoder is not on this device, and the network does not bring it.
  if (decode === null) return failed("converter_missing");
  const picture = decode(new Uint8Array(await file.arrayBuffer()), shrink);
  if (typeof picture === "string") return failed(picture);
  if (picture === null) return failed(format === "heic" ? "file_heic" : "file_unreadable");
  const { canvas, profile } = picture;
  const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY });
  return ok(profile === null ? jpeg : await withProfile(jpeg, profile));
}

interface Decoded {
  canvas: OffscreenCanvas;
  /** How its numbers are to be read where they are not sRGB: an ICC profile, or null. */
  profile: Bytes | null;
}

/** With `shrink` one with too many pixels comes at half its width and height; or why not. */
type Decode = (
  bytes: Bytes,
  shrink: boolean,
) => Decoded | "file_raw" | "too_many_pixels" | "cannot_shrink" | null;

function sizeFault(pixels: number, shrink: boolean) {
  if (pixels <= PHOTO_MAX_PIXELS) return null;
  if (!shrink) return "too_many_pixels";
  return pixels > MOST_PIXELS ? "cannot_shrink" : null;
}

// HEIC. The library turns and cuts the picture as its boxes say, and puts a grid together; what
// EXIF says of turning does not count in this format. Depth, gain maps and thumbnails stay aside.

interface HeifImage {
  handle: unknown;
  get_width: () => number;
  get_height: () => number;
  is_primary: () => boolean;
  free: () => void;
}

interface HeifPlane {
  id: unknown;
  stride: number;
  data: Uint8Array;
}

/** What we use of libheif, most of which its own types do not name. */
interface Libheif {
  HeifDecoder: new () => { decode: (bytes: Bytes) => HeifImage[] };
  heif_js_decode_image2: (
    handle: unknown,
    colours: unknown,
    layout: unknown,
  ) => { code?: unknown; image: unknown; channels: HeifPlane[] };
  heif_image_release: (image: unknown) => void;
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: { heif_chroma_interleaved_RGBA: unknown };
  heif_channel: { heif_channel_interleaved: unknown };
}

async function heicDecoder(): Promise<Decode> {
  const [{ default: start }, answer] = await Promise.all([
    import("libheif-js/libheif-wasm/libheif.js"),
    fetch(libheifAddress),
  ]);
  if (!answer.ok) throw new Error(`libheif: ${answer.status}`);
  const heif = start({ wasmBinary: await answer.arrayBuffer() }) as unknown as Libheif;
  return (bytes, shrink) => {
    const images = new heif.HeifDecoder().decode(bytes);
    const image = images.find((one) => one.is_primary()) ?? images[0];
    const decoded = image ? drawHeif(heif, image, { shrink, ...coloursOf(bytes) }) : null;
    for (const one of images) one.free();
    return decoded;
  };
}

function drawHeif(
  heif: Libheif,
  image: HeifImage,
  { profile, isP3, shrink }: Colours & { shrink: boolean },
): ReturnType<Decode> {
  const [width, height] = [image.get_width(), image.get_height()];
  const fault = sizeFault(width * height, shrink);
  if (fault !== null) return fault;
  const made = heif.heif_js_decode_image2(
    image.handle,
    heif.heif_colorspace.heif_colorspace_RGB,
    heif.heif_chroma.heif_chroma_interleaved_RGBA,
  );
  if (!made || made.code) return null;
  const plane = made.channels.find(({ id }) => id === heif.heif_channel.heif_channel_interleaved);
  const colorSpace = isP3 ? "display-p3" : "srgb";
  const canvas = plane && draw({ ...plane, width, height }, colorSpace);
  heif.heif_image_release(made.image);
  return canvas ? { canvas, profile } : null;
}

interface Pixels {
  data: Uint8Array;
  /** Bytes from one row to the next. */
  stride: number;
  width: number;
  height: number;
}

/** Rows that are copied at once: a copy of a whole large picture would take 200 MB more. */
const STRIP_ROWS = 256;

/**
 * RGBA on white, and at half its size where it has more pixels than we store. The canvas is sRGB,
 * so other numbers are converted.
 */
function draw({ data, stride, width, height }: Pixels, colorSpace: PredefinedColorSpace) {
  const scale = width * height > PHOTO_MAX_PIXELS ? 0.5 : 1;
  const canvas = new OffscreenCanvas(Math.floor(width * scale), Math.floor(height * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const whole = new OffscreenCanvas(width, STRIP_ROWS);
  const before = whole.getContext("2d", { willReadFrequently: true });
  if (context === null || before === null) return null;
  for (let top = 0; top < height; top += STRIP_ROWS) {
    const rows = Math.min(STRIP_ROWS, height - top);
    const strip = new ImageData(width, rows, { colorSpace });
    for (let row = 0; row < rows; row++) {
      const at = (top + row) * stride;
      strip.data.set(data.subarray(at, at + width * 4), row * width * 4);
    }
    if (scale === 1) context.putImageData(strip, 0, top);
    else {
      before.putImageData(strip, 0, 0);
      const [wide, high] = [width * scale, rows * scale];
      context.drawImage(whole, 0, 0, width, rows, 0, top * scale, wide, high);
    }
  }
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  return canvas;
}

interface Colours {
  profile: Bytes | null;
  isP3: boolean;
}

const DISPLAY_P3 = 12;

/** What the file's first colour boxes say. Those of depth and gain maps are not for colours. */
function coloursOf(bytes: Bytes): Colours {
  const read: ReadBytes = (offset, length) => bytes.subarray(offset, offset + length);
  const file: IsoBox = { type: "", start: 0, body: 0, end: bytes.length };
  const meta = boxAt(read, file, "meta");
  // Behind its version, as in every full box.
  const list = meta && boxAt(read, { ...meta, body: meta.body + 4 }, "iprp", "ipco");
  let isP3: boolean | null = null;
  for (let at = list?.body ?? 0; list && at < list.end; ) {
    const box = readBox(read, at, list.end);
    if (box === null) break;
    at = box.end;
    if (box.type !== "colr") continue;
    const kind = textAt(bytes, box.body, 4);
    if (kind === "nclx") isP3 ??= uint(bytes, box.body + 4, 2) === DISPLAY_P3;
    const profile = kind === "nclx" ? null : usable(bytes.slice(box.body + 4, box.end));
    if (profile) return { profile, isP3: false };
  }
  return { profile: null, isP3: isP3 ?? false };
}

/** A profile of RGB numbers, or null. */
const usable = (profile: Bytes): Bytes | null =>
  textAt(profile, 36, 4) === "acsp" && textAt(profile, 16, 4) === "RGB " ? profile : null;

/** A JPEG's segment holds no more. */
const PROFILE_PART_BYTES = 65_535 - 2 - 14;

/** The same picture, whose numbers are to be read by `profile`. */
async function withProfile(jpeg: Blob, profile: Bytes): Promise<Blob> {
  const count = Math.ceil(profile.length / PROFILE_PART_BYTES);
  if (count > 255) return jpeg;
  const segments = Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * PROFILE_PART_BYTES, (i + 1) * PROFILE_PART_BYTES);
    const length = part.length + 16;
    const head = [0xff, 0xe2, length >> 8, length & 0xff, ...asciiBytes("ICC_PROFILE\0")];
    return [Uint8Array.of(...head, i + 1, count), part];
  });
  return new Blob([jpeg.slice(0, 2), ...segments.flat(), jpeg.slice(2)], { type: jpeg.type });
}

// TIFF: the first page. Raw pictures of cameras are TIFF too, with a small picture first.

const PHOTOMETRY = "t262";
const RAW_PHOTOMETRY = [32803, 34892];
const DNG_VERSION = "t50706";
const ORIENTATION = "t274";
const PROFILE = "t34675";

type Directory = Record<string, ArrayLike<number> | undefined>;

const numberOf = (page: Directory, tag: string): number => page[tag]?.[0] ?? 0;

const isRaw = (page: Directory): boolean =>
  DNG_VERSION in page || RAW_PHOTOMETRY.includes(numberOf(page, PHOTOMETRY));

/** Of which the first is shown; raw pictures of cameras have up to five. */
const MOST_PAGES = 32;
/** Within a page: smaller pictures, EXIF, GPS, and Fuji's own, as directories of entries. */
const WITHIN = [330, 34665, 34853, 61440];
const MOST_WITHIN = 100;
/** How many bytes a number of each type takes. What has another type ends where the file does. */
const NUMBER_BYTES: Record<number, number> = {
  ...{ 3: 2, 4: 4, 5: 8, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 },
};

/**
 * Ends the list of pages after some, for the library would follow for ever one that comes back to
 * itself. False where it would have to read more than the file holds, or directories without end.
 */
function endPages(bytes: Bytes): boolean {
  const read = textAt(bytes, 0, 2) === "II" ? littleUint : uint;
  const entriesOf = (at: number) =>
    Array.from({ length: read(bytes, at, 2) }, (_, i) => at + 2 + 12 * i);
  let left = 0;
  const isBounded = (at: number): boolean => left-- > 0 && entriesOf(at).every(isEntryBounded);
  const isEntryBounded = (entry: number): boolean => {
    const [type, count] = [read(bytes, entry + 2, 2), read(bytes, entry + 4, 4)];
    const size = NUMBER_BYTES[type] ?? 0;
    if (size * count > bytes.length) return false;
    if (size !== 4 || !WITHIN.includes(read(bytes, entry, 2))) return true;
    const list = count < 2 ? entry + 8 : read(bytes, entry + 8, 4);
    return Array.from({ length: count }, (_, i) => read(bytes, list + 4 * i, 4)).every(isBounded);
  };
  let link = 4;
  for (let page = 0; page < MOST_PAGES; page++) {
    const at = read(bytes, link, 4);
    left = MOST_WITHIN;
    if (at === 0 || !isBounded(at)) return at === 0;
    link = at + 2 + 12 * read(bytes, at, 2);
  }
  bytes.fill(0, link, link + 4);
  return true;
}

async function tiffDecoder(): Promise<Decode> {
  const { default: tiff } = await import("utif2");
  // Its types do not know that notes of the camera's maker need not be read.
  const pagesOf: (buffer: ArrayBuffer, how: object) => ReturnType<typeof tiff.decode> = tiff.decode;
  return (bytes, shrink) => {
    // The library would read BigTIFF as if its numbers were half as long.
    if (textAt(bytes, 0, 4).includes("+") || !endPages(bytes)) return null;
    const pages = pagesOf(bytes.buffer, { parseMN: false, debug: false });
    const [page] = pages;
    const entries = pages as unknown as Directory[];
    const [entry = {}] = entries;
    const isCanonRaw = textAt(bytes, 8, 2) === "CR";
    if (isCanonRaw || entries.some(isRaw)) return "file_raw";
    const pixels = numberOf(entry, "t256") * numberOf(entry, "t257");
    if (page === undefined || pixels === 0) return null;
    const fault = sizeFault(pixels, shrink);
    if (fault !== null) return fault;
    tiff.decodeImage(bytes.buffer, page);
    const { width, height } = page;
    const canvas = draw(
      { data: withWindow(() => tiff.toRGBA8(page)), stride: width * 4, width, height },
      "srgb",
    );
    const profile = usable(Uint8Array.from(entry[PROFILE] ?? []));
    return canvas && { canvas: turned(canvas, numberOf(entry, ORIENTATION)), profile };
  };
}

/** For CMYK the library asks the window, which a worker lacks, for a converter of its own kind. */
function withWindow<Value>(run: () => Value): Value {
  Object.assign(globalThis, { window: {} });
  try {
    return run();
  } finally {
    Reflect.deleteProperty(globalThis, "window");
  }
}

/** How a picture of one pixel is to be turned, by the numbers 2 to 8 of TIFF. */
const TURNS: Record<number, [number, number, number, number]> = {
  2: [-1, 0, 0, 1],
  3: [-1, 0, 0, -1],
  4: [1, 0, 0, -1],
  5: [0, 1, 1, 0],
  6: [0, 1, -1, 0],
  7: [0, -1, -1, 0],
  8: [0, -1, 1, 0],
};

function turned(canvas: OffscreenCanvas, orientation: number): OffscreenCanvas {
  const [a, b, c, d] = TURNS[orientation] ?? [1, 0, 0, 1];
  const upright = a === 0 ? [canvas.height, canvas.width] : [canvas.width, canvas.height];
  const [width = 0, height = 0] = upright;
  const board = new OffscreenCanvas(width, height);
  const context = board.getContext("2d");
  if (context === null || !(orientation in TURNS)) return canvas;
  // What is turned to the left or upwards is moved back into sight.
  context.setTransform(a, b, c, d, a + c < 0 ? width : 0, b + d < 0 ? height : 0);
  context.drawImage(canvas, 0, 0);
  return board;
}
