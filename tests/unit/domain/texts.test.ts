import fc from "fast-check";
import { expect, test } from "vitest";
import { TAG_MAX, TAGS_MAX } from "@/domain/limits";
import { byteLength, isBlank, parseTags, tagsFault } from "@/domain/texts";

test.each([
  "",
  "   \n\t",
  "\u200b",
  "\u200b\u200d \u2060\ufeff",
  "\u00ad",
  "\u3164\u115f\uffa0",
  "\u2800",
  "\u202e\u202c",
  "\u0000\u0007",
  "\ufe0f",
  "\u{e0020}\u{e007f}",
])("%j shows nothing", (text) => {
  expect(isBlank(text)).toBe(true);
});

test.each(["a", "\u200ba", ".", "😀", "👨‍👩‍👧", "❤️", "ا", "ﷺ", "\u0301", "。"])(
  "%j shows something",
  (text) => {
    expect(isBlank(text)).toBe(false);
  },
);

test("whatever is blank by its spaces is blank", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => text.trim() !== "" || isBlank(text)),
  );
});

test("bytes are those of UTF-8", () => {
  const whole = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(whole, (text) => byteLength(text) === new TextEncoder().encode(text).length),
  );
});

test.each<[input: unknown, tags: string[]]>([
  ["sea, sun ,, summer", ["sea", "sun", "summer"]],
  ["", []],
  [" , ,", []],
  ["🌊,sea,🌊", ["🌊", "sea"]],
  [
    ["sea", " sun ", ""],
    ["sea", "sun"],
  ],
  [undefined, []],
  [null, []],
  [42, []],
  [
    [1, "a"],
    ["1", "a"],
  ],
  [[{ toString: [] }, { sea: 1 }, ["sea"], null, "sun"], ["sun"]],
])("%j gives the tags %j", (input, tags) => {
  expect(parseTags(input)).toEqual(tags);
});

test("reading tags twice changes nothing more", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const once = parseTags(text);
      expect(parseTags(once)).toEqual(once);
      expect(parseTags(once.join(","))).toEqual(once);
    }),
  );
});

test("thirty tags of fifty characters are the most", () => {
  const full = Array.from({ length: TAGS_MAX }, (_, i) => `${i}`.padEnd(TAG_MAX, "x"));
  expect(tagsFault(full)).toBeNull();
  expect(tagsFault([...full, "one more"])).toBe("tags_many");
  expect(tagsFault(["x".repeat(TAG_MAX + 1)])).toBe("tag_long");
});
