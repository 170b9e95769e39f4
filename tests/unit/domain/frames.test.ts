/** What a decoder may not be asked: pictures whose headers disagree, and far too much in one file. */
import {
  ANIMATED,
  alpha,
  canvas,
  chunk,
  frame,
  gif,
  jpeg,
  lossless,
  lossy,
  webp,
} from "@tests/support/crafted-pictures";
import { mediaFixture } from "@tests/support/media-fixtures";
import { describe, expect, test } from "vitest";
import { PHOTO_MAX_PIXELS } from "@/domain/limits";
import { detectFile, fileFault } from "@/domain/media-files";
import { judgeProfilePicture, statedPixels } from "@/domain/pictures";

const reader = (bytes: Uint8Array) => (offset: number, length: number) =>
  bytes.subarray(offset, offset + length);

function judge(bytes: Uint8Array) {
  const detected = detectFile(bytes);
  if (detected === null) throw new Error("no picture");
  const fault = fileFault(reader(bytes), bytes.length, detected);
  const pixels = statedPixels(reader(bytes), bytes.length, detected);
  return fault ?? (pixels > PHOTO_MAX_PIXELS ? "too_large" : null);
}

const many = (length: number, part: number[]): number[] =>
  Array.from({ length }, () => part).flat();
const animation = (...parts: number[][]): Uint8Array =>
  webp(canvas(10, 10, ANIMATED), chunk("ANIM", [0, 0, 0, 0, 0, 0]), ...parts);
const SMALL = { width: 4, height: 4 };

describe("a WebP", () => {
  test.each<[string, Uint8Array]>([
    ["of one picture", webp(lossy(10, 10))],
    ["whose picture has no loss", webp(lossless(10, 10))],
    ["with a canvas and the same picture", webp(canvas(10, 9), lossy(10, 9))],
    ["with transparency", webp(canvas(10, 9), alpha, lossy(10, 9))],
    [
      "with a profile before and camera data behind its picture",
      webp(canvas(10, 9), chunk("ICCP", [1, 2, 3]), lossless(10, 9), chunk("EXIF", [1])),
    ],
    [
      "whose frames are inside its canvas",
      animation(
        frame({ width: 10, height: 10 }, lossless(10, 10)),
        frame({ x: 6, y: 6, ...SMALL }, alpha, lossy(4, 4)),
      ),
    ],
  ])("%s passes", (_what, bytes) => {
    expect(judge(bytes)).toBeNull();
  });

  test.each<[string, Uint8Array]>([
    ["with a picture larger than its canvas", webp(canvas(9, 10), alpha, lossy(10, 10))],
    ["with a picture smaller than its canvas", webp(canvas(16_383, 16), lossy(16, 16))],
    ["whose lossless picture is another size", webp(canvas(10, 9), lossless(9, 10))],
    ["with two pictures", webp(canvas(10, 10), lossy(10, 10), lossy(10, 10))],
    ["with a second picture and no canvas", webp(lossy(2, 2), lossless(3, 3))],
    ["with two canvases", webp(canvas(10, 10), canvas(9, 9), lossy(10, 10))],
    ["with its canvas behind its picture", webp(lossy(10, 10), canvas(9, 9))],
    ["without a picture", webp(canvas(10, 10), alpha)],
    ["with transparency and no canvas", webp(alpha, lossy(10, 10))],
    ["with transparency behind its picture", webp(canvas(10, 10), lossy(10, 10), alpha)],
    ["with transparency twice", webp(canvas(10, 10), alpha, alpha, lossy(10, 10))],
    ["with transparency of a picture that has its own", webp(canvas(9, 9), alpha, lossless(9, 9))],
    ["whose picture has no signature", webp(chunk("VP8 ", many(10, [0])))],
    ["whose lossless picture has no signature", webp(chunk("VP8L", many(6, [0])))],
    ["with nothing in it", webp()],
    ["with a frame beyond its canvas", animation(frame({ x: 8, ...SMALL }, lossy(4, 4)))],
    ["with a frame of another size", animation(frame(SMALL, lossless(4, 5)))],
    ["with an empty frame", animation(frame(SMALL))],
    ["with two pictures in a frame", animation(frame(SMALL, lossy(4, 4), lossy(4, 4)))],
    [
      "with a frame of too many parts",
      animation(frame(SMALL, ...Array(3).fill(alpha), lossy(4, 4))),
    ],
    ["that moves without frames", animation()],
    ["that moves and has a still", animation(frame(SMALL, lossy(4, 4)), lossy(10, 10))],
    ["with frames and no word of it", webp(canvas(9, 9), frame(SMALL, lossy(4, 4)), lossy(9, 9))],
    ["of too many parts", webp(canvas(9, 9), lossy(9, 9), many(2_000, chunk("ICCP", [])))],
  ])("%s is broken", (_what, bytes) => {
    expect(judge(bytes)).toBe("file_broken");
  });
});

