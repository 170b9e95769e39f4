import { describe, expect, test } from "vitest";
import { cropSquare, fitCrop, ZOOM_MAX } from "@/lib/crop-square";

const wide = { width: 600, height: 400 };

describe("a square out of a picture", () => {
  test("is the largest one of the middle at first", () => {
    expect(cropSquare(wide, { x: 0.5, y: 0.5, zoom: 1 })).toEqual({ left: 100, top: 0, side: 400 });
  });

  test.each([
    [
      { x: -1, y: 0.5, zoom: 1 },
      { left: 0, top: 0, side: 400 },
    ],
    [
      { x: 2, y: 2, zoom: 1 },
      { left: 200, top: 0, side: 400 },
    ],
    [
      { x: 0, y: 1, zoom: 2 },
      { left: 0, top: 200, side: 200 },
    ],
    [
      { x: 0.5, y: 0.5, zoom: 0.1 },
      { left: 100, top: 0, side: 400 },
    ],
    [
      { x: 0.5, y: 0.5, zoom: 99 },
      { left: 250, top: 150, side: 400 / ZOOM_MAX },
    ],
  ])("%o stays within the picture", (crop, square) => {
    const cut = cropSquare(wide, crop);
    expect(cut.left).toBeCloseTo(square.left);
    expect(cut.top).toBeCloseTo(square.top);
    expect(cut.side).toBeCloseTo(square.side);
  });

  test("of a square picture cannot be moved until it is zoomed", () => {
    const square = { width: 300, height: 300 };
    expect(fitCrop(square, { x: 0.9, y: 0.1, zoom: 1 })).toEqual({ x: 0.5, y: 0.5, zoom: 1 });
  });
});
