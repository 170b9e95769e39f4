/** Which boxes of a long page lie near the window: only those are drawn. */
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** Drawn beyond the window's edges, pixels: what a fling covers before the next frame. */
const AHEAD_PX = 900;
/** Of that, what a new page draws with each frame. */
const PIECE_PX = 450;
/** How far one scrolls before anything is drawn anew. */
const STEP_PX = 150;
/** How far one may scroll away from where it was drawn: a step more, and the window would show its end. */
const LAG_STEPS = AHEAD_PX / STEP_PX - 1;

interface Vertical {
  top: number;
  height: number;
}

/** First index and the one behind the last, of boxes whose tops never decrease; `tallest` is the largest height among them. */
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

/** Where the window stands, in whole steps. */
interface Stand {
  step: number;
  height: number;
}

let scrolled = 0;

/** How far the page was scrolled when one last looked, pixels: asking the browser while it is being drawn makes it lay it out. */
export const lastScrollY = (): number => scrolled;

function look(): Stand {
  scrolled = window.scrollY;
  return { step: Math.floor(scrolled / STEP_PX), height: window.innerHeight };
}
const isSame = (a: Stand, b: Stand): boolean => a.step === b.step && a.height === b.height;

const watchers = new Set<() => void>();
const tell = () => {
  for (const watcher of [...watchers]) watcher();
};

/** For code that scrolls before the browser paints: its event would come a frame too late. */
export const scrolledByCode = tell;

/**
 * What to draw, pixels from the beginning of the page. Changes only every so often while one scrolls, and then in pieces
 * between which the browser may paint, as long as what is drawn already fills the window. At first the window alone, which
 * somebody waits for; what lies beyond it follows frame by frame.
 */
export function useNearWindow(): { from: number; to: number } {
  const [stand, setStand] = useState(look);
  const drawn = useRef(stand);
  useLayoutEffect(() => {
    drawn.current = stand;
  }, [stand]);
  // Outside: the window, which may have been scrolled while the first cards were being drawn.
  useLayoutEffect(() => {
    const atOnce = () => {
      const seen = look();
      setStand((now) => (isSame(now, seen) ? now : seen));
    };
    const onScroll = () => {
      const behind = Math.abs(look().step - drawn.current.step);
      // In this very frame, whose other callbacks may look for what stands there.
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

/** How far beyond the window is drawn, pixels: a piece more with each frame. */
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

/** For what can only be seen in the page itself, and must be right before it is. */

/**
 * Runs `look` before the browser paints what was just drawn, and draws at once what it changes. Looking from a layout effect would
 * make the browser lay the page out within the task that drew it. Gives what calls it off.
 */
export function beforePaint(look: () => void): () => void {
  const frame = requestAnimationFrame(() => flushSync(look));
  return () => cancelAnimationFrame(frame);
}
