import { expect, test } from "vitest";
import { anchorShift } from "@/features/gallery/use-scroll-anchor";

const tops = (rows: Record<string, number>) => new Map(Object.entries(rows));

test("at the top of the page new rows push the old ones down", () => {
  expect(anchorShift(tops({ a: 0 }), tops({ b: 0, a: 200 }), 0)).toBe(0);
});

test("further down the first card in sight stays where it is", () => {
  const before = tops({ a: 0, b: 200, c: 400 });
  const after = tops({ x: 0, a: 200, b: 400, c: 600 });
  expect(anchorShift(before, after, 150)).toBe(200);
});

test("a card that vanished is no anchor; the next one is", () => {
  const before = tops({ a: 0, b: 200, c: 400 });
  expect(anchorShift(before, tops({ a: 0, c: 200 }), 150)).toBe(-200);
});

test("another list altogether is not followed", () => {
  expect(anchorShift(tops({ a: 300 }), tops({ z: 0 }), 100)).toBe(0);
});
