import { beforeEach, describe, expect, test } from "vitest";
import { createGestures, type Gestures } from "@/lib/gestures";

let told: string[];
let zoomed: boolean;
let hand: Gestures;

beforeEach(() => {
  told = [];
  zoomed = false;
  hand = createGestures({
    isZoomed: () => zoomed,
    onPan: ({ x, y }) => told.push(`pan ${x} ${y}`),
    onPinch: (factor, { x, y }) => told.push(`pinch ${factor} ${x} ${y}`),
    onSwipe: (to) => told.push(`swipe ${to}`),
    onDoubleTap: ({ x, y }) => told.push(`double tap ${x} ${y}`),
  });
});

/** One finger along these points, ten milliseconds each. */
function stroke(at: number, ...points: [number, number][]): void {
  for (const [i, [x, y]] of points.entries()) {
    const touch = { id: 1, x, y, at: at + i * 10 };
    if (i === 0) hand.down(touch);
    else hand.move(touch);
    if (i === points.length - 1) hand.up(touch);
  }
}

describe("fingers on a picture", () => {
  test("swipe to the next and to the one before", () => {
    stroke(0, [200, 100], [150, 104], [100, 106]);
    stroke(900, [100, 100], [180, 90]);
    expect(told).toEqual(["swipe next", "swipe previous"]);
  });

  test("do not swipe down the page, nor a little, nor where the browser scrolls", () => {
    stroke(0, [200, 100], [260, 190]);
    hand.down({ id: 1, x: 0, y: 0, at: 1000 });
    hand.move({ id: 1, x: 40, y: 0, at: 1010 });
    hand.up({ id: 1, x: 40, y: 0, at: 1020 });
    hand.down({ id: 1, x: 0, y: 0, at: 3000 });
    hand.move({ id: 1, x: 90, y: 0, at: 3010 });
    hand.cancel(1);
    hand.up({ id: 1, x: 90, y: 0, at: 3020 });
    expect(told).toEqual([]);
  });

  test("push a magnified picture about instead", () => {
    zoomed = true;
    stroke(0, [200, 100], [120, 110]);
    expect(told).toEqual(["pan -80 10"]);
  });

  test("tap twice at one place, and not at two", () => {
    stroke(0, [50, 60], [52, 60]);
    stroke(200, [56, 63], [56, 63]);
    expect(told).toEqual(["double tap 56 63"]);
    stroke(400, [50, 60], [50, 60]);
    stroke(500, [150, 60], [150, 60]);
    stroke(1000, [150, 60], [150, 60]);
    expect(told).toHaveLength(1);
  });

  test("pinch about their middle, and that is neither tap nor swipe", () => {
    hand.down({ id: 1, x: 100, y: 100, at: 0 });
    hand.down({ id: 2, x: 200, y: 100, at: 5 });
    hand.move({ id: 2, x: 300, y: 100, at: 10 });
    hand.up({ id: 2, x: 300, y: 100, at: 20 });
    hand.up({ id: 1, x: 100, y: 100, at: 25 });
    expect(told).toEqual(["pinch 2 200 100", "pan 50 0"]);
  });
});
