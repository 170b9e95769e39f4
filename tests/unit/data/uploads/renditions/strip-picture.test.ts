import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import {
  ascii,
  joinBytes,
  jpegWithSecrets,
  SECRET,
  segment,
  tiffWithSecret,
} from "@tests/support/exif";
import { mediaFixture } from "@tests/support/media-fixtures";
import { describe, expect, test } from "vitest";
import { isAnimated, readPictureHeader, stripPicture } from "@/data/files/strip-picture";
import { detectFile, fileFault } from "@/domain/media-files";

async function strip(bytes: Uint8Array<ArrayBuffer>, contentType: string) {
  const blob = stripPicture(bytes, contentType);
  expect(blob.type).toBe(contentType);
  return new Uint8Array(await blob.arrayBuffer());
}

const holdsSecret = (bytes: Uint8Array) => Buffer.from(bytes).includes(SECRET);

function isWhole(bytes: Uint8Array): boolean {
  const detected = detectFile(bytes.subarray(0, 64));
  const read = (at: number, length: number) => bytes.subarray(at, at + length);
  return detected !== null && fileFault(read, bytes.length, detected) === null;
}

describe("a JPEG", () => {
  /** ffmpeg's own comment taken out. */
  const plain = () => strip(mediaFixture("photo.jpg"), "image/jpeg");

  test("loses what stands between its parts", async () => {
    const photo = await plain();
    const dirty = joinBytes(photo.subarray(0, 2), ascii(SECRET), photo.subarray(2));
    expect(await strip(dirty, "image/jpeg")).toEqual(photo);
  });

  test("with nothing to take out stays byte for byte", async () => {
    const photo = await plain();
    expect(await strip(photo, "image/jpeg")).toEqual(photo);
  });

  test("loses place, comments, second pictures and what lies behind its end, and not one pixel", async () => {
    const photo = await plain();
    expect(await strip(jpegWithSecrets(photo, 1), "image/jpeg")).toEqual(photo);
  });

  test.each([2, 3, 4, 5, 6, 7, 8])(
    "keeps the way up %i, and nothing else of its EXIF",
    async (way) => {
      const stripped = await strip(jpegWithSecrets(await plain(), way), "image/jpeg");
      expect(holdsSecret(stripped)).toBe(false);
      expect(readPictureHeader(stripped, "image/jpeg").orientation).toBe(way);
      expect(isWhole(stripped)).toBe(true);
      // A second time nothing is left to take out.
      expect(await strip(stripped, "image/jpeg")).toEqual(stripped);
    },
  );

  test("keeps its colour profile and Adobe's colour transform", async () => {
    const photo = await plain();
    const needed = joinBytes(
      segment(0xe2, ascii("ICC_PROFILE\0\x01\x01profile")),
      segment(0xee, ascii("Adobe\0d\0\0\0\0\x01")),
    );
    const colourful = joinBytes(photo.subarray(0, 2), needed, photo.subarray(2));
    expect(await strip(colourful, "image/jpeg")).toEqual(colourful);
  });

  test("is cleaned between the scans of a progressive picture too", async () => {
    const photo = await plain();
    const scans = joinBytes(
      photo.subarray(0, -2),
      segment(0xfe, ascii(SECRET)),
      photo.subarray(-2),
    );
    expect(await strip(scans, "image/jpeg")).toEqual(photo);
  });

  test("has a size, and its EXIF thumbnail's is not it", () => {
    const thumbnail = segment(0xe1, ascii("Exif\0\0 \xff\xc0\x00\x0b\x08\x00\x01\x00\x01"));
    const photo = mediaFixture("photo.jpg");
    const withThumbnail = joinBytes(photo.subarray(0, 2), thumbnail, photo.subarray(2));
    expect(readPictureHeader(withThumbnail, "image/jpeg")).toMatchObject({ width: 64, height: 48 });
  });
});

