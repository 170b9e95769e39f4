import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT_REST, contained, MAX_SCALE, panBy, type Zoom, type ZoomBox, zoomAt } from "@/lib/zoom";

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
