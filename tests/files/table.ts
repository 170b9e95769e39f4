/** What must come of each file of this folder, chosen in the upload form of a current Chromium. */
import type { ErrorCode } from "@/domain/error-codes";
import type { ConvertiblePicture } from "@/domain/media-files";
import type { TextKey } from "@/i18n/keys";

/**
 * Corners, thumbnails and posters are told by the colours of their four corners, from the top left
 * to the bottom right: red, green, blue, yellow, white, `K` for black, `-` for grey. Our drawing is
 * upright as RGBY.
 */
export type Row = Refused | Photo | Film;

interface Refused {
  refused: ErrorCode;
  /** And not only when it is sent. */
  when: "chosen";
  locates: boolean;
}

interface Stored {
  contentType: string;
  /** Width by height, as shown. */
  size: string;
  /** What the form says of it before it is sent. */
  said: TextKey[];
  /** Whether the file says where it was made. What is stored never does. */
  locates: boolean;
}

export interface Photo extends Stored {
  kind: "photo";
  corners: string;
  thumbnail: string;
  /** Pictures of an animation; 1 for what stands still. */
  frames: number;
  /** The first corner's colour in sRGB, where a profile tells how to read the file's numbers. */
  ink: number[] | null;
  /** Each pixel is that of the chosen file; null where that was no picture until we mended it. */
  unchanged: boolean | null;
}

export interface Film extends Stored {
  kind: "film";
  seconds: number;
  /** `null`: this browser has no decoder for it, so there is no poster. */
  shown: { corners: string; plays: boolean; seeks: boolean } | null;
  poster: string;
  /** All that a player decodes is bit for bit that of the chosen file; null where that is nothing. */
  unchanged: boolean | null;
}

type Also<T> = Partial<Omit<T, "kind" | "contentType" | "size">>;

const refused = (code: ErrorCode, also: Also<Refused> = {}): Refused => ({
  refused: code,
  when: "chosen",
  locates: false,
  ...also,
});

const photo = (contentType: string, size: string, also: Also<Photo> = {}): Photo => ({
  kind: "photo",
  contentType,
  size,
  said: ["upload.ready"],
  locates: false,
  corners: "RGBY",
  thumbnail: also.corners ?? "RGBY",
  frames: 1,
  ink: null,
  unchanged: true,
  ...also,
});

/** A JPEG that breaks off. It gets an end, without which a decoder shows nothing of it. */
const cutShort = (size: string, also: Also<Photo> = {}): Photo =>
  photo("image/jpeg", size, {
    said: ["upload.ready", "upload.cutShort"],
    unchanged: null,
    ...also,
  });

const FROM = {
  heic: "upload.fromHeic",
  avif: "upload.fromAvif",
  jxl: "upload.fromJxl",
  tiff: "upload.fromTiff",
  bmp: "upload.fromBmp",
} as const satisfies Record<ConvertiblePicture, TextKey>;

const converted = (from: ConvertiblePicture, size: string, also: Also<Photo> = {}): Photo =>
  photo("image/jpeg", size, { said: [FROM[from]], unchanged: null, ...also });

const film = (contentType: string, size: string, seconds: number, also: Also<Film> = {}): Film => ({
  kind: "film",
  contentType,
  size,
  said: ["upload.ready"],
  locates: false,
  seconds,
  shown: { corners: "RGBY", plays: true, seeks: true },
  poster: "RGBY",
  unchanged: true,
  ...also,
});

const unseen = (contentType: string, size: string, seconds: number, also: Also<Film> = {}): Film =>
  film(contentType, size, seconds, {
    said: ["upload.ready", "upload.rarelyPlays"],
    shown: null,
    poster: "",
    ...also,
  });

