import { readFileSync } from "node:fs";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { describe, expect, test } from "vitest";
import {
  convertiblePicture,
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
  foreignKind,
  isSequence,
  jpegBreak,
  kindOfFilter,
} from "@/domain/media-files";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((p) => [...p]));
const head = (bytes: Uint8Array) => bytes.subarray(0, DETECT_BYTES);
const ftyp = (major: string, ...compatible: string[]) =>
  join(
    Uint8Array.of(0, 0, 0, 16 + 4 * compatible.length),
    ascii(`ftyp${major}\0\0\0\0${compatible.join("")}`),
  );
const box = (type: string, ...parts: Uint8Array[]) => {
  const body = join(...parts);
  const size = body.length + 8;
  return join(Uint8Array.of(0, 0, size >> 8, size & 0xff), ascii(type), body);
};
const reader = (bytes: Uint8Array) => (offset: number, length: number) =>
  bytes.subarray(offset, offset + length);

function faultOf(bytes: Uint8Array, as?: DetectedFile) {
  const detected = as ?? detectFile(head(bytes));
  if (detected === null) throw new Error("not a file that we store");
  return fileFault(reader(bytes), bytes.length, detected);
}

const STORED: [FixtureName, string, string][] = [
  ["photo.jpg", "image/jpeg", "jpg"],
  ["photo.png", "image/png", "png"],
  ["photo.gif", "image/gif", "gif"],
  ["photo.webp", "image/webp", "webp"],
  ["video.mp4", "video/mp4", "mp4"],
  ["video-msnv.mp4", "video/mp4", "mp4"],
  ["video-fragmented.mp4", "video/mp4", "mp4"],
  ["video-with-place.mov", "video/quicktime", "mov"],
  ["video.m4v", "video/x-m4v", "m4v"],
  ["video.webm", "video/webm", "webm"],
  ["video-live.webm", "video/webm", "webm"],
];

