/** What one has muted, and what that hides. */
import { describe, expect, test } from "vitest";
import { hiderOf, mutesOf } from "@/data/people/mutes";
import type { BlockRow } from "@/data/people/row";

const row = (fields: Partial<BlockRow>): BlockRow => ({
  id: "",
  blockerId: "me",
  blockedId: "",
  mutedId: "",
  word: "",
  createdAt: 0,
  seq: 0,
  ...fields,
});

describe("what is muted", () => {
  const stored = [
    row({ mutedId: "ann", createdAt: 1 }),
    row({ blockedId: "bob", createdAt: 2 }),
    row({ word: "Café", createdAt: 3 }),
    row({ mutedId: "cid", createdAt: 4 }),
  ];

  test("is people and words, the latest first, and nobody who is blocked", () => {
    expect(mutesOf(stored, new Map())).toEqual({ people: ["cid", "ann"], words: ["Café"] });
  });

  test("is as the person last wanted, before the server knows it", () => {
    const wanted = [
      { muted: "ann", on: false },
      { muted: '"cafe', word: "café", on: false },
      { muted: "dan", on: true },
      { muted: '"tea', word: "Tea", on: true },
    ];
    const queued = new Map(wanted.map((one) => [one.muted, { userId: "me", ...one }]));
    expect(mutesOf(stored, queued)).toEqual({ people: ["dan", "cid"], words: ["Tea"] });
  });
});

describe("what is hidden", () => {
  const hides = hiderOf({ people: ["ann"], words: ["Art", "Straße der Diebe", "❤"] }, "me");

  test.each([
    ["ann", "Hello", true],
    ["bob", "Hello", false],
    ["bob", "Modern art!", true],
    ["bob", "#art", true],
    ["bob", "ÁRT", true],
    ["bob", "A party", false],
    ["bob", "in der strasse  der, diebe", true],
    ["bob", "Diebe der Straße", false],
    ["bob", "I ❤ it", true],
    ["me", "My art", false],
  ])("of %s: %s", (by, text, isHidden) => {
    expect(hides(by, text)).toBe(isHidden);
  });

  test("is what has the word in any of its texts, and in none across two", () => {
    expect(hides("bob", "Evening", "modern art")).toBe(true);
    expect(hiderOf({ people: [], words: ["a b"] }, "me")("bob", "a", "b")).toBe(false);
  });

  test("is nothing where nothing is muted", () => {
    expect(hiderOf({ people: [], words: [] }, "me")("bob", "art")).toBe(false);
  });
});
