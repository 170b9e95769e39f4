/**
 * Makes the JPEG, PNG, GIF and WebP files of this folder, whole and broken ones, and pictures of
 * other formats: `node tests/files/make-photos.mjs` with ffmpeg, ImageMagick, exiftool, cjxl and
 * heif-enc on the machine. All of it is our own drawing.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import {
  ascii,
  at,
  box,
  bytesOf,
  convert,
  ffmpeg,
  insert,
  keep,
  kept,
  little,
  PLACE,
  profileFile,
  quarters,
  run,
  tag,
  u8,
  u16,
  u32,
} from "./parts.mjs";

const picture = quarters();
/** Softer inks, whose numbers mean other colours in a wide profile. */
const soft = quarters(64, 48, ["#c83c3c", "#3cc83c", "#3c3cc8", "#c8c83c"]);
/** Enough detail that a part of the file is a part of the picture. */
const detailed = at("detailed.png");
convert(quarters(320, 240), "-seed", "1", "-attenuate", "0.2", "+noise", "Gaussian", detailed);

/** @param {string} name @param {string[]} how between the drawing and the file */
const photo = (name, ...how) => convert(picture, ...how, kept(name));
const XMP_PLACE = ["-XMP:GPSLatitude=48.1234", "-XMP:GPSLongitude=11.5678"];
const IPTC_PLACE = ["-IPTC:City=Kirschdorf", "-IPTC:Country-PrimaryLocationName=Germany"];

// JPEG.

const JPEG = ["-quality", "90", "-sampling-factor", "4:4:4"];
const segment = (/** @type {number} */ marker, /** @type {Uint8Array[]} */ ...parts) => {
  const data = Buffer.concat(parts);
  return Buffer.concat([u8(0xff), u8(marker), u16(data.length + 2), data]);
};
/** Right behind the first two bytes. @param {string} name @param {string} from @param {Uint8Array[]} more */
const withSegments = (name, from, ...more) => keep(name, insert(bytesOf(from), 2, ...more));

photo("jpeg.jpg", ...JPEG);
const jpeg = bytesOf("jpeg.jpg");
/** How a picture is stored that is shown upright, by the numbers of EXIF. */
const STORED = [
  [],
  ["-flop"],
  ["-rotate", "180"],
  ["-flip"],
  ["-transpose"],
  ["-rotate", "-90"],
  ["-transverse"],
  ["-rotate", "90"],
];
STORED.forEach((how, i) => {
  photo(`jpeg-orientation-${i + 1}.jpg`, ...how, ...JPEG);
  tag(`jpeg-orientation-${i + 1}.jpg`, `-Orientation=${i + 1}`, ...PLACE);
});
photo("jpeg-420.jpg", "-quality", "90", "-sampling-factor", "4:2:0");
photo("jpeg-422.jpg", "-quality", "90", "-sampling-factor", "4:2:2");
photo("jpeg-progressive.jpg", ...JPEG, "-interlace", "JPEG");
photo("jpeg-grey.jpg", ...JPEG, "-colorspace", "Gray");
photo("jpeg-cmyk.jpg", ...JPEG, "-colorspace", "CMYK");
photo("jpeg-arithmetic.jpg", ...JPEG, "-define", "jpeg:arithmetic-coding=true");
photo("jpeg-restarts.jpg", ...JPEG, "-define", "jpeg:restart-interval=2");
photo("jpeg-best.jpg", "-quality", "100", "-sampling-factor", "4:4:4");
photo("jpeg-one-pixel.jpg", "-crop", "1x1+0+0", "+repage", ...JPEG);
convert(quarters(2400, 60), ...JPEG, kept("jpeg-panorama.jpg"));
convert(quarters(60, 2400), ...JPEG, kept("jpeg-tower.jpg"));
convert(quarters(1600, 1200), ...JPEG, kept("jpeg-larger-than-preview.jpg"));
convert(soft, ...JPEG, "-profile", profileFile("Display P3"), kept("jpeg-p3.jpg"));
convert(soft, ...JPEG, "-profile", profileFile("Wide RGB"), kept("jpeg-adobe-rgb.jpg"));
ffmpeg("-i", picture, "-pix_fmt", "yuvj444p", "-q:v", "2", kept("jpeg-without-jfif.jpg"));
ffmpeg("-i", picture, "-c:v", "ljpeg", "-f", "image2", kept("jpeg-lossless.jpg"));