describe("the type of a file comes from its bytes", () => {
  test.each(STORED)("%s is %s and stored as .%s", (name, contentType, extension) => {
    const kind = contentType.startsWith("image/") ? "photo" : "video";
    expect(detectFile(head(mediaFixture(name)))).toEqual({ kind, contentType, extension });
  });

  test.each(["isom", "mp42", "avc1", "hvc1", "MSNV", "dash", "iso6"])(
    "a file of brand %s is an MP4",
    (brand) => expect(detectFile(ftyp(brand))?.contentType).toBe("video/mp4"),
  );

  test("a phone's 3gp4 that is also mp42 is an MP4, a plain one is 3GP", () => {
    expect(detectFile(ftyp("3gp4", "isom", "mp42"))?.extension).toBe("mp4");
    expect(detectFile(ftyp("3gp4", "isom", "3gp4"))).toEqual({
      kind: "video",
      contentType: "video/3gpp",
      extension: "3gp",
    });
  });

  test.each([
    ["SVG", ascii('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["SVG behind an XML header", ascii('<?xml version="1.0"?><svg/>')],
    ["HTML", ascii("<!doctype html><script>1</script>")],
    ["a script", ascii("alert(1)")],
    ["a PDF", ascii("%PDF-1.7")],
    ["Matroska", mediaFixture("video.mkv")],
    ["sound in an MP4", mediaFixture("sound.m4a")],
    ["AVIF", mediaFixture("picture.avif")],
    ["HEIC", ftyp("heic", "mif1", "heic")],
    ["a raw picture", ftyp("crx ", "isom")],
    ["sound in RIFF", ascii("RIFF\x10\0\0\0WAVEfmt ")],
    ["nothing", new Uint8Array()],
    ["three bytes", ascii("GIF")],
  ])("%s is nothing that we store", (_name, bytes) => {
    expect(detectFile(head(bytes))).toBeNull();
  });

  test("a script that begins like a GIF is a GIF, whatever its name", () => {
    expect(detectFile(head(ascii("GIF89a=1;alert(document.cookie)")))?.extension).toBe("gif");
  });

  test("pictures that may be converted are known by their first bytes", () => {
    expect(convertiblePicture(ascii("\xff\x0a\x10\x20"))).toBe("jxl");
    expect(convertiblePicture(ascii("\0\0\0\x0cJXL \r\n\x87\n"))).toBe("jxl");
    expect(convertiblePicture(ascii("II*\0\x08\0\0\0"))).toBe("tiff");
    expect(convertiblePicture(ascii("MM\0*\0\0\0\x08"))).toBe("tiff");
    expect(convertiblePicture(ascii("BM????\0\0\0\0????\x28\0\0\0"))).toBe("bmp");
    expect(convertiblePicture(ascii("BM is how this text begins"))).toBeNull();
    expect(convertiblePicture(ftyp("heic", "mif1", "heic"))).toBe("heic");
    expect(convertiblePicture(ftyp("mif1", "mif1", "heic"))).toBe("heic");
    expect(convertiblePicture(head(mediaFixture("picture.avif")))).toBe("avif");
    expect(convertiblePicture(ftyp("isom"))).toBeNull();
    expect(convertiblePicture(ascii("<svg/>"))).toBeNull();
  });
});

test.each<[string, Uint8Array, string | null]>([
  ["a raw picture of Canon", ftyp("crx ", "isom"), "raw"],
  ["of Fujifilm", ascii("FUJIFILMCCD-RAW 0201"), "raw"],
  ["of Panasonic", ascii("IIU\0\x18\0\0\0"), "raw"],
  ["of Olympus", ascii("IIRO\x08\0\0\0"), "raw"],
  ["Matroska", mediaFixture("video.mkv"), "video"],
  ["an AVI film", ascii("RIFF\x10\0\0\0AVI LIST"), "video"],
  ["Windows Media", ascii("\x30\x26\xb2\x75\x8e\x66\xcf\x11"), "video"],
  ["a DVD's film", ascii("\0\0\x01\xba\x44\0\x04"), "video"],
  ["a camcorder's film", ascii("\0\0\0\0G@\0\x10\0"), "video"],
  ["a stream that begins with its services", ascii("G@\x11\x10\0B"), "video"],
  ["Theora in Ogg", ascii(`OggS${"\0".repeat(24)}\x80theora`), "video"],
  ["sound in Ogg", ascii(`OggS${"\0".repeat(24)}\x01vorbis`), null],
  ["sound in RIFF", ascii("RIFF\x10\0\0\0WAVEfmt "), null],
  ["a drawing", ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  ["nothing", new Uint8Array(), null],
])("%s is known for what it is, though we cannot take it", (_name, bytes, kind) => {
  expect(detectFile(head(bytes))).toBeNull();
  expect(foreignKind(head(bytes))).toBe(kind);
});

describe("a whole file passes, a cut one does not", () => {
  test.each(STORED)("%s is whole", (name) => {
    expect(faultOf(mediaFixture(name))).toBeNull();
  });

  // A recording of unknown length says nowhere how long it should be.
  const stated = STORED.filter(([name]) => name !== "video-live.webm");
  test.each(stated)("%s is broken wherever it is cut", (name) => {
    const bytes = mediaFixture(name);
    const detected = detectFile(head(bytes));
    if (detected === null) throw new Error(name);
    const fragmented = name === "video-fragmented.mp4";
    for (let length = 1; length < bytes.length; length += 7) {
      // Between two fragments a file is whole again, only shorter.
      if (fragmented && length > 900) break;
      expect([length, faultOf(bytes.subarray(0, length), detected)]).toEqual([
        length,
        "file_broken",
      ]);
    }
    expect(faultOf(bytes.subarray(0, -1), detected)).toBe("file_broken");
  });

  test("a recording of unknown length is broken before its first picture", () => {
    const bytes = mediaFixture("video-live.webm");
    expect(faultOf(bytes.subarray(0, 60))).toBe("file_broken");
  });

  test("an empty file is empty, not broken", () => {
    const jpeg = detectFile(head(mediaFixture("photo.jpg")));
    if (jpeg === null) throw new Error("fixture");
    expect(fileFault(() => new Uint8Array(), 0, jpeg)).toBe("file_empty");
  });

  test("bytes behind the end of a JPEG, which phones add, are no fault", () => {
    const motionPhoto = join(mediaFixture("photo.jpg"), new Uint8Array(200_000).fill(7));
    expect(faultOf(motionPhoto)).toBeNull();
  });

  test("the end marker of an EXIF thumbnail is not the end of the picture", () => {
    const photo = mediaFixture("photo.jpg");
    const thumbnail = Uint8Array.of(0xff, 0xe1, 0, 6, 0xff, 0xd8, 0xff, 0xd9);
    const withThumbnail = join(photo.subarray(0, 2), thumbnail, photo.subarray(2));
    expect(faultOf(withThumbnail)).toBeNull();
    expect(faultOf(withThumbnail.subarray(0, -40))).toBe("file_broken");
  });

  const behind: [string, Uint8Array][] = [
    ["zeros", new Uint8Array(16)],
    ["a text", ascii("Made by nobody, for nothing; this is no box and no block")],
    ["three bytes", Uint8Array.of(1, 2, 3)],
  ];
  test.each(behind)("%s behind a GIF, an MP4 or a MOV are no fault", (_what, bytes) => {
    for (const name of ["photo.gif", "animated.gif", "video.mp4", "video.mov"] as const) {
      expect([name, faultOf(join(mediaFixture(name), bytes))]).toEqual([name, null]);
    }
  });

  test("a GIF that ends before its end mark is broken, whatever follows", () => {
    const gif = mediaFixture("animated.gif");
    expect(faultOf(join(gif.subarray(0, -1), ascii("text")))).toBe("file_broken");
  });

  test("bytes between the parts of a JPEG are no fault", () => {
    const photo = mediaFixture("photo.jpg");
    const second = Buffer.from(photo).indexOf(0xff, 3);
    const bytes = join(photo.subarray(0, second), ascii("garbage"), photo.subarray(second));
    expect(faultOf(bytes)).toBeNull();
  });

  test("a JPEG that breaks off in its pixels is broken until it is ended", () => {
    const photo = mediaFixture("photo.jpg");
    const scan = Buffer.from(photo).indexOf(Buffer.from([0xff, 0xda]));
    expect(faultOf(photo.subarray(0, scan + 40))).toBe("file_broken");
    const ended = join(photo.subarray(0, scan + 40), Uint8Array.of(0xff, 0xd9));
    expect(faultOf(ended)).toBeNull();
  });

  const END = Uint8Array.of(0xff, 0xd9);
  const breakOf = (bytes: Uint8Array) => jpegBreak(reader(bytes), bytes.length);
  const scansOf = (bytes: Uint8Array) => {
    const found: number[] = [];
    for (let at = 0; at >= 0; ) {
      at = Buffer.from(bytes).indexOf(Buffer.from([0xff, 0xda]), at + 1);
      if (at >= 0) found.push(at);
    }
    return found;
  };

  test("a JPEG can be ended where its pixels break off, and nowhere else", () => {
    const photo = mediaFixture("photo.jpg");
    const [scan = 0] = scansOf(photo);
    expect(breakOf(photo)).toBeNull();
    expect(breakOf(join(photo, ascii("a film")))).toBeNull();
    for (const size of [photo.length - 2, photo.length - 1, scan + 40])
      expect(breakOf(photo.subarray(0, size))).toBe(size);
    for (const size of [scan + 10, scan, scan - 20, 2])
      expect(breakOf(photo.subarray(0, size))).toBeNull();
  });

  test("of a progressive one the scans that are there remain", () => {
    const photo = new Uint8Array(
      readFileSync(new URL("../../files/jpeg-progressive.jpg", import.meta.url)),
    );
    const scans = scansOf(photo);
    const third = scans[2] ?? 0;
    for (let size = third - 6; size < third + 60; size++) {
      const cut = photo.subarray(0, size);
      const at = breakOf(cut) ?? 0;
      expect(at).toBeGreaterThan(scans[1] ?? 0);
      expect([size, faultOf(join(cut.subarray(0, at), END))]).toEqual([size, null]);
    }
  });

  test("an MP4 without its index is broken", () => {
    const bytes = mediaFixture("video-with-place.mp4").slice();
    const at = Buffer.from(bytes).indexOf("moov");
    bytes.set(ascii("free"), at);
    expect(faultOf(bytes)).toBe("file_broken");
  });

  test("an index that lists no track is as good as none", () => {
    const film = (...index: Uint8Array[]) =>
      join(ftyp("isom"), box("moov", ...index), box("mdat", ascii("pictures")));
    expect(faultOf(film())).toBe("file_broken");
    expect(faultOf(film(box("mvhd", new Uint8Array(100))))).toBe("file_broken");
    expect(faultOf(film(box("mvhd", new Uint8Array(100)), box("trak")))).toBeNull();
    expect(faultOf(film(box("cmov", ascii("packed"))))).toBeNull();
    const padding = Array.from({ length: 300 }, () => box("free"));
    expect(faultOf(film(...padding, box("trak")))).toBe("file_broken");
  });

  test("a crafted file of endless tiny boxes ends the walk early", () => {
    let reads = 0;
    const mp4 = detectFile(ftyp("isom"));
    if (mp4 === null) throw new Error("fixture");
    const read = () => {
      reads++;
      return join(box("free"), box("free"));
    };
    expect(fileFault(read, 200_000_000, mp4)).toBe("file_broken");
    expect(reads).toBeLessThan(25_000);
  });
});

test("a sequence of pictures is told by its brands", () => {
  expect(isSequence(ftyp("avis", "avif", "msf1"))).toBe(true);
  expect(isSequence(ftyp("avif", "avis"))).toBe(true);
  expect(isSequence(ftyp("hevc", "msf1"))).toBe(true);
  expect(isSequence(ftyp("avif", "mif1", "miaf"))).toBe(false);
  expect(isSequence(ftyp("heic", "mif1", "heic"))).toBe(false);
  expect(isSequence(mediaFixture("photo.jpg"))).toBe(false);
});

test("an animated JPEG XL is told by its header", () => {
  const moving = (kind: string) =>
    isSequence(
      head(new Uint8Array(readFileSync(new URL(`../../files/${kind}.jxl`, import.meta.url)))),
    );
  expect(moving("jxl-animated")).toBe(true);
  for (const still of ["plain", "jxl-boxes", "jxl-lossless", "jxl-progressive"])
    expect([still, moving(still)]).toEqual([still, false]);
});

test("a list's filter names the kind that it shows", () => {
  expect((["all", "photos", "videos"] as const).map(kindOfFilter)).toEqual([
    null,
    "photo",
    "video",
  ]);
});
