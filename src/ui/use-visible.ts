/** Which boxes of a long page are near the window: only those are rendered. */
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** Rendered beyond the window's edges, pixels: the distance of a fling until the next frame. */
const AHEAD_PX = 900;
/** The part of it that a new page adds with each frame. */
const PIECE_PX = 450;
const STEP_PX = 150;
/** Scroll distance that must be rendered at once: a step more shows the end of what is rendered. */
const LAG_STEPS = AHEAD_PX / STEP_PX - 1;

interface Vertical {
  top: number;
  height: number;
}

/** Indexes of the first box and after the last; tops never decrease, `tallest` is in pixels. */
export function boxesBetween(
  boxes: readonly Vertical[],
  { from, to }: { from: number; to: number },
  tallest: number,
): [first: number, end: number] {
  const firstBelow = (offset: number): number => {
    let [low, high] = [0, boxes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((boxes[middle]?.top ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [firstBelow(from - tallest), firstBelow(to)];
}

interface Stand {
  step: number;
  height: number;
}

let scrolled = 0;

/** The scroll position when last read, pixels: reading it during rendering would force a layout. */
export const lastScrollY = (): number => scrolled;

const standAt = (top: number): Stand => ({
  step: Math.floor(top / STEP_PX),
  height: window.innerHeight,
});

function look(): Stand {
  scrolled = window.scrollY;
  return standAt(scrolled);
}

let expected: number | null = null;

/**
 * Where a page that is being rendered will be scrolled to before its paint, pixels: it then renders
 * what is seen there, and not the top first. Null once it is scrolled.
 */
export function expectScroll(top: number | null): void {
  expected = top;
}
const isSame = (a: Stand, b: Stand): boolean => a.step === b.step && a.height === b.height;

const watchers = new Set<() => void>();
const tell = () => {
  for (const watcher of [...watchers]) watcher();
};

let byCode = Number.NaN;

/** For code that scrolls before the paint: the scroll event would arrive a frame too late. */
export function scrolledByCode(): void {
  byCode = window.scrollY;
  tell();
}

/** Whether a scroll event that finds the page at `top` is what code did, and nobody by hand. */
export const wasByCode = (top: number): boolean => top === byCode;

/**
 * The range to render, pixels from the top of the page. While scrolling it changes only in steps,
 * and in pieces between which the browser can paint, as long as the window is filled. It starts
 * with the window alone, which the user waits for; what is beyond follows frame by frame.
 */
export function useNearWindow(): { from: number; to: number } {
  const [stand, setStand] = useState(() => (expected === null ? look() : standAt(expected)));
  const drawn = useRef(stand);
  useLayoutEffect(() => {
    drawn.current = stand;
  }, [stand]);
  // Outside: the window, which may have been scrolled while the first cards were rendered.
  useLayoutEffect(() => {
    const atOnce = () => {
      const seen = look();
      setStand((now) => (isSame(now, seen) ? now : seen));
    };
    const onScroll = () => {
      const behind = Math.abs(look().step - drawn.current.step);
      // In this very frame: its other callbacks may look at what is rendered there.
      if (behind > LAG_STEPS) flushSync(atOnce);
      else startTransition(atOnce);
    };
    const callOff = beforePaint(atOnce);
    watchers.add(atOnce);
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", atOnce);
    return () => {
      callOff();
      watchers.delete(atOnce);
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", atOnce);
    };
  }, []);
  const ahead = useAhead();
  const from = stand.step * STEP_PX;
  return { from: from - ahead, to: from + STEP_PX + stand.height + ahead };
}

/** How far beyond the window to render, pixels: a piece more with each frame. */
function useAhead(): number {
  const [ahead, setAhead] = useState(0);
  // Outside: the frames.
  useEffect(() => {
    if (ahead >= AHEAD_PX) return;
    const frame = requestAnimationFrame(() => startTransition(() => setAhead(ahead + PIECE_PX)));
    return () => cancelAnimationFrame(frame);
  }, [ahead]);
  return ahead;
}

/**
 * Runs `look` before the browser paints what was just rendered, and renders its changes at once.
 * Reading the layout in a layout effect would force a layout within the task that rendered. Returns
 * a function that cancels it.
 */
export function beforePaint(look: () => void): () => void {
  const frame = requestAnimationFrame(() => flushSync(look));
  return () => cancelAnimationFrame(frame);
}
