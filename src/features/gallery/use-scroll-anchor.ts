/** Keeps what one looks at where it is while rows appear or vanish above it. */
import { useLayoutEffect, useRef } from "react";
import type { MediaView } from "@/data/client-api";
import { type GridSize, layoutMasonry } from "@/ui/masonry";

/** Tops of the cards by id, pixels from the beginning of the grid. */
function topsOf(items: readonly MediaView[], size: GridSize): Map<string, number> {
  const boxes = layoutMasonry(items, size);
  return new Map(items.map((item, i) => [item.id, boxes[i]?.top ?? 0]));
}

/** How far to scroll so that the first card at or below `offset` that is in both stays: pixels, 0 at the very top. */
export function anchorShift(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  offset: number,
): number {
  if (offset <= 0) return 0;
  for (const [id, top] of before) {
    const now = after.get(id);
    if (top >= offset && now !== undefined) return now - top;
  }
  return 0;
}

export function useScrollAnchor(
  items: readonly MediaView[],
  size: GridSize,
  gridTop: number,
): void {
  const kept = useRef<{ items: readonly MediaView[]; size: GridSize } | null>(null);
  // Outside: the scroll position.
  useLayoutEffect(() => {
    const last = kept.current;
    kept.current = { items, size };
    if (last === null || last.items === items || last.size !== size) return;
    const offset = window.scrollY - gridTop;
    if (offset <= 0) return;
    const shift = anchorShift(topsOf(last.items, size), topsOf(items, size), offset);
    if (shift !== 0) window.scrollBy({ top: shift, behavior: "instant" });
  }, [items, size, gridTop]);
}
