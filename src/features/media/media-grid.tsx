/**
 * The grid: as many cards in the page as are near the window, however many there are (virtualised). The place of each is
 * known from its stored width and height, so nothing is ever measured and nothing jumps.
 */
import { type FocusEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { MediaView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { shownList } from "@/state/place";
import {
  type Box,
  type GridSize,
  isRoomy,
  layoutMasonry,
  tagsShown,
  tallestCard,
} from "@/ui/masonry";
import { useGradually } from "@/ui/use-gradually";
import { boxesBetween, useNearWindow } from "@/ui/use-visible";
import { MediaCard } from "./media-card";
import { usePlace } from "./use-place";
import { useScrollAnchor } from "./use-scroll-anchor";

/** Cards that the first screen shows: their pictures come first. */
const EAGER = 6;
/** Cards that a grid which fills gradually draws with one frame. */
const NEW_MOST = 4;

interface MediaGridProps {
  items: readonly MediaView[];
  columns: 1 | 2;
  /** For whoever is typing: what is new is drawn over a few frames, so that none of them is long. */
  gradual?: boolean;
}

/** The cards of a list, laid out for a grid of one size. */
interface Plan {
  size: GridSize;
  boxes: Box[];
  /** Of the whole list. */
  height: number;
}

export function MediaGrid({ items, columns, gradual = false }: MediaGridProps) {
  const { t } = useText();
  const grid = useRef<HTMLUListElement>(null);
  const place = usePlace(grid);
  const width = place?.width ?? null;
  const size = useMemo(() => (width === null ? null : { width, columns }), [width, columns]);
  const plan = useMemo(() => (size === null ? null : planFor(items, size)), [items, size]);
  const { focused, ...focusing } = useFocused();
  // Outside: this list is what stepping from an opened medium means.
  useEffect(() => {
    shownList.items = items;
  }, [items]);
  return (
    <ul
      ref={grid}
      className="shell-grid"
      style={{ height: plan?.height }}
      aria-label={t("gallery.list")}
      data-testid="media-grid"
      {...focusing}
    >
      {place !== null && plan !== null && (
        <Cards items={items} plan={plan} top={place.top} focused={focused} gradual={gradual} />
      )}
    </ul>
  );
}

function planFor(items: readonly MediaView[], size: GridSize): Plan {
  const boxes = layoutMasonry(items, size);
  return { size, boxes, height: boxes.reduce((end, box) => Math.max(end, bottomOf(box)), 0) };
}

const bottomOf = (box: Box): number => box.top + box.height;

/** `focused` is the id of the card that holds the focus, or "". */
function useFocused() {
  const [focused, setFocused] = useState("");
  const onFocus = useCallback(({ target }: FocusEvent) => {
    setFocused(target.closest<HTMLElement>("[data-media-id]")?.dataset["mediaId"] ?? "");
  }, []);
  const onBlur = useCallback(() => setFocused(""), []);
  return { focused, onFocus, onBlur };
}

interface CardsProps {
  items: readonly MediaView[];
  plan: Plan;
  /** Distance of the grid from the beginning of the page. */
  top: number;
  /** The card that stays in the page however far one scrolls. */
  focused: string;
  gradual: boolean;
}

function Cards({ items, plan, top, focused, gradual }: CardsProps) {
  const { size, boxes } = plan;
  const near = useNearWindow();
  useScrollAnchor(items, size, top);
  const [first, end] = boxesBetween(
    boxes,
    { from: near.from - top, to: near.to - top },
    tallestCard(size),
  );
  const drawn = items.slice(first, end).map((_, i) => first + i);
  const kept = focused === "" ? -1 : items.findIndex((item) => item.id === focused);
  if (kept >= 0 && (kept < first || kept >= end)) drawn.push(kept);
  const ids = drawn.flatMap((index) => items[index]?.id ?? []);
  const now = useGradually(ids, gradual ? NEW_MOST : Number.POSITIVE_INFINITY);
  return drawn.map((index) => {
    const [item, box] = [items[index], boxes[index]];
    if (item === undefined || box === undefined || !now.has(item.id)) return null;
    return <Cell key={item.id} media={item} box={box} index={index} count={items.length} />;
  });
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
      <Card
        media={media}
        height={box.picture}
        eager={index < EAGER}
        roomy={isRoomy(box.width)}
        tags={tagsShown(box.width)}
      />
    </li>
  );
}, sameCell);

/** What the first screen's snapshot said, the replica says again with objects of its own: the card stays as it is. */
const Card = memo(MediaCard, (a, b) => {
  const sameFrame = a.height === b.height && a.eager === b.eager && a.roomy === b.roomy;
  return sameFrame && a.tags === b.tags && sameMedia(a.media, b.media, b.tags);
});

/** Whether a card that shows so many tags looks the same for both. */
function sameMedia(a: MediaView, b: MediaView, tags: number): boolean {
  if (a === b) return true;
  const names = Object.keys(b) as (keyof MediaView)[];
  return names.every((name) =>
    name === "tags"
      ? a.tags.slice(0, tags).join("\n") === b.tags.slice(0, tags).join("\n")
      : Object.is(a[name], b[name]),
  );
}

/** Boxes are made anew with every list; most stand where they stood. */
function sameCell(a: CellProps, b: CellProps): boolean {
  const samePlace =
    a.box.top === b.box.top &&
    a.box.left === b.box.left &&
    a.box.width === b.box.width &&
    a.box.height === b.box.height;
  return samePlace && a.media === b.media && a.index === b.index && a.count === b.count;
}
