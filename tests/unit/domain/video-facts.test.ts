import { readFileSync } from "node:fs";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { describe, expect, test } from "vitest";
import { DETECT_BYTES, detectFile } from "@/domain/media-files";
import { playsEverywhere, videoFacts } from "@/domain/video-facts";

const fromFiles = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../files/${name}`, import.meta.url)));

function factsOf(bytes: Uint8Array) {
  const contentType = detectFile(bytes.subarray(0, DETECT_BYTES))?.contentType ?? "";
  const facts = videoFacts(
    (at, length) => bytes.subarray(at, at + length),
    bytes.length,
    contentType,
  );
  return { ...facts, duration: Math.round(facts.duration * 10) / 10 };
}

describe("size, length and coding come from the file itself", () => {
  test.each([
    ["hevc.mp4", { width: 96, height: 64, duration: 2, codec: "hvc1" }],
    ["hevc-upright.mov", { width: 64, height: 96, duration: 2, codec: "hvc1" }],
    ["prores.mov", { width: 96, height: 64, duration: 0.2, codec: "apco" }],
  ])("%s, which some browsers cannot show", (name, expected) => {
    const facts = factsOf(fromFiles(name));
    expect(facts).toEqual({ hasPictures: true, ...expected });
    expect(playsEverywhere(facts)).toBe(false);
  });

  test.each<[FixtureName, string]>([
    ["video.mp4", "avc1"],
    ["video.m4v", "avc1"],
    ["video.mov", "avc1"],
    ["video-fragmented.mp4", "avc1"],
    ["video-with-texts.mp4", "avc1"],
    ["video.webm", "V_VP8"],
    ["video-live.webm", "V_VP8"],
  ])("%s, which all of them show", (name, codec) => {
    const facts = factsOf(mediaFixture(name));
    expect(facts.codec.slice(0, 4)).toBe(codec.slice(0, 4));
    expect([facts.hasPictures, facts.width > 0, facts.height > 0]).toEqual([true, true, true]);
    expect(playsEverywhere(facts)).toBe(true);
  });
});

test.each(["sound-alone.mp4", "sound-alone.webm"])("%s has no pictures", (name) => {
  expect(factsOf(fromFiles(name))).toMatchObject({
    hasPictures: false,
    width: 0,
    height: 0,
    duration: 2,
  });
});

test.each(["hevc.mp4", "video.webm"])("%s cut anywhere is read without an end", (name) => {
  const whole = name === "hevc.mp4" ? fromFiles(name) : mediaFixture("video.webm");
  for (let end = 64; end < whole.length; end += 61) {
    expect(factsOf(whole.subarray(0, end)).width).toBeGreaterThanOrEqual(0);
  }
});
