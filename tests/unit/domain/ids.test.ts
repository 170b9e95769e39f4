import fc from "fast-check";
import { expect, test } from "vitest";
import {
  conversationId,
  followId,
  ID_PATTERN,
  isId,
  newId,
  PAIR_ID_PATTERN,
  pairId,
  storedNames,
} from "@/domain/ids";

const ids = fc.string({
  unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789"),
  minLength: 15,
  maxLength: 15,
});

test("a new id is fifteen characters of PocketBase's alphabet, at both ends of the random source", () => {
  for (const random of [() => 0, () => 1 - Number.EPSILON, Math.random]) {
    expect(newId(random)).toMatch(ID_PATTERN);
  }
});

test("a followed tag has an id of its follower's, the same on every device and for no other tag", () => {
  const me = "abcdefghijklmno";
  expect(followId(me, "qrstuvwxyz01234")).toBe(`${me}_qrstuvwxyz01234`);
  // Rows on servers and devices have these.
  expect(followId(me, "#kuste")).toBe(`${me}_r7sdcgpk3y1fkgi`);
  expect(followId(me, "#山")).toMatch(PAIR_ID_PATTERN);
  const made = new Set(Array.from({ length: 5000 }, (_none, at) => followId(me, `#tag${at}`)));
  expect(made.size).toBe(5000);
});

test("ids do not repeat", () => {
  const made = new Set(Array.from({ length: 2000 }, () => newId(Math.random)));
  expect(made.size).toBe(2000);
});

test.each([null, 7, "", "abc", "ABCDEFGHIJKLMNO", "aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaa_"])(
  "%j is no id",
  (value) => {
    expect(isId(value)).toBe(false);
  },
);

test("a conversation has one id, whoever begins it", () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      expect(conversationId(a, b)).toBe(conversationId(b, a));
      expect(conversationId(a, b)).toMatch(PAIR_ID_PATTERN);
      expect(conversationId(a, b).split("_")).toEqual([a, b].sort());
    }),
  );
});

test("a pair id keeps its order: who follows, likes or blocks comes as given", () => {
  fc.assert(fc.property(ids, ids, (a, b) => pairId(a, b) === `${a}_${b}`));
});

test("stored files carry the owner and the time, and the extension that the bytes gave", () => {
  expect(storedNames("abc123def456ghi", 1_795_000_000_000, "gif")).toEqual({
    file: "abc123def456ghi_1795000000000.gif",
    thumbnail: "thumb_abc123def456ghi_1795000000000.jpg",
    preview: "preview_abc123def456ghi_1795000000000",
  });
});
