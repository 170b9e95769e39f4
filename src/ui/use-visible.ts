/** Which boxes of a long page lie near the window: only those are drawn. */
import { useSyncExternalStore } from "react";

/** Drawn beyond the window's edges, pixels: what a fling covers before the next frame. */
const AHEAD_PX = 900;
/** How far one scrolls before anything is drawn anew. */
const STEP_PX = 150;

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

const watchers = new Set<() => void>();
const tell = () => {
  for (const watcher of [...watchers]) watcher();
};

function subscribe(onChange: () => void): () => void {
  if (watchers.size === 0) {
    window.addEventListener("scroll", tell, { passive: true });
    window.addEventListener("resize", tell);
  }
  watchers.add(onChange);
  return () => {
    watchers.delete(onChange);
    if (watchers.size > 0) return;
    window.removeEventListener("scroll", tell);
    window.removeEventListener("resize", tell);
  };
}

/** For code that scrolls before the browser paints: its event would come a frame too late. */
export const scrolledByCode = tell;

const step = (): number => Math.floor(window.scrollY / STEP_PX);
const screenful = (): number => window.innerHeight;

/** What to draw, pixels from the beginning of the page. Changes only every so often while one scrolls. */
export function useNearWindow(): { from: number; to: number } {
  const from = useSyncExternalStore(subscribe, step) * STEP_PX;
  const height = useSyncExternalStore(subscribe, screenful);
  return { from: from - AHEAD_PX, to: from + STEP_PX + height + AHEAD_PX };
}
