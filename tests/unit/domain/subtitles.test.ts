import { describe, expect, test } from "vitest";
import { SUBTITLES_MAX, subtitlesFault, webVttOf } from "@/domain/subtitles";

const VTT = "WEBVTT\n\n00:01.000 --> 00:02.500\nThe sea is calm";

describe("subtitles", () => {
  test("WebVTT stays what it is, but for byte order mark and line ends", () => {
    expect(webVttOf(`\ufeff${VTT.replace(/\n/g, "\r\n")}\r\n`)).toBe(VTT);
    expect(subtitlesFault(VTT)).toBeNull();
    expect(subtitlesFault(VTT.replace("WEBVTT", "WEBVTT - Harbour"))).toBeNull();
  });

  test("SubRip becomes WebVTT", () => {
    const subRip = "1\r\n00:00:01,000 --> 00:00:02,500\r\nThe sea, 10,000 waves\r\n";
    const made = webVttOf(subRip);
    expect(made).toBe("WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nThe sea, 10,000 waves");
    expect(subtitlesFault(made)).toBeNull();
  });

  test.each([
    ["nothing", ""],
    ["a page", "<!doctype html><p>00:01.000 --> 00:02.000"],
    ["no cue", "WEBVTT\n\nThe sea is calm"],
    ["a word that only begins so", VTT.replace("WEBVTT", "WEBVTTS")],
    ["the word further down", `Hello\n${VTT}`],
  ])("%s is none", (_, text) => {
    expect(subtitlesFault(webVttOf(text))).toBe("file_type");
  });

  test("more than the limit is refused", () => {
    expect(subtitlesFault(`${VTT}\n${"x".repeat(SUBTITLES_MAX)}`)).toBe("text_long");
  });
});
