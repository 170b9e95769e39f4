import { ascii, joinBytes, SECRET } from "@tests/support/exif";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { describe, expect, test } from "vitest";
import { applyEdits, stripVideo } from "@/data/files/strip-video";
import type { Bytes } from "@/domain/bytes";
import { detectFile, fileFault } from "@/domain/media-files";

/** The stripped file, and how many bytes of the given one were read for it. */
async function strip(bytes: Bytes) {
  const detected = detectFile(bytes.subarray(0, 64));
  if (detected === null) throw new Error("no video");
  let bytesRead = 0;
  const read = (at: number, length: number) => {
    bytesRead += Math.min(length, bytes.length - at);
    return bytes.subarray(at, at + length);
  };
  const blob = stripVideo(read, new Blob([bytes]), detected);
  expect(blob.type).toBe(detected.contentType);
  const stripped = new Uint8Array(await blob.arrayBuffer());
  const fault = fileFault(
    (at, length) => stripped.subarray(at, at + length),
    stripped.length,
    detected,
  );
  expect(fault).toBeNull();
  return { stripped, bytesRead };
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
/** The bytes that a player decodes. */
const samples = (bytes: Uint8Array) => {
  const at = Buffer.from(bytes).indexOf("mdat");
  const length = Buffer.from(bytes).readUInt32BE(at - 4);
  return [...bytes.subarray(at - 4, at - 4 + length)];
};

describe("an MP4 or MOV", () => {
  const personal: [FixtureName, string][] = [
    ["video-with-place.mp4", "secret"],
    ["video-with-place.mov", "+48.1234"],
  ];
  test.each(personal)(
    "%s loses what it says about the person and keeps its length, its offsets and its pictures",
    async (name, words) => {
      const video = mediaFixture(name);
      expect(text(video)).toContain(words);
      const { stripped } = await strip(video);
      expect(text(stripped)).not.toContain(words);
      expect(text(stripped)).not.toContain("udta");
      expect(stripped.length).toBe(video.length);
      expect(samples(stripped)).toEqual(samples(video));
    },
  );

  test("that was stripped before stays byte for byte", async () => {
    const { stripped } = await strip(mediaFixture("video-with-place.mp4"));
    expect((await strip(stripped)).stripped).toEqual(stripped);
  });

  test("loses the time at which it was recorded", async () => {
    const video = mediaFixture("video.mp4");
    const times = Buffer.from(video).indexOf("mvhd") + 8;
    video.fill(0xdc, times, times + 8);
    const { stripped } = await strip(video);
    expect([...stripped.subarray(times, times + 8)]).toEqual(new Array(8).fill(0));
  });

  test("loses the boxes that makers put beside it", async () => {
    const maker = joinBytes(Uint8Array.of(0, 0, 0, 8 + SECRET.length), ascii(`uuid${SECRET}`));
    const { stripped } = await strip(joinBytes(mediaFixture("video.mp4"), maker));
    expect(text(stripped)).not.toContain(SECRET);
    expect(stripped.length).toBe(mediaFixture("video.mp4").length + maker.length);
  });

  test("loses a track of timed metadata with its samples, and keeps subtitles", async () => {
    const subtitled = mediaFixture("video-with-texts.mp4");
    expect(text((await strip(subtitled)).stripped)).toContain(SECRET);
    // The same track, called what cameras call the one with the place of every second.
    const handler = Buffer.from(subtitled).indexOf("sbtl");
    subtitled.set(ascii("meta"), handler);
    const { stripped } = await strip(subtitled);
    expect(text(stripped)).not.toContain("48.1234");
    expect(text(stripped)).not.toContain("48.9999");
    expect(text(stripped).match(/trak/g)).toHaveLength(1);
    expect(stripped.length).toBe(subtitled.length);
  });

  test("of many megabytes is not read but for its index", async () => {
    const video = mediaFixture("video-with-place.mp4");
    const large = joinBytes(
      video.subarray(0, 32),
      Uint8Array.of(2, 0, 0, 0),
      ascii("free"),
      new Uint8Array(2 ** 25 - 8),
      video.subarray(32),
    );
    const { bytesRead } = await strip(large);
    expect(bytesRead).toBeLessThan(10_000);
  });
});

describe("a WebM", () => {
  const plain: FixtureName[] = ["video.webm", "video-live.webm"];

  test("loses title and tags in place", async () => {
    const video = mediaFixture("video-with-place.webm");
    expect(text(video)).toContain(SECRET);
    const { stripped } = await strip(video);
    expect(text(stripped)).not.toContain(SECRET);
    expect(stripped.length).toBe(video.length);
  });

  test.each(plain)("%s that was stripped before stays byte for byte", async (name) => {
    const { stripped } = await strip(mediaFixture(name));
    expect((await strip(stripped)).stripped).toEqual(stripped);
  });
});

test("an edit that overlaps another or the end of the file is left out", async () => {
  const file = new Blob([ascii("0123456789")]);
  const edits = [
    { at: 2, bytes: ascii("abc") },
    { at: 4, bytes: ascii("xyz") },
    { at: 8, bytes: ascii("long") },
  ];
  expect(await applyEdits(file, edits, "video/mp4").text()).toBe("01abc56789");
});
