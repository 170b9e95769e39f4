/** Keeps what one looks at where it is while rows appear or vanish above it. */
import { useLayoutEffect, useRef } from "react";
import type { MediaView } from "@/data/shapes";
import { type GridSize, layoutMasonry } from "@/ui/masonry";
import { lastScrollY, scrolledByCode } from "@/ui/use-visible";

/** Tops of the cards by id, pixels from the beginning of the grid. */
function topsOf(items: readonly MediaView[], size: GridSize): Map<string, number> {
  const boxes = layoutMasonry(items, size);
  return new Map(items.map((item, i) => [item.id, boxes[i]?.top ?? 0]));
}

/** The first card at or below `offset` that is in both, or null at the very top and when there is none. */
export function anchorOf(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  offset: number,
): string | null {
  if (offset <= 0) return null;
  for (const [id, top] of before) {
    if (top >= offset && after.has(id)) return id;
  }
  return null;
}

interface Kept {
  items: readonly MediaView[];
  size: GridSize;
  /** Holds for as long as nobody scrolls: a new one with each row would let the old one wander off. */
  anchor: { id: string; scrollY: number } | null;
}

export function useScrollAnchor(
  items: readonly MediaView[],
  size: GridSize,
  gridTop: number,
): void {
  const kept = useRef<Kept>({ items, size, anchor: null });
  // Outside: the scroll position.
  useLayoutEffect(() => {
    const last = kept.current;
    kept.current = { items, size, anchor: null };
    if (last.items === items || last.size !== size || lastScrollY() <= gridTop) return;
    const before = topsOf(last.items, size);
    const after = topsOf(items, size);
    const held = last.anchor?.scrollY === window.scrollY ? last.anchor.id : null;
    const id =
      held !== null && after.has(held) ? held : anchorOf(before, after, window.scrollY - gridTop);
    if (id === null) return;
    const shift = (after.get(id) ?? 0) - (before.get(id) ?? 0);
    if (shift !== 0) {
      window.scrollBy({ top: shift, behavior: "instant" });
      scrolledByCode();
    }
    kept.current.anchor = { id, scrollY: window.scrollY };
  }, [items, size, gridTop]);
}
