/**
 * What fingers on a picture mean: pan, pinch, swipe, double tap. Gets pointers as they go down, move and leave; knows
 * no page and no clock of its own.
 */
import type { Point } from "./zoom";

/** A pointer: position in pixels, time in milliseconds. */
export interface Touch extends Point {
  id: number;
  at: number;
}

export interface GestureOutcomes {
  isZoomed: () => boolean;
  onPan: (by: Point) => void;
  /** `factor` more than a moment ago, about `at`. */
  onPinch: (factor: number, at: Point) => void;
  onSwipe: (to: "next" | "previous") => void;
  onDoubleTap: (at: Point) => void;
}

export interface Gestures {
  down: (touch: Touch) => void;
  move: (touch: Touch) => void;
  up: (touch: Touch) => void;
  /** The browser took this pointer for itself, to scroll the page. */
  cancel: (id: number) => void;
}

/** Pixels that a finger may tremble, and that a swipe takes at least. */
const TAP_PX = 10;
const SWIPE_PX = 50;
/** Between two taps, pixels and milliseconds. */
const DOUBLE_TAP_PX = 32;
const DOUBLE_TAP_MS = 320;

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

export function createGestures(out: GestureOutcomes): Gestures {
  const touches = new Map<number, Touch>();
  let start: (Touch & { zoomed: boolean; alone: boolean; moved: boolean }) | null = null;
  let lastTap: Touch | null = null;

  const movePair = (before: Touch, now: Touch, other: Touch) => {
    const from = middle(before, other);
    const to = middle(now, other);
    out.onPinch(distance(now, other) / Math.max(1, distance(before, other)), to);
    out.onPan({ x: to.x - from.x, y: to.y - from.y });
  };
  const tapped = (touch: Touch) => {
    const isSecond =
      lastTap !== null &&
      touch.at - lastTap.at < DOUBLE_TAP_MS &&
      distance(touch, lastTap) < DOUBLE_TAP_PX;
    lastTap = isSecond ? null : touch;
    if (isSecond) out.onDoubleTap(touch);
  };
  const stroked = (touch: Touch, begun: NonNullable<typeof start>) => {
    const by = { x: touch.x - begun.x, y: touch.y - begun.y };
    const isLevel = Math.abs(by.x) > SWIPE_PX && Math.abs(by.x) > 1.5 * Math.abs(by.y);
    if (isLevel && !begun.zoomed) out.onSwipe(by.x < 0 ? "next" : "previous");
  };
  return {
    down(touch) {
      touches.set(touch.id, touch);
      if (touches.size === 1) {
        start = { ...touch, zoomed: out.isZoomed(), alone: true, moved: false };
      } else if (start !== null) {
        start.alone = false;
      }
    },
    move(touch) {
      const before = touches.get(touch.id);
      if (before === undefined) return;
      touches.set(touch.id, touch);
      const [other] = [...touches.values()].filter(({ id }) => id !== touch.id);
      if (start !== null && distance(touch, start) > TAP_PX) start.moved = true;
      if (other !== undefined) movePair(before, touch, other);
      else if (out.isZoomed()) out.onPan({ x: touch.x - before.x, y: touch.y - before.y });
    },
    up(touch) {
      if (!touches.delete(touch.id) || touches.size > 0) return;
      if (start?.alone === true) start.moved ? stroked(touch, start) : tapped(touch);
      start = null;
    },
    cancel(id) {
      touches.delete(id);
      if (start !== null) start.alone = false;
    },
  };
}