describe("a PNG", () => {
  const chunk = (type: string, data: Uint8Array) => {
    const head = new Uint8Array(4);
    new DataView(head.buffer).setUint32(0, data.length);
    const body = joinBytes(ascii(type), data);
    const tail = new Uint8Array(4);
    new DataView(tail.buffer).setUint32(0, crc32(body));
    return joinBytes(head, body, tail);
  };
  const withChunks = (...chunks: Uint8Array[]) => {
    const photo = mediaFixture("photo.png");
    return joinBytes(photo.subarray(0, 33), ...chunks, photo.subarray(33), ascii(SECRET));
  };

  test("with nothing to take out stays byte for byte", async () => {
    const photo = mediaFixture("photo.png");
    expect(await strip(photo, "image/png")).toEqual(photo);
  });

  test("loses texts, times, makers' chunks and what lies behind its end", async () => {
    const secrets = ["tEXt", "iTXt", "zTXt", "tIME", "caBX"].map((type) =>
      chunk(type, ascii(SECRET)),
    );
    const stripped = await strip(withChunks(...secrets), "image/png");
    expect(stripped).toEqual(mediaFixture("photo.png"));
  });

  test("keeps the way up, in a chunk with a right checksum, and nothing else of its EXIF", async () => {
    const stripped = await strip(withChunks(chunk("eXIf", tiffWithSecret(6))), "image/png");
    expect(holdsSecret(stripped)).toBe(false);
    expect(readPictureHeader(stripped, "image/png").orientation).toBe(6);
    const at = Buffer.from(stripped).indexOf("eXIf");
    const length = Buffer.from(stripped).readUInt32BE(at - 4);
    const sum = Buffer.from(stripped).readUInt32BE(at + 4 + length);
    expect(sum).toBe(crc32(stripped.subarray(at, at + 4 + length)));
  });

  test("that is animated keeps its frames, and is known to move", async () => {
    const file = (name: string) =>
      new Uint8Array(readFileSync(new URL(`../../../../files/${name}`, import.meta.url)));
    const located = file("png-animated-place.png");
    expect(await strip(located, "image/png")).toEqual(file("png-animated.png"));
    const png = { kind: "photo", contentType: "image/png", extension: "png" } as const;
    const moves = (bytes: Uint8Array) =>
      isAnimated((at, length) => bytes.subarray(at, at + length), bytes.length, png);
    expect(moves(located)).toBe(true);
    expect(moves(file("png-animated-beside-still.png"))).toBe(true);
    expect(moves(mediaFixture("photo.png"))).toBe(false);
  });

  test("keeps what draws it", async () => {
    const drawn = withChunks(chunk("gAMA", Uint8Array.of(0, 0, 0xb1, 0x8f)));
    const stripped = await strip(drawn, "image/png");
    expect(Buffer.from(stripped).includes("gAMA")).toBe(true);
  });
});

describe("a WebP", () => {
  const chunk = (type: string, data: Uint8Array) => {
    const head = new Uint8Array(4);
    new DataView(head.buffer).setUint32(0, data.length, true);
    return joinBytes(ascii(type), head, data, new Uint8Array(data.length % 2));
  };
  /** An extended file around the fixture's picture, with EXIF and XMP announced. */
  const extended = (exif: Uint8Array) => {
    const header = chunk("VP8X", Uint8Array.of(0x0c, 0, 0, 0, 63, 0, 0, 47, 0, 0));
    const body = joinBytes(
      header,
      mediaFixture("photo.webp").subarray(12),
      chunk("EXIF", exif),
      chunk("XMP ", ascii(SECRET)),
    );
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, body.length + 4, true);
    return joinBytes(ascii("RIFF"), size, ascii("WEBP"), body);
  };

  test("with nothing to take out stays byte for byte", async () => {
    const photo = mediaFixture("photo.webp");
    expect(await strip(photo, "image/webp")).toEqual(photo);
  });

  test("loses EXIF and XMP, and no longer announces them", async () => {
    const stripped = await strip(extended(tiffWithSecret(1)), "image/webp");
    expect(holdsSecret(stripped)).toBe(false);
    expect(stripped[20]).toBe(0);
    expect(isWhole(stripped)).toBe(true);
    expect(readPictureHeader(stripped, "image/webp")).toMatchObject({ width: 64, height: 48 });
  });

  test("keeps a way up, which no browser follows", async () => {
    const stripped = await strip(extended(tiffWithSecret(8)), "image/webp");
    expect(holdsSecret(stripped)).toBe(false);
    expect(stripped[20]).toBe(0x08);
    expect(readPictureHeader(stripped, "image/webp").orientation).toBe(1);
  });

  test("has the size that its picture states", () => {
    const size = readPictureHeader(mediaFixture("photo.webp"), "image/webp");
    expect(size).toMatchObject({ width: 64, height: 48 });
  });
});

describe("a GIF", () => {
  const block = (label: number, data: string) =>
    joinBytes(Uint8Array.of(0x21, label, data.length), ascii(data), Uint8Array.of(0));
  const withBlocks = (...blocks: Uint8Array[]) => {
    const photo = mediaFixture("photo.gif");
    return joinBytes(photo.subarray(0, -1), ...blocks, photo.subarray(-1), ascii(SECRET));
  };

  test("with nothing to take out stays byte for byte, its endless loop included", async () => {
    const photo = mediaFixture("photo.gif");
    expect(Buffer.from(photo).includes("NETSCAPE2.0")).toBe(true);
    expect(await strip(photo, "image/gif")).toEqual(photo);
  });

  test("loses comments, applications' blocks and what lies behind its end", async () => {
    const xmp = joinBytes(
      Uint8Array.of(0x21, 0xff, 11),
      ascii("XMP DataXMP"),
      Uint8Array.of(SECRET.length),
      ascii(SECRET),
      Uint8Array.of(0),
    );
    const stripped = await strip(withBlocks(block(0xfe, SECRET), xmp), "image/gif");
    expect(stripped).toEqual(mediaFixture("photo.gif"));
  });
});
