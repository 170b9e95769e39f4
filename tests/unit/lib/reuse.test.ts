import fc from "fast-check";
import { expect, test } from "vitest";
import { reuse } from "@/lib/reuse";

test("an equal value is the earlier object, all the way down", () => {
  const before = {
    items: [
      { id: "a", tags: ["x"] },
      { id: "b", tags: [] },
    ],
    more: true,
  };
  expect(reuse(before, structuredClone(before))).toBe(before);
});

test("a row that moved keeps its object, and only the changed one is new", () => {
  const before = [
    { id: "a", n: 1 },
    { id: "b", n: 2 },
    { id: "c", n: 3 },
  ];
  const after = reuse(before, [
    { id: "new", n: 0 },
    { id: "a", n: 1 },
    { id: "b", n: 9 },
  ]);
  expect(after[1]).toBe(before[0]);
  expect(after[2]).not.toBe(before[1]);
  expect(after).toEqual([
    { id: "new", n: 0 },
    { id: "a", n: 1 },
    { id: "b", n: 9 },
  ]);
});

test("whatever came before, the value is the new one", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(reuse(before, after)).toEqual(after);
    }),
  );
});
