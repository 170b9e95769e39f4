/**
 * The grid: as many cards in the page as are near the window, however many there are (virtualised). The place of each is
 * known from its stored width and height, so nothing is ever measured and nothing jumps.
 */
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { MediaView } from "@/data/client-api";
import { useText } from "@/i18n/use-text";
import { shownList } from "@/state/shown-list";
import {
  cardWidth,
  type GridSize,
  isRoomy,
  laneLeft,
  metaHeight,
  pictureHeight,
  ROW_GAP,
} from "@/ui/masonry";
import { MediaCard } from "./media-card";
import { useScrollAnchor } from "./use-scroll-anchor";

/** Cards that the first screen shows: their pictures come first. */
const EAGER = 6;
const OVERSCAN = 4;

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
  const width = cardWidth(size);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    lanes: columns,
    gap: ROW_GAP,
    overscan: OVERSCAN,
    scrollMargin: place.top,
    estimateSize: (i) => {
      const item = items[i];
      return item === undefined ? 0 : pictureHeight(width, item) + metaHeight(width);
    },
    getItemKey: (i) => items[i]?.id ?? i,
  });
  const order = useMemo(() => items.map((item) => item.id).join(" "), [items]);
  const known = useRef(`${width} ${order}`);
  // Outside: the virtualiser keeps sizes and lanes by index, which a new width or a new first row makes wrong.
  useLayoutEffect(() => {
    if (known.current === `${width} ${order}`) return;
    known.current = `${width} ${order}`;
    virtualizer.measure();
  }, [width, order, virtualizer]);
  const height = virtualizer.getTotalSize();
  // Outside: the list around the cards, which another component draws.
  useLayoutEffect(() => {
    if (grid.current !== null) grid.current.style.height = `${height}px`;
  }, [grid, height]);
  useScrollAnchor(items, size, place.top);
  return virtualizer.getVirtualItems().map((row) => {
    const item = items[row.index];
    if (item === undefined) return null;
    const left = laneLeft(row.lane, size);
    const top = row.start - place.top;
    return (
      <li
        key={row.key}
        className="shell-card"
        data-media-id={item.id}
        aria-setsize={items.length}
        aria-posinset={row.index + 1}
        style={{ width, height: row.size, transform: `translate(${left}px, ${top}px)` }}
      >
        <MediaCard
          media={item}
          height={row.size - metaHeight(width)}
          eager={row.index < EAGER}
          roomy={isRoomy(width)}
        />
      </li>
    );
  });
}
