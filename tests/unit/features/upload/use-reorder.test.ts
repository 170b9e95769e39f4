import { describe, expect, test } from "vitest";
import { type Box, placeAt, withMoved } from "@/features/upload/use-reorder";

test("one item moves, and the others keep their order", () => {
  expect(withMoved(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(withMoved(["a", "b", "c", "d"], 3, 0)).toEqual(["d", "a", "b", "c"]);
  expect(withMoved(["a", "b"], 1, 1)).toEqual(["a", "b"]);
  expect(withMoved(["a", "b"], -1, 0)).toEqual(["a", "b"]);
});

describe("a dragged card", () => {
  /** A column of cards, 100 wide, with these heights. */
  const column = (...heights: number[]): Box[] =>
    heights.map((height, i) => ({
      x: 0,
      y: heights.slice(0, i).reduce((sum, one) => sum + one, 0),
      width: 100,
      height,
    }));

  test("takes the place of the card under the pointer", () => {
    const boxes = column(50, 50, 50);
    expect(placeAt(boxes, 0, { x: 10, y: 75 })).toBe(1);
    expect(placeAt(boxes, 0, { x: 10, y: 149 })).toBe(2);
    expect(placeAt(boxes, 2, { x: 10, y: 1 })).toBe(0);
  });

  test("stays where the pointer is beside all cards, or above its own", () => {
    const boxes = column(50, 50);
    expect(placeAt(boxes, 0, { x: 10, y: 20 })).toBe(0);
    expect(placeAt(boxes, 1, { x: 300, y: 20 })).toBe(1);
    expect(placeAt(boxes, 1, { x: 10, y: 900 })).toBe(1);
    expect(placeAt([], 0, { x: 0, y: 0 })).toBe(0);
  });

  test("goes beside, where there are two columns", () => {
    const boxes = [0, 100, 0, 100].map((x, i) => ({
      x,
      y: i < 2 ? 0 : 60,
      width: 100,
      height: 60,
    }));
    expect(placeAt(boxes, 0, { x: 110, y: 5 })).toBe(1);
    expect(placeAt(boxes, 0, { x: 110, y: 65 })).toBe(3);
    expect(placeAt(boxes, 3, { x: 5, y: 55 })).toBe(0);
  });

  test("never changes places to and fro under a pointer that rests", () => {
    const heights = [40, 200, 90];
    for (const from of [0, 1, 2]) {
      for (let y = 0; y < 330; y++) {
        let order = heights.map((height, i) => ({ height, isDragged: i === from }));
        const placesOf = () => order.findIndex(({ isDragged }) => isDragged);
        const seen: number[] = [placesOf()];
        for (let step = 0; step < 6; step++) {
          const boxes = column(...order.map(({ height }) => height));
          order = withMoved(order, placesOf(), placeAt(boxes, placesOf(), { x: 10, y }));
          seen.push(placesOf());
        }
        expect(new Set(seen.slice(-3)).size).toBe(1);
      }
    }
  });
});
