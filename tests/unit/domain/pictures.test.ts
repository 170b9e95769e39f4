import { canvas, chunk, lossless, lossy, webp } from "@tests/support/crafted-pictures";
import { mediaFixture } from "@tests/support/media-fixtures";
import { expect, test } from "vitest";
import { detectFile } from "@/domain/media-files";
import { statedPixels } from "@/domain/pictures";

function pixelsOf(bytes: Uint8Array): number {
  const detected = detectFile(bytes);
  if (detected === null) throw new Error("no picture");
  return statedPixels((at, length) => bytes.subarray(at, at + length), bytes.length, detected);
}

test.each(["photo.jpg", "photo.png", "photo.gif", "photo.webp"] as const)(
  "%s has 64 times 48",
  (name) => {
    expect(pixelsOf(mediaFixture(name))).toBe(64 * 48);
  },
);

test("a video has none", () => {
  expect(pixelsOf(mediaFixture("video.mp4"))).toBe(0);
});

test.each([
  ["a canvas", webp(canvas(20_000, 20_000)), 400_000_000],
  ["a lossless picture", webp(lossless(16_384, 9)), 16_384 * 9],
  ["a picture larger than its canvas", webp(canvas(10, 10), lossy(16_383, 2)), 16_383 * 2],
  ["a second picture behind the first", webp(lossy(2, 2), lossless(3_000, 3_000)), 9_000_000],
])("%s counts", (_what, bytes, pixels) => {
  expect(pixelsOf(bytes)).toBe(pixels);
});

test("the largest frame that a JPEG names before its picture counts", () => {
  const frame = (width: number, height: number) => [
    ...[0xff, 0xc0, 0, 11, 8],
    ...[height >> 8, height % 256, width >> 8, width % 256],
    ...[1, 1, 0x11, 0],
  ];
  const of = (...parts: number[][]) => new Uint8Array([0xff, 0xd8, ...parts.flat()]);
  const scan = [0xff, 0xda, 0, 2, 0, 0, 0xff, 0xd9, 0, 0];
  expect(pixelsOf(of(frame(8, 8), frame(65_535, 65_535), scan))).toBe(65_535 ** 2);
  expect(pixelsOf(of(frame(8, 8), scan))).toBe(64);
  expect(pixelsOf(of(frame(8, 8)))).toBe(Infinity);
});

test("what states nothing is too much", () => {
  const png = mediaFixture("photo.png").slice();
  png.fill(0, 16, 24);
  expect(pixelsOf(png)).toBe(Infinity);
  expect(pixelsOf(webp(chunk("EXIF", [0, 0])))).toBe(Infinity);
});