export const TABLE: Readonly<Record<string, Row>> = {
  "3gp-h263.3gp": unseen("video/mp4", "176x144", 2),
  "3gp-loci.3gp": film("video/mp4", "96x64", 2, { locates: true }),
  "3gp-place-by-key.3gp": film("video/mp4", "96x64", 2, { locates: true }),
  "3gp-place.3gp": film("video/mp4", "96x64", 2, { locates: true }),
  "3gp.3gp": film("video/mp4", "96x64", 2),
  "archive.zip": refused("file_type"),
  "avi.avi": refused("file_video"),
  "avif-animated.avif": converted("avif", "64x48", {
    said: ["upload.fromAvif", "upload.firstPicture"],
  }),
  "avif-clear.avif": converted("avif", "64x48", { corners: "RKBY" }),
  "avif-cut.avif": refused("file_unreadable"),
  "avif-lossless.avif": converted("avif", "64x48"),
  "avif-p3.avif": converted("avif", "64x48", { ink: [219, 37, 49] }),
  "avif-place.avif": converted("avif", "64x48", { locates: true }),
  "avif-ten-bit.avif": converted("avif", "64x48"),
  "avif.avif": converted("avif", "64x48"),
  "bmp-16-bit.bmp": converted("bmp", "64x48"),
  "bmp-alpha.bmp": converted("bmp", "64x48", { corners: "RKBY" }),
  "bmp-cut.bmp": refused("file_unreadable"),
  "bmp-old.bmp": converted("bmp", "64x48"),
  "bmp-one-bit.bmp": converted("bmp", "64x48", { corners: "KWKW" }),
  "bmp-packed.bmp": converted("bmp", "64x48"),
  "bmp-palette.bmp": converted("bmp", "64x48"),
  "drawing.svg": refused("file_type"),
  "empty.jpg": refused("file_empty"),
  "flv.flv": refused("file_video"),
  "gif-87a.gif": photo("image/gif", "64x48"),
  "gif-animated.gif": photo("image/gif", "64x48", { frames: 3 }),
  "gif-bomb.gif": refused("too_many_pixels"),
  "gif-bytes-behind.gif": photo("image/gif", "64x48", { locates: true }),
  "gif-clear.gif": photo("image/gif", "64x48", { corners: "RKBY" }),
  "gif-comment.gif": photo("image/gif", "64x48", { locates: true }),
  "gif-cut.gif": refused("file_broken"),
  "gif-interlaced.gif": photo("image/gif", "64x48"),
  "gif-plays-twice.gif": photo("image/gif", "64x48", { frames: 2 }),
  "gif-without-trailer.gif": refused("file_broken"),
  "gif-xmp-place.gif": photo("image/gif", "64x48", { frames: 3, locates: true }),
  "gif.gif": photo("image/gif", "64x48"),
  "grid.heic": converted("heic", "124x184", { corners: "BBRR" }),
  "heic-444.heic": converted("heic", "64x48"),
  "heic-clear.heic": converted("heic", "64x48", { corners: "RKBY" }),
  "heic-cut.heic": refused("file_heic"),
  "heic-grey.heic": converted("heic", "64x48", { corners: "--KW" }),
  "heic-lossless.heic": converted("heic", "64x48"),
  "heic-place.heic": converted("heic", "64x48", { locates: true }),
  "heic-turned-place.heic": converted("heic", "48x64", { corners: "GYRB", locates: true }),
  "hevc-upright.mov": unseen("video/quicktime", "64x96", 2),
  "hevc.mp4": unseen("video/mp4", "96x64", 2),
  "hundred-megapixels.heic": refused("too_many_pixels"),
  "icon.ico": refused("file_type"),
  "jpeg-420.jpg": photo("image/jpeg", "64x48"),
  "jpeg-422.jpg": photo("image/jpeg", "64x48"),
  "jpeg-adobe-rgb.jpg": photo("image/jpeg", "64x48", { ink: [231, 57, 56] }),
  "jpeg-arithmetic.jpg": photo("image/jpeg", "64x48"),
  "jpeg-best.jpg": photo("image/jpeg", "64x48"),
  "jpeg-bomb.jpg": refused("too_many_pixels"),
  "jpeg-broken-exif.jpg": photo("image/jpeg", "64x48"),
  "jpeg-bytes-behind.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-bytes-between-segments.jpg": photo("image/jpeg", "64x48"),
  "jpeg-cmyk.jpg": photo("image/jpeg", "64x48"),
  "jpeg-comment.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-cut-in-header.jpg": refused("file_broken"),
  "jpeg-cut-in-later-scan.jpg": cutShort("320x240"),
  "jpeg-cut-in-scan.jpg": cutShort("320x240", { corners: "RG--" }),
  "jpeg-exif-place.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-exif-thumbnail.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-fill-bytes.jpg": photo("image/jpeg", "64x48"),
  "jpeg-grey.jpg": photo("image/jpeg", "64x48", { corners: "--KW" }),
  "jpeg-iptc-place.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-larger-than-preview.jpg": photo("image/jpeg", "1600x1200"),
  "jpeg-lossless.jpg": refused("file_broken"),
  "jpeg-many-scans.jpg": refused("file_broken"),
  "jpeg-motion-photo.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-one-pixel.jpg": photo("image/jpeg", "1x1", { corners: "RRRR" }),
  "jpeg-orientation-1.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-orientation-2.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-orientation-3.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-orientation-4.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-orientation-5.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-orientation-6.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-orientation-7.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-orientation-8.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-p3.jpg": photo("image/jpeg", "64x48", { ink: [219, 37, 48] }),
  "jpeg-panorama.jpg": photo("image/jpeg", "2400x60"),
  "jpeg-progressive.jpg": photo("image/jpeg", "64x48"),
  "jpeg-restarts.jpg": photo("image/jpeg", "64x48"),
  "jpeg-several-pictures.jpg": photo("image/jpeg", "64x48"),
  "jpeg-tower.jpg": photo("image/jpeg", "60x2400"),
  "jpeg-two-exif.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-ultra-hdr.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg-without-end.jpg": cutShort("64x48"),
  "jpeg-without-jfif.jpg": photo("image/jpeg", "64x48"),
  "jpeg-without-scan.jpg": refused("file_broken"),
  "jpeg-xmp-place.jpg": photo("image/jpeg", "64x48", { locates: true }),
  "jpeg.jpg": photo("image/jpeg", "64x48"),
  "jxl-animated.jxl": converted("jxl", "64x48", {
    said: ["upload.fromJxl", "upload.firstPicture"],
  }),
  "jxl-boxes.jxl": converted("jxl", "64x48"),
  "jxl-cut.jxl": refused("file_unreadable"),
  "jxl-from-jpeg-place.jxl": converted("jxl", "64x48"),
  "jxl-lossless.jxl": converted("jxl", "64x48"),
  "jxl-progressive.jxl": converted("jxl", "64x48"),
  "lzw.tiff": converted("tiff", "192x128", { corners: "RBRB" }),
  "m4v.m4v": film("video/x-m4v", "96x64", 2),
  "many-pixels.jxl": converted("jxl", "2560x2076", { corners: "RBRB" }),
  "mirrored.heic": converted("heic", "192x128", { corners: "BRBR" }),
  "mkv-sound.mkv": refused("file_video"),
  "mkv.mkv": refused("file_video"),
  "mov-animation.mov": unseen("video/quicktime", "96x64", 0.4),
  "mov-mjpeg.mov": unseen("video/quicktime", "96x64", 2),
  "mov-pcm.mov": film("video/quicktime", "96x64", 2),
  "mov-place-by-key.mov": film("video/quicktime", "96x64", 2, { locates: true }),
  "mov-place-in-user-data.mov": film("video/quicktime", "96x64", 2, { locates: true }),
  "mov-place.mov": film("video/quicktime", "96x64", 2, { locates: true }),
  "mov-time-code.mov": film("video/quicktime", "96x64", 2),
  "mov-turned-180.mov": film("video/quicktime", "96x64", 2),
  "mov-turned-270.mov": film("video/quicktime", "96x64", 2),
  "mov-turned-90.mov": film("video/quicktime", "96x64", 2),
  "mov-without-ftyp.mov": film("video/quicktime", "96x64", 2),
  "mov.mov": film("video/quicktime", "96x64", 2),
  "mp4-444.mp4": film("video/mp4", "96x64", 2),
  "mp4-51.mp4": film("video/mp4", "96x64", 2),
  "mp4-64-bit-data.mp4": film("video/mp4", "96x64", 2),
  "mp4-ac3.mp4": film("video/mp4", "96x64", 2),
  "mp4-av1.mp4": film("video/mp4", "96x64", 2),
  "mp4-b-frames.mp4": film("video/mp4", "96x64", 2),
  "mp4-baseline.mp4": film("video/mp4", "96x64", 2),
  "mp4-blackvue-free.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-blackvue-skip.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-camm.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-cut.mp4": refused("file_broken"),
  "mp4-dash.mp4": film("video/mp4", "96x64", 2.1),
  "mp4-data-to-end.mp4": film("video/mp4", "96x64", 2),
  "mp4-drone-sbtl.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-drone-subt.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-drone-text.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-edit-list.mp4": film("video/mp4", "96x64", 1.5),
  "mp4-faststart.mp4": film("video/mp4", "96x64", 2),
  "mp4-fragments.mp4": film("video/mp4", "96x64", 2.1),
  "mp4-gopro-user-data.mp4": film("video/mp4", "96x64", 2),
  "mp4-gopro.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-hev1.mp4": unseen("video/mp4", "96x64", 2),
  "mp4-index-alone.mp4": refused("file_broken"),
  "mp4-large-sides.mp4": film("video/mp4", "1920x1080", 2),
  "mp4-loci.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-mono.mp4": film("video/mp4", "96x64", 2),
  "mp4-mp3.mp4": film("video/mp4", "96x64", 2),
  "mp4-novatek-unlisted.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-novatek.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-opus.mp4": film("video/mp4", "96x64", 2),
  "mp4-part2.mp4": unseen("video/mp4", "96x64", 2),
  "mp4-place-at-top.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-place-by-key.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-place-in-track.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-place.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-stereo.mp4": film("video/mp4", "96x64", 2),
  "mp4-ten-bit.mp4": film("video/mp4", "96x64", 2),
  "mp4-trailer.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-turned-180.mp4": film("video/mp4", "96x64", 2),
  "mp4-turned-270.mp4": film("video/mp4", "96x64", 2),
  "mp4-turned-90.mp4": film("video/mp4", "96x64", 2),
  "mp4-unknown-in-index.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-unknown-track.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-uuid.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-varying.mp4": film("video/mp4", "96x64", 1.8),
  "mp4-vp9.mp4": film("video/mp4", "96x64", 2),
  "mp4-without-index.mp4": refused("file_broken"),
  "mp4-xmp-place.mp4": film("video/mp4", "96x64", 2, { locates: true }),
  "mp4-zeros.mp4": refused("file_broken"),
  "mp4.mp4": film("video/mp4", "96x64", 2),
  "mpeg-transport.m2ts": refused("file_video"),
  "mpeg.mpg": refused("file_video"),
  "ogv.ogv": refused("file_video"),
  "p3-by-number.heic": converted("heic", "192x128", { corners: "RBRB", ink: [217, 41, 51] }),
  "p3-by-profile.heic": converted("heic", "192x128", { corners: "RBRB", ink: [219, 37, 48] }),
  "page-named.gif": refused("file_broken"),
  "page-named.jpg": refused("file_broken"),
  "page.html": refused("file_type"),
  "paper.pdf": refused("file_type"),
  "photo.jp2": refused("file_type"),
  "photo.ppm": refused("file_type"),
  "photo.tga": refused("file_type"),
  "photos.psd": refused("file_type"),
  "plain.bmp": converted("bmp", "192x128", { corners: "RBRB" }),
  "plain.heic": converted("heic", "192x128", { corners: "RBRB" }),
  "plain.jxl": converted("jxl", "192x128", { corners: "RBRB" }),
  "plain.tiff": converted("tiff", "192x128", { corners: "RBRB" }),
  "png-16-bit.png": photo("image/png", "64x48"),
  "png-alpha.png": photo("image/png", "64x48", { thumbnail: "---Y" }),
  "png-animated-beside-still.png": photo("image/png", "64x48", { frames: 3 }),
  "png-animated-place.png": photo("image/png", "64x48", { frames: 3, locates: true }),
  "png-animated.png": photo("image/png", "64x48", { frames: 3 }),
  "png-bomb.png": refused("too_many_pixels"),
  "png-broken-data.png": refused("file_broken"),
  "png-bytes-behind.png": photo("image/png", "64x48", { locates: true }),
  "png-cut.png": refused("file_broken"),
  "png-gamma.png": photo("image/png", "64x48"),
  "png-grey-alpha.png": photo("image/png", "64x48", { corners: "--KW" }),
  "png-grey.png": photo("image/png", "64x48", { corners: "--KW" }),
  "png-interlaced.png": photo("image/png", "64x48"),
  "png-one-bit.png": photo("image/png", "64x48", { corners: "KWKW" }),
  "png-p3-by-number.png": photo("image/png", "64x48", { ink: [217, 42, 52] }),
  "png-p3.png": photo("image/png", "64x48", { ink: [219, 37, 49] }),
  "png-packed-text-place.png": photo("image/png", "64x48", { locates: true }),
  "png-palette-clear.png": photo("image/png", "64x48", { corners: "RKBY" }),
  "png-palette.png": photo("image/png", "64x48"),
  "png-text-place.png": photo("image/png", "64x48", { locates: true }),
  "png-turned.png": photo("image/png", "64x48", { locates: true }),
  "png-unknown-chunk.png": photo("image/png", "64x48", { locates: true }),
  "png-xmp-place.png": photo("image/png", "64x48", { locates: true }),
  "png.png": photo("image/png", "64x48"),
  "portrait-and-live.heic": converted("heic", "192x128", { corners: "RBRB" }),
  "prores.mov": unseen("video/quicktime", "96x64", 0.2),
  "raw.cr2": refused("file_raw"),
  "raw.cr3": refused("file_raw"),
  "raw.dng": refused("file_raw"),
  "sixteen-bit.tiff": converted("tiff", "192x128", { corners: "RBRB" }),
  "sound-alone.mp4": refused("file_audio"),
  "sound-alone.webm": refused("file_audio"),
  "sound.flac": refused("file_audio"),
  "sound.m4a": refused("file_audio"),
  "sound.mp3": refused("file_audio"),
  "sound.ogg": refused("file_audio"),
  "sound.wav": refused("file_audio"),
  "ten-bit.heic": converted("heic", "192x128", { corners: "RBRB" }),
  "text.jpg": refused("file_type"),
  "tiff-alpha.tiff": converted("tiff", "64x48", { corners: "RKBY" }),
  "tiff-big-endian.tiff": converted("tiff", "64x48"),
  "tiff-big.tiff": refused("file_unreadable"),
  "tiff-circle.tiff": converted("tiff", "64x48"),
  "tiff-cmyk.tiff": converted("tiff", "64x48"),
  "tiff-cut.tiff": refused("file_broken"),
  "tiff-deflate.tiff": converted("tiff", "64x48"),
  "tiff-endless.tiff": refused("file_unreadable"),
  "tiff-fax.tiff": converted("tiff", "64x48", { corners: "KWKW" }),
  "tiff-grey.tiff": converted("tiff", "64x48", { corners: "--KW" }),
  "tiff-jpeg.tiff": converted("tiff", "64x48"),
  "tiff-nested.tiff": refused("file_unreadable"),
  "tiff-one-bit.tiff": converted("tiff", "64x48", { corners: "KWKW" }),
  "tiff-p3.tiff": converted("tiff", "64x48", { ink: [219, 37, 48] }),
  "tiff-packbits.tiff": converted("tiff", "64x48"),
  "tiff-palette.tiff": converted("tiff", "64x48"),
  "tiff-place.tiff": converted("tiff", "64x48", { locates: true }),
  "tiff-tiled.tiff": converted("tiff", "64x48"),
  "tiff-two-pages.tiff": converted("tiff", "64x48"),
  "turned-by-exif-alone.heic": converted("heic", "192x128", { corners: "RBRB" }),
  "turned-twice-said.heic": converted("heic", "128x192", { corners: "RRBB" }),
  "turned.heic": converted("heic", "128x192", { corners: "BBRR" }),
  "turned.tiff": converted("tiff", "128x192", { corners: "RRBB" }),
  "twelve-megapixels.heic": converted("heic", "3024x4032", { corners: "-WW-", thumbnail: "WW--" }),
  "webm-51.webm": film("video/webm", "96x64", 2),
  "webm-av1.webm": film("video/webm", "96x64", 2),
  "webm-clear.webm": film("video/webm", "96x64", 2, { poster: "---Y" }),
  "webm-cues-first.webm": film("video/webm", "96x64", 2),
  "webm-cut-late.webm": film("video/webm", "96x64", 1.4),
  "webm-cut.webm": refused("file_broken"),
  "webm-head-alone.webm": refused("file_broken"),
  "webm-opus.webm": film("video/webm", "96x64", 2),
  "webm-place.webm": film("video/webm", "96x64", 2, { locates: true }),
  "webm-unknown-length.webm": film("video/webm", "96x64", 1.9),
  "webm-vorbis.webm": film("video/webm", "96x64", 2),
  "webm-vp8.webm": film("video/webm", "96x64", 2),
  "webm-vp9-444.webm": film("video/webm", "96x64", 2),
  "webm-vp9-ten-bit.webm": film("video/webm", "96x64", 2),
  "webm-vp9.webm": film("video/webm", "96x64", 2),
  "webp-animated.webp": photo("image/webp", "64x48", { frames: 3 }),
  "webp-bomb.webp": refused("too_many_pixels"),
  "webp-bytes-behind.webp": photo("image/webp", "64x48", { locates: true }),
  "webp-clear-lossless.webp": photo("image/webp", "64x48", { corners: "RKBY" }),
  "webp-clear.webp": photo("image/webp", "64x48", { corners: "RKBY" }),
  "webp-cut.webp": refused("file_broken"),
  "webp-exif-place.webp": photo("image/webp", "64x48", { locates: true }),
  "webp-lossless.webp": photo("image/webp", "64x48"),
  "webp-lossy.webp": photo("image/webp", "64x48"),
  "webp-p3.webp": photo("image/webp", "64x48", { ink: [219, 39, 49] }),
  "webp-turned-by-exif.webp": photo("image/webp", "64x48"),
  "webp-unknown-chunk.webp": photo("image/webp", "64x48", { locates: true }),
  "webp-xmp-place.webp": photo("image/webp", "64x48", { locates: true }),
  "wmv.wmv": refused("file_video"),
};
