import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { describe, expect, test } from "vitest";
import {
  convertiblePicture,
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
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

  test("HEIC and AVIF are known as pictures that may be converted", () => {
    expect(convertiblePicture(ftyp("heic", "mif1", "heic"))).toBe("heic");
    expect(convertiblePicture(ftyp("mif1", "mif1", "heic"))).toBe("heic");
    expect(convertiblePicture(head(mediaFixture("picture.avif")))).toBe("avif");
    expect(convertiblePicture(ftyp("isom"))).toBeNull();
    expect(convertiblePicture(ascii("<svg/>"))).toBeNull();
  });
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

  test("zeros behind a GIF or an MP4 are no fault", () => {
    const padding = new Uint8Array(16);
    expect(faultOf(join(mediaFixture("photo.gif"), padding))).toBeNull();
    expect(faultOf(join(mediaFixture("video.mp4"), padding))).toBeNull();
  });

  test("an MP4 without its index is broken", () => {
    const bytes = mediaFixture("video-with-place.mp4").slice();
    const at = Buffer.from(bytes).indexOf("moov");
    bytes.set(ascii("free"), at);
    expect(faultOf(bytes)).toBe("file_broken");
  });

  test("a crafted file of endless tiny boxes ends the walk early", () => {
    const box = join(Uint8Array.of(0, 0, 0, 8), ascii("free"));
    let reads = 0;
    const mp4 = detectFile(ftyp("isom"));
    if (mp4 === null) throw new Error("fixture");
    const read = () => {
      reads++;
      return join(box, box);
    };
    expect(fileFault(read, 200_000_000, mp4)).toBe("file_broken");
    expect(reads).toBeLessThan(25_000);
  });
});

test("a list's filter names the kind that it shows", () => {
  expect((["all", "photos", "videos"] as const).map(kindOfFilter)).toEqual([
    null,
    "photo",
    "video",
  ]);
});
