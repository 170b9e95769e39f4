import { expect, test } from "vitest";
import { anchorOf } from "@/features/media/media-grid";

const tops = (rows: Record<string, number>) => new Map(Object.entries(rows));

test("at the top of the page nothing is held: new rows push the old ones down", () => {
  expect(anchorOf(tops({ a: 0 }), tops({ b: 0, a: 200 }), 0)).toBeNull();
});

test("further down the first card in sight is held", () => {
  const before = tops({ a: 0, b: 200, c: 400 });
  expect(anchorOf(before, tops({ x: 0, a: 200, b: 400, c: 600 }), 150)).toBe("b");
});

test("a card that vanished is not held; the next one is", () => {
  const before = tops({ a: 0, b: 200, c: 400 });
  expect(anchorOf(before, tops({ a: 0, c: 200 }), 150)).toBe("c");
});

test("of another list altogether nothing is held", () => {
  expect(anchorOf(tops({ a: 300 }), tops({ z: 0 }), 100)).toBeNull();
});