photo("jpeg-exif-place.jpg", ...JPEG);
tag("jpeg-exif-place.jpg", ...PLACE, "-Make=Kirsch", "-SerialNumber=4711", "-OwnerName=Ada");
convert(picture, "-resize", "50%", ...JPEG, at("thumbnail.jpg"));
photo("jpeg-exif-thumbnail.jpg", ...JPEG);
tag("jpeg-exif-thumbnail.jpg", ...PLACE, `-ThumbnailImage<=${at("thumbnail.jpg")}`);
photo("jpeg-xmp-place.jpg", ...JPEG);
tag("jpeg-xmp-place.jpg", ...XMP_PLACE);
photo("jpeg-iptc-place.jpg", ...JPEG);
tag("jpeg-iptc-place.jpg", ...IPTC_PLACE);
photo("jpeg-comment.jpg", ...JPEG);
tag("jpeg-comment.jpg", "-Comment=GPS 48.1234 N 11.5678 E");
withSegments(
  "jpeg-two-exif.jpg",
  "jpeg-exif-place.jpg",
  segment(0xe1, ascii("Exif\0\0MM\0*"), u32(8), u16(0), u32(0)),
);
withSegments(
  "jpeg-broken-exif.jpg",
  "jpeg.jpg",
  segment(0xe1, ascii("Exif\0\0MM\0*"), u32(0xfffffff0), u16(9)),
);
{
  // As Google's phones write it: the gain map, or a film, behind the picture.
  const described = (/** @type {string} */ items) =>
    segment(
      0xe1,
      ascii("http://ns.adobe.com/xap/1.0/\0"),
      ascii(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
          '<rdf:Description xmlns:Container="http://ns.google.com/photos/1.0/container/" ' +
          'xmlns:Item="http://ns.google.com/photos/1.0/container/item/" ' +
          'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" ' +
          'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" ' +
          'xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,7.404N" exif:GPSLongitude="11,34.068E" ' +
          `GCamera:MotionPhoto="1"><Container:Directory><rdf:Seq>${items}</rdf:Seq></Container:Directory>` +
          "</rdf:Description></rdf:RDF></x:xmpmeta>",
      ),
    );
  const item = (/** @type {string} */ mime, /** @type {string} */ meaning, length = 0) =>
    `<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="${mime}" Item:Semantic="${meaning}" Item:Length="${length}"/></rdf:li>`;
  const second = readFileSync(at("thumbnail.jpg"));
  tagged(second);
  const gain = readFileSync(at("second.jpg"));
  const entry = (/** @type {number[]} */ ...[attribute = 0, size = 0, offset = 0]) =>
    Buffer.concat([u32(attribute), u32(size), u32(offset), u32(0)]);
  const field = (/** @type {number[]} */ ...[id = 0, type = 0, count = 0, value = 0]) =>
    Buffer.concat([u16(id), u16(type), u32(count), u32(value)]);
  const pictures = Buffer.concat([entry(0x030000, jpeg.length, 0), entry(0, gain.length, 0)]);
  const several = segment(
    0xe2,
    ascii("MPF\0MM\0*"),
    u32(8),
    u16(3),
    Buffer.concat([u16(0xb000), u16(7), u32(4), ascii("0100")]),
    field(0xb001, 4, 1, 2),
    field(0xb002, 7, 32, 50),
    u32(0),
    pictures,
  );
  keep("jpeg-several-pictures.jpg", insert(jpeg, 2, several), gain);
  const hdr = described(item("image/jpeg", "Primary") + item("image/jpeg", "GainMap", gain.length));
  keep("jpeg-ultra-hdr.jpg", insert(jpeg, 2, hdr, several), gain);
  const film = readFileSync(
    new URL("../support/fixtures/media/video-with-place.mp4", import.meta.url),
  );
  const motion = described(
    item("image/jpeg", "Primary") + item("video/mp4", "MotionPhoto", film.length),
  );
  keep("jpeg-motion-photo.jpg", insert(jpeg, 2, motion), film);
}

/** A second picture with a place of its own. @param {Buffer} bytes */
function tagged(bytes) {
  writeFileSync(at("second.jpg"), bytes);
  run("exiftool", "-q", "-overwrite_original", "-n", ...PLACE, at("second.jpg"));
}

