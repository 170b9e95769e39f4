import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  AT_REST,
  contained,
  createGestures,
  type Gestures,
  MAX_SCALE,
  panBy,
  type Zoom,
  type ZoomBox,
  zoomAt,
} from "@/features/media/use-zoom";

const box: ZoomBox = { frame: { width: 400, height: 300 }, picture: { width: 400, height: 200 } };

const act = fc.oneof(
  fc.record({
    factor: fc.double({ min: 0.2, max: 5, noNaN: true }),
    x: coordinate(),
    y: coordinate(),
  }),
  fc.record({ x: coordinate(), y: coordinate() }),
);
function coordinate() {
  return fc.integer({ min: -500, max: 500 });
}

const done = (zoom: Zoom, step: { factor?: number; x: number; y: number }): Zoom =>
  step.factor === undefined ? panBy(zoom, step, box) : zoomAt(zoom, step.factor, step, box);

describe("a magnified picture", () => {
  test("never shows more beside itself than it did unmagnified, whatever one does", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (steps) => {
        const { scale, x, y } = steps.reduce(done, AT_REST);
        expect(scale).toBeGreaterThanOrEqual(1);
        expect(scale).toBeLessThanOrEqual(MAX_SCALE);
        expect(Math.abs(x)).toBeLessThanOrEqual(Math.max(0, (400 * scale - 400) / 2) + 1e-9);
        expect(Math.abs(y)).toBeLessThanOrEqual(Math.max(0, (200 * scale - 300) / 2) + 1e-9);
      }),
    );
  });

  test("keeps the point under the finger where it is", () => {
    const zoom = zoomAt({ scale: 3, x: 0, y: 0 }, 1.5, { x: 40, y: -20 }, box);
    // 40 pixels from the centre at three times; the same spot of the picture at four and a half.
    expect((40 - zoom.x) / zoom.scale).toBeCloseTo(40 / 3);
    expect((-20 - zoom.y) / zoom.scale).toBeCloseTo(-20 / 3);
  });

  test("is at rest again once it is as small as it was", () => {
    const near = zoomAt(AT_REST, 4, { x: 150, y: 80 }, box);
    expect(near.scale).toBe(4);
    expect(zoomAt(near, 0.01, { x: 0, y: 0 }, box)).toEqual(AT_REST);
  });

  test("of a wide picture lies between bars, of an unknown one fills the frame", () => {
    const frame = { width: 300, height: 300 };
    expect(contained({ width: 600, height: 200 }, frame)).toEqual({ width: 300, height: 100 });
    expect(contained({ width: 0, height: 0 }, frame)).toEqual(frame);
  });
});

let told: string[];
let drags: number[];
let zoomed: boolean;
let hand: Gestures;

beforeEach(() => {
  told = [];
  drags = [];
  zoomed = false;
  hand = createGestures({
    isZoomed: () => zoomed,
    onPan: ({ x, y }) => told.push(`pan ${x} ${y}`),
    onPinch: (factor, { x, y }) => told.push(`pinch ${factor} ${x} ${y}`),
    onDrag: (by) => drags.push(by),
    onSwipe: (by) => told.push(`swipe ${by}`),
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
    expect(told).toEqual(["swipe -100", "swipe 80"]);
  });

  test("take the picture along sideways, and let go of it at the end", () => {
    stroke(0, [200, 100], [180, 101], [150, 104], [100, 106]);
    expect(drags).toEqual([-20, -50, -100, 0]);
    stroke(900, [100, 100], [104, 160], [105, 220]);
    expect(drags).toHaveLength(4);
    hand.down({ id: 1, x: 0, y: 0, at: 2000 });
    hand.move({ id: 1, x: 40, y: 0, at: 2010 });
    hand.cancel(1);
    expect(drags.slice(4)).toEqual([40, 0]);
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
