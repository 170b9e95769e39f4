import fc from "fast-check";
import { expect, test } from "vitest";
import { TAG_MAX, TAGS_MAX } from "@/domain/limits";
import { parseTags, tagsFault } from "@/domain/tags";

test.each([
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