keep("jpeg-bytes-between-segments.jpg", insert(jpeg, 20, Buffer.alloc(7)));
keep("jpeg-fill-bytes.jpg", insert(jpeg, 20, Buffer.alloc(9, 0xff)));
keep("jpeg-bytes-behind.jpg", jpeg, ascii("GPS 48.1234 N 11.5678 E".repeat(40)));
keep("jpeg-without-end.jpg", jpeg.subarray(0, -2));
convert(detailed, ...JPEG, at("detailed.jpg"));
convert(detailed, ...JPEG, "-interlace", "JPEG", at("waves.jpg"));
const large = readFileSync(at("detailed.jpg"));
keep("jpeg-cut-in-scan.jpg", large.subarray(0, Math.floor(large.length * 0.6)));
const waves = readFileSync(at("waves.jpg"));
keep("jpeg-cut-in-later-scan.jpg", waves.subarray(0, Math.floor(waves.length * 0.7)));
keep("jpeg-cut-in-header.jpg", jpeg.subarray(0, 120));
{
  const bomb = Buffer.from(jpeg);
  const frame = bomb.indexOf(Buffer.from([0xff, 0xc0]));
  bomb.writeUInt32BE(0xffff_ffff, frame + 5);
  keep("jpeg-bomb.jpg", bomb);
  const scan = bomb.indexOf(Buffer.from([0xff, 0xda]));
  const end = jpeg.length - 2;
  const last = waves.subarray(waves.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  const scans = Array.from({ length: 60 }, () => last);
  keep("jpeg-many-scans.jpg", waves.subarray(0, -2), ...scans, waves.subarray(-2));
  keep("jpeg-without-scan.jpg", jpeg.subarray(0, scan), jpeg.subarray(end));
}

// PNG.

photo("png.png", "-define", "png:color-type=2");
const png = bytesOf("png.png");
const chunk = (/** @type {string} */ type, /** @type {Uint8Array} */ data) => {
  const named = Buffer.concat([ascii(type), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
};
/** Behind the header. @param {string} name @param {Uint8Array[]} more */
const pngWith = (name, ...more) => keep(name, insert(png, 33, ...more));

photo(
  "png-16-bit.png",
  "-depth",
  "16",
  "-define",
  "png:bit-depth=16",
  "-define",
  "png:color-type=2",
);
photo("png-palette.png", "-type", "Palette", "-define", "png:color-type=3");
photo(
  "png-palette-clear.png",
  "-alpha",
  "set",
  "-fill",
  "none",
  "-opaque",
  "#1ec81e",
  "-define",
  "png:format=png8",
);
photo(
  "png-alpha.png",
  "-alpha",
  "set",
  "-channel",
  "A",
  "-evaluate",
  "set",
  "50%",
  "-define",
  "png:color-type=6",
);
photo("png-grey.png", "-colorspace", "Gray", "-define", "png:color-type=0");
photo("png-grey-alpha.png", "-colorspace", "Gray", "-alpha", "set", "-define", "png:color-type=4");
photo("png-one-bit.png", "-colorspace", "Gray", "-threshold", "50%", "-define", "png:bit-depth=1");
photo("png-interlaced.png", "-interlace", "PNG");
convert(soft, "-profile", profileFile("Display P3"), kept("png-p3.png"));
convert(soft, "-define", "png:color-type=2", "-strip", at("soft.png"));
keep(
  "png-p3-by-number.png",
  insert(readFileSync(at("soft.png")), 33, chunk("cICP", Buffer.from([12, 13, 0, 1]))),
);
pngWith("png-gamma.png", chunk("gAMA", u32(100_000)));
{
  photo("png-turned.png", "-rotate", "-90");
  tag("png-turned.png", "-Orientation=6", ...PLACE);
  pngWith("png-text-place.png", chunk("tEXt", ascii("GPSPosition\x0048.1234 N, 11.5678 E")));
  const words = deflateSync(ascii("48.1234 N, 11.5678 E"));
  pngWith(
    "png-packed-text-place.png",
    chunk("zTXt", Buffer.concat([ascii("GPSPosition\0\0"), words])),
  );
  photo("png-xmp-place.png");
  tag("png-xmp-place.png", ...XMP_PLACE);
  pngWith(
    "png-unknown-chunk.png",
    chunk("prVt", ascii("GPS 48.1234 N")),
    chunk("tIME", Buffer.from([7, 232, 5, 6, 7, 8, 9])),
  );
  keep("png-bytes-behind.png", png, ascii("GPS 48.1234 N 11.5678 E"));
  keep("png-cut.png", png.subarray(0, -30));
  const bomb = Buffer.concat([u32(60_000), u32(60_000), Buffer.from([8, 2, 0, 0, 0])]);
  keep("png-bomb.png", png.subarray(0, 8), chunk("IHDR", bomb), png.subarray(33));
  const broken = Buffer.from(png);
  broken.fill(0x55, png.indexOf("IDAT") + 6, png.indexOf("IDAT") + 30);
  keep("png-broken-data.png", broken);
}

// Moving pictures: four quarters, then white, then the quarters again.

const white = at("white.png");
convert("-size", "64x48", "xc:white", white);
const MOVING = ["-delay", "20", "-loop", "0", picture, white, picture];
ffmpeg(
  "-framerate",
  "5",
  "-i",
  at("moving-%d.png"),
  ...moving(),
  "-plays",
  "0",
  "-f",
  "apng",
  kept("png-animated.png"),
);

/** Numbered frames for ffmpeg. @returns {string[]} */
function moving() {
  [picture, white, picture].forEach((frame, i) => {
    writeFileSync(at(`moving-${i}.png`), readFileSync(frame));
  });
  return ["-pix_fmt", "rgb24"];
}
{
  // Its still picture, for those who know no animation, is not one of its frames.
  const apng = bytesOf("png-animated.png");
  const control = apng.indexOf("acTL") - 4;
  const data = png.subarray(png.indexOf("IDAT") - 4, png.indexOf("IEND") - 4);
  const rest = apng.subarray(control + 20);
  const frames = [];
  let number = 0;
  for (let place = 0; place < rest.length; ) {
    const length = rest.readUInt32BE(place);
    const type = rest.toString("latin1", place + 4, place + 8);
    const body = rest.subarray(place + 8, place + 8 + length);
    place += 12 + length;
    if (type === "fcTL" || type === "fdAT")
      frames.push(chunk(type, Buffer.concat([u32(number++), body.subarray(4)])));
    else if (type === "IDAT") frames.push(chunk("fdAT", Buffer.concat([u32(number++), body])));
  }
  keep(
    "png-animated-beside-still.png",
    apng.subarray(0, control + 20),
    data,
    ...frames,
    chunk("IEND", Buffer.alloc(0)),
  );
  keep(
    "png-animated-place.png",
    insert(apng, 33, chunk("tEXt", ascii("GPSPosition\x0048.1234 N, 11.5678 E"))),
  );
}

// GIF.

photo("gif.gif");
photo("gif-87a.gif", "-strip", "-colors", "16");
photo("gif-clear.gif", "-alpha", "set", "-fill", "none", "-opaque", "#1ec81e");
photo("gif-interlaced.gif", "-interlace", "GIF");
convert(...MOVING, kept("gif-animated.gif"));
convert("-delay", "20", "-loop", "2", picture, white, kept("gif-plays-twice.gif"));
photo("gif-comment.gif", "-set", "comment", "GPS 48.1234 N 11.5678 E");
convert(...MOVING, kept("gif-xmp-place.gif"));
tag("gif-xmp-place.gif", ...XMP_PLACE);
keep("gif-bytes-behind.gif", bytesOf("gif.gif"), ascii("GPS 48.1234 N 11.5678 E"));
keep("gif-without-trailer.gif", bytesOf("gif.gif").subarray(0, -1));
keep("gif-cut.gif", bytesOf("gif-animated.gif").subarray(0, -60));
{
  const bomb = Buffer.from(bytesOf("gif.gif"));
  bomb.writeUInt32LE(0xffff_ffff, 6);
  keep("gif-bomb.gif", bomb);
}

// WebP.

photo("webp-lossy.webp", "-quality", "90");
photo("webp-lossless.webp", "-define", "webp:lossless=true");
const CLEAR = ["-alpha", "set", "-fill", "none", "-opaque", "#1ec81e"];
photo("webp-clear.webp", ...CLEAR, "-quality", "90");
photo("webp-clear-lossless.webp", ...CLEAR, "-define", "webp:lossless=true");
ffmpeg(
  ...["-framerate", "5", "-i", at("moving-%d.png"), "-c:v", "libwebp_anim", "-lossless", "1"],
  ...["-loop", "0", kept("webp-animated.webp")],
);
convert(soft, "-profile", profileFile("Display P3"), "-quality", "95", kept("webp-p3.webp"));
photo("webp-exif-place.webp", "-quality", "90");
tag("webp-exif-place.webp", ...PLACE);
photo("webp-turned-by-exif.webp", "-quality", "90");
tag("webp-turned-by-exif.webp", "-Orientation=6");
photo("webp-xmp-place.webp", "-quality", "90");
tag("webp-xmp-place.webp", ...XMP_PLACE);
const webp = bytesOf("webp-lossless.webp");
/** With the length in its head set right. @param {Uint8Array[]} parts */
const riff = (...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([ascii("RIFF"), little(body.length + 4, 4), ascii("WEBP"), body]);
};
keep(
  "webp-unknown-chunk.webp",
  riff(webp.subarray(12), ascii("prvt"), little(14, 4), ascii("GPS 48.1234 N ")),
);
keep("webp-bytes-behind.webp", webp, ascii("GPS 48.1234 N 11.5678 E"));
keep("webp-cut.webp", bytesOf("webp-lossy.webp").subarray(0, -40));
{
  const bomb = Buffer.from(webp);
  bomb.writeUInt32LE(0x0fffffff, 21);
  keep("webp-bomb.webp", bomb);
}

// TIFF, BMP, AVIF, JPEG XL and HEIC that programs write.

const TIFFS = {
  "big-endian": ["-endian", "MSB"],
  packbits: ["-compress", "RLE"],
  deflate: ["-compress", "Zip"],
  jpeg: ["-compress", "JPEG", "-quality", "95"],
  grey: ["-colorspace", "Gray", "-compress", "LZW"],
  "one-bit": ["-colorspace", "Gray", "-threshold", "50%", "-type", "Bilevel", "-compress", "None"],
  fax: ["-colorspace", "Gray", "-threshold", "50%", "-type", "Bilevel", "-compress", "Group4"],
  palette: ["-type", "Palette", "-compress", "LZW"],
  cmyk: ["-colorspace", "CMYK", "-compress", "LZW"],
  alpha: [...CLEAR, "-compress", "LZW"],
  tiled: ["-define", "tiff:tile-geometry=32x32", "-compress", "LZW"],
};
for (const [kind, how] of Object.entries(TIFFS)) photo(`tiff-${kind}.tiff`, ...how);
convert(picture, white, "-compress", "LZW", kept("tiff-two-pages.tiff"));
photo("tiff-place.tiff", "-compress", "LZW");
tag("tiff-place.tiff", ...PLACE, ...XMP_PLACE);
convert(soft, "-compress", "LZW", "-profile", profileFile("Display P3"), kept("tiff-p3.tiff"));
convert(picture, `TIFF64:${kept("tiff-big.tiff")}`);
keep("tiff-cut.tiff", bytesOf("tiff-deflate.tiff").subarray(0, 120));
{
  const plain = bytesOf("tiff-deflate.tiff");
  const first = plain.readUInt32LE(4);
  const entry = (/** @type {number} */ i) => first + 2 + 12 * i;
  const next = entry(plain.readUInt16LE(first));
  const circle = Buffer.from(plain);
  circle.writeUInt32LE(first, next);
  keep("tiff-circle.tiff", circle);
  // Its last entry says that it holds four thousand million numbers.
  const endless = Buffer.from(plain);
  endless.writeUInt16LE(3, next - 12 + 2);
  endless.writeUInt32LE(0xffffffff, next - 12 + 4);
  keep("tiff-endless.tiff", endless);
  // Its last entry says that the page lies within itself.
  const nested = Buffer.from(plain);
  Buffer.concat([little(330, 2), little(4, 2), little(1, 4), little(first, 4)]).copy(
    nested,
    next - 12,
  );
  keep("tiff-nested.tiff", nested);
}

photo("bmp-alpha.bmp", ...CLEAR, "-define", "bmp:format=bmp4");
photo("bmp-palette.bmp", "-type", "Palette", "-compress", "None");
photo("bmp-packed.bmp", "-type", "Palette", "-compress", "RLE");
photo("bmp-one-bit.bmp", "-colorspace", "Gray", "-threshold", "50%", "-type", "Bilevel");
photo("bmp-16-bit.bmp", "-define", "bmp:subtype=RGB565");
photo("bmp-old.bmp", "-define", "bmp:format=bmp2");
keep("bmp-cut.bmp", bytesOf("bmp-16-bit.bmp").subarray(0, 40));

/** @param {string} name @param {string} from @param {string[]} how */
const heif = (name, from, ...how) => run("heif-enc", "-q", "90", ...how, "-o", kept(name), from);
heif("avif.avif", picture, "-A");
heif("avif-clear.avif", kept("png-palette-clear.png"), "-A");
heif("avif-lossless.avif", picture, "-A", "-L");
heif("avif-place.avif", kept("jpeg-exif-place.jpg"), "-A");
heif("avif-p3.avif", kept("jpeg-p3.jpg"), "-A");
ffmpeg(
  ...["-i", picture, "-pix_fmt", "yuv420p10le", "-frames:v", "1"],
  ...["-c:v", "libaom-av1", "-still-picture", "1", "-crf", "10", kept("avif-ten-bit.avif")],
);
keep("avif-cut.avif", bytesOf("avif.avif").subarray(0, -60));
ffmpeg(
  ...["-framerate", "5", "-i", at("moving-%d.png"), "-pix_fmt", "yuv444p"],
  ...["-c:v", "libaom-av1", "-crf", "10", "-cpu-used", "6", kept("avif-animated.avif")],
);
heif("heic-place.heic", kept("jpeg-exif-place.jpg"));
heif("heic-turned-place.heic", kept("jpeg-orientation-6.jpg"));
heif("heic-444.heic", picture, "-p", "chroma=444");
heif("heic-grey.heic", kept("jpeg-grey.jpg"));
heif("heic-clear.heic", kept("png-palette-clear.png"));
heif("heic-lossless.heic", picture, "-L");
keep("heic-cut.heic", bytesOf("plain.heic").subarray(0, -40));
run("cjxl", "--quiet", kept("jpeg-exif-place.jpg"), kept("jxl-from-jpeg-place.jxl"));
run("cjxl", "--quiet", "-d", "0", picture, kept("jxl-lossless.jxl"));
run("cjxl", "--quiet", "-p", picture, kept("jxl-progressive.jxl"));
run("cjxl", "--quiet", kept("gif-animated.gif"), kept("jxl-animated.jxl"));
run("cjxl", "--quiet", "--container=1", picture, kept("jxl-boxes.jxl"));
keep("jxl-cut.jxl", bytesOf("jxl-lossless.jxl").subarray(0, 20));

// What must be refused.

keep("empty.jpg");
keep("text.jpg", ascii("This is no picture, whatever its name says.\n"));
keep(
  "drawing.svg",
  ascii('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
);
keep("page.html", ascii("<!doctype html><script>alert(1)</script>"));
keep("page-named.gif", ascii("GIF89a/*<script>*/=1;alert(1)/*</script>*/"));
keep(
  "page-named.jpg",
  Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  ascii("<html><script>alert(1)</script>"),
);
keep("paper.pdf", ascii("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"));
keep("archive.zip", ascii("PK\x05\x06"), Buffer.alloc(18));
keep("photos.psd", ascii("8BPS\0\x01"), Buffer.alloc(40));
convert(picture, kept("icon.ico"));
convert(picture, kept("photo.tga"));
convert(picture, `JP2:${kept("photo.jp2")}`);
convert(picture, kept("photo.ppm"));
{
  /** A TIFF whose first page says that it is a raw picture. @param {string} mark @param {number} tagNumber */
  const raw = (mark, tagNumber) =>
    Buffer.concat([
      ascii("II*\0"),
      little(16, 4),
      ascii(mark),
      Buffer.alloc(8 - mark.length),
      little(4, 2),
      ...[
        [0x100, 3, 1, 8],
        [0x101, 3, 1, 8],
        [0x106, 3, 1, 32803],
        [tagNumber, 1, 4, 0x0401],
      ].map(([id = 0, type = 0, count = 0, value = 0]) =>
        Buffer.concat([little(id, 2), little(type, 2), little(count, 4), little(value, 4)]),
      ),
      little(0, 4),
    ]);
  keep("raw.dng", raw("", 50706));
  keep("raw.cr2", raw("CR\x02\0", 0xc5d8));
  keep("raw.cr3", box("ftyp", ascii("crx "), u32(1), ascii("crx isom")), Buffer.alloc(64));
}
