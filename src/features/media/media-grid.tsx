/**
 * The grid: as many cards in the page as are near the window, however many there are (virtualised). The place of each is
 * known from its stored width and height, so nothing is ever measured and nothing jumps.
 */
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { MediaView } from "@/data/client-api";
import { useText } from "@/i18n/use-text";
import { shownList } from "@/state/shown-list";
import {
  type Box,
  type GridSize,
  isRoomy,
  layoutMasonry,
  tagsShown,
  tallestCard,
} from "@/ui/masonry";
import { boxesBetween, useNearWindow } from "@/ui/use-visible";
import { MediaCard } from "./media-card";
import { useScrollAnchor } from "./use-scroll-anchor";

/** Cards that the first screen shows: their pictures come first. */
const EAGER = 6;

interface MediaGridProps {
  items: readonly MediaView[];
  columns: 1 | 2;
}

interface Place {
  width: number;
  /** Distance of the grid from the beginning of the page. */
  top: number;
}

export function MediaGrid({ items, columns }: MediaGridProps) {
  const { t } = useText();
  const grid = useRef<HTMLUListElement>(null);
  const place = usePlace(grid);
  // Outside: this list is what stepping from an opened medium means.
  useEffect(() => {
    shownList.items = items;
  }, [items]);
  return (
    <ul ref={grid} className="shell-grid" aria-label={t("gallery.list")} data-testid="media-grid">
      {place !== null && <Cards items={items} columns={columns} place={place} grid={grid} />}
    </ul>
  );
}

function usePlace(grid: React.RefObject<HTMLUListElement | null>): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  // Outside: the layout. Before the first paint, so that the grid never shows up empty.
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const next = { width: element.clientWidth, top: box.top + window.scrollY };
      setPlace((now) => (now?.width === next.width && now.top === next.top ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [grid]);
  return place;
}

interface CardsProps extends MediaGridProps {
  place: Place;
  grid: React.RefObject<HTMLUListElement | null>;
}

function Cards({ items, columns, place, grid }: CardsProps) {
  const size = useMemo<GridSize>(() => ({ width: place.width, columns }), [place.width, columns]);
  const boxes = useMemo(() => layoutMasonry(items, size), [items, size]);
  const height = useMemo(
    () => boxes.reduce((end, box) => Math.max(end, bottomOf(box)), 0),
    [boxes],
  );
  const near = useNearWindow();
  const focused = useFocused(grid);
  // Outside: the list around the cards, which another component draws.
  useLayoutEffect(() => {
    if (grid.current !== null) grid.current.style.height = `${height}px`;
  }, [grid, height]);
  useScrollAnchor(items, size, place.top);
  const [first, end] = boxesBetween(
    boxes,
    { from: near.from - place.top, to: near.to - place.top },
    tallestCard(size),
  );
  const drawn = items.slice(first, end).map((_, i) => first + i);
  const kept = focused === "" ? -1 : items.findIndex((item) => item.id === focused);
  if (kept >= 0 && (kept < first || kept >= end)) drawn.push(kept);
  return drawn.map((index) => {
    const [item, box] = [items[index], boxes[index]];
    if (item === undefined || box === undefined) return null;
    return <Cell key={item.id} media={item} box={box} index={index} count={items.length} />;
  });
}

const bottomOf = (box: Box): number => box.top + box.height;

/** Id of the card that holds the focus, or "": it stays in the page however far one scrolls. */
function useFocused(grid: React.RefObject<HTMLUListElement | null>): string {
  const [focused, setFocused] = useState("");
  // Outside: the focus, which moves without React.
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const onFocus = ({ target }: FocusEvent) => {
      const card =
        target instanceof Element ? target.closest<HTMLElement>("[data-media-id]") : null;
      setFocused(card?.dataset["mediaId"] ?? "");
    };
    const onBlur = () => setFocused("");
    element.addEventListener("focusin", onFocus);
    element.addEventListener("focusout", onBlur);
    return () => {
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("focusout", onBlur);
    };
  }, [grid]);
  return focused;
}

interface CellProps {
  media: MediaView;
  box: Box;
  index: number;
  count: number;
}

/** Drawn anew only when its medium or its place is another. */
const Cell = memo(function Cell({ media, box, index, count }: CellProps) {
  return (
    <li
      className="shell-card"
      data-media-id={media.id}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{
        width: box.width,
        height: box.height,
        transform: `translate(${box.left}px, ${box.top}px)`,
      }}
    >
      <MediaCard
        media={media}
        height={box.picture}
        eager={index < EAGER}
        roomy={isRoomy(box.width)}
        tags={tagsShown(box.width)}
      />
    </li>
  );
}, sameCell);

/** Boxes are made anew with every list; most stand where they stood. */
function sameCell(a: CellProps, b: CellProps): boolean {
  const samePlace =
    a.box.top === b.box.top &&
    a.box.left === b.box.left &&
    a.box.width === b.box.width &&
    a.box.height === b.box.height;
  return samePlace && a.media === b.media && a.index === b.index && a.count === b.count;
}