describe("an animation", () => {
  const moving = (frames: number, width: number, height: number) =>
    webp(
      canvas(width, height, ANIMATED),
      many(frames, frame({ width, height }, lossy(width, height))),
    );

  test("of 750 frames passes, of more is too large", () => {
    expect(judge(gif(750, SMALL))).toBeNull();
    expect(judge(gif(751, SMALL))).toBe("too_large");
    expect(judge(moving(750, 8, 8))).toBeNull();
    expect(judge(moving(751, 8, 8))).toBe("too_large");
  });

  test("has as many pixels as ten of the largest photos in all its frames together", () => {
    expect(judge(gif(160, { width: 2_000, height: 2_000 }))).toBeNull();
    expect(judge(gif(161, { width: 2_000, height: 2_000 }))).toBe("too_large");
    expect(judge(moving(160, 2_000, 2_000))).toBeNull();
    expect(judge(moving(161, 2_000, 2_000))).toBe("too_large");
  });

  test("counts a frame that is larger than its screen", () => {
    expect(judge(gif(1, { width: 65_535, height: 65_535 }))).toBe("too_large");
  });

  test("is judged as a profile picture too", () => {
    const code = (bytes: Uint8Array) => judgeProfilePicture(reader(bytes), bytes.length);
    expect(code(gif(751, SMALL))).toEqual({ code: "too_large" });
    expect(code(webp(canvas(9, 10), alpha, lossy(10, 10)))).toEqual({ code: "file_broken" });
    expect(code(mediaFixture("animated.gif"))).toHaveProperty("detected");
  });
});

describe("a GIF", () => {
  test("of countless tiny blocks is broken, and read in few pieces", () => {
    const bytes = gif(1, SMALL, 2_000_000);
    let reads = 0;
    const read = (offset: number, length: number) => {
      reads += 1;
      return bytes.subarray(offset, offset + length);
    };
    const detected = detectFile(bytes);
    expect(detected && fileFault(read, bytes.length, detected)).toBe("file_broken");
    expect(reads).toBeLessThan(10);
  });

  test("without a frame is broken", () => {
    expect(judge(gif(0, SMALL))).toBe("file_broken");
  });
});

describe("a progressive JPEG", () => {
  test("of 32 scans passes, of more is broken", () => {
    expect(judge(jpeg(32))).toBeNull();
    expect(judge(jpeg(33))).toBe("file_broken");
    expect(judge(jpeg(0))).toBe("file_broken");
  });

  test("has its scans counted behind whatever is between them", () => {
    const comment = [0xff, 0xfe, 0, 6, 0xff, 0xd9, 0xff, 0xda];
    const noise = [0xff, 0, 0xff, 0xd3, 7, 0xff];
    expect(judge(jpeg(32, { between: comment, data: noise }))).toBeNull();
    expect(judge(jpeg(33, { between: comment, data: noise }))).toBe("file_broken");
    expect(judge(jpeg(33, { data: many(70_000, [1]) }))).toBe("file_broken");
  });

  test("is not judged by what a phone adds behind its end", () => {
    const video = many(100, [0xff, 0xda, 0, 8]);
    expect(judge(new Uint8Array([...jpeg(3), ...video]))).toBeNull();
  });

  test("that is all markers and no picture is broken, and not read to its end", () => {
    expect(judge(jpeg(1, { data: many(3_000_000, [0xff]) }))).toBe("file_broken");
    expect(judge(jpeg(1, { data: many(1_000_000, [0xff, 0]) }))).toBe("file_broken");
  });
});
