/**
 * The grid: only cards near the window are in the page (virtualised). The position of each card is
 * known from its stored width and height, so nothing is measured and nothing jumps. Its skeleton,
 * its scroll anchor and its position in the page are here too.
 */
import {
  type FocusEvent,
  memo,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { MediaView } from "@/data/shapes";
import { useAskFaces } from "@/state/people";
import { shownList } from "@/state/place";
import { Skeleton } from "@/ui/loading";
import {
  type Box,
  type GridSize,
  layoutMasonry,
  placeOf,
  tallestCard,
  textSize,
} from "@/ui/masonry";
import {
  beforePaint,
  boxesBetween,
  lastScrollY,
  scrolledByCode,
  useNearWindow,
} from "@/ui/use-visible";
import { MediaCard } from "./media-card";

/** Cards on the first screen: their pictures are loaded first. */
const EAGER = 6;
/** Cards that a gradually filled grid renders per frame. */
const NEW_MOST = 4;

interface MediaGridProps {
  items: readonly MediaView[];
  columns: 1 | 2;
  /** Renders new cards over several frames, so that typing stays smooth. */
  gradual?: boolean;
}

interface Plan {
  size: GridSize;
  boxes: Box[];
  height: number;
}

export function MediaGrid({ items, columns, gradual = false }: MediaGridProps) {
  const { t } = useTranslation();
  const grid = useRef<HTMLUListElement>(null);
  const place = usePlace(grid);
  const width = place?.width ?? null;
  const text = place?.text ?? 1;
  const size = useMemo(
    () => (width === null ? null : { width, columns, text }),
    [width, columns, text],
  );
  const plan = useMemo(() => (size === null ? null : planFor(items, size)), [items, size]);
  const { focused, ...focusing } = useFocused();
  useAskFaces(items);
  // Outside: the opened list, through which the detail page steps.
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

/** `focused` is the id of the card that has the focus, or "". */
function useFocused() {
  const [focused, setFocused] = useState("");
  const onFocus = ({ target }: FocusEvent) =>
    setFocused(target.closest<HTMLElement>("[data-media-id]")?.dataset["mediaId"] ?? "");
  return { focused, onFocus, onBlur: () => setFocused("") };
}

interface CardsProps {
  items: readonly MediaView[];
  plan: Plan;
  top: number;
  /** The card that stays in the page at any scroll position. */
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

/** Rendered again only when its media or its position has changed. */
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
        transform: placeOf(box),
      }}
    >
      <Card
        media={media}
        height={box.picture}
        eager={index < EAGER}
        roomy={box.roomy}
        tags={box.tags}
        lines={box.lines}
      />
    </li>
  );
}, sameCell);

/** The snapshot and the replica hold equal media in different objects. */
const Card = memo(MediaCard, (a, b) => {
  const sameFrame = a.height === b.height && a.eager === b.eager && a.roomy === b.roomy;
  const sameWords = a.tags === b.tags && a.lines === b.lines;
  return sameFrame && sameWords && sameMedia(a.media, b.media, b.tags);
});

/** Whether a card with that many tags looks the same for both. */
function sameMedia(a: MediaView, b: MediaView, tags: number): boolean {
  if (a === b) return true;
  if (a.members !== b.members) return false;
  const names = Object.keys(b) as (keyof MediaView)[];
  return names.every((name) =>
    name === "tags"
      ? a.tags.slice(0, tags).join("\n") === b.tags.slice(0, tags).join("\n")
      : Object.is(a[name], b[name]),
  );
}

/** Boxes are created for every list; most are where they were. */
function sameCell(a: CellProps, b: CellProps): boolean {
  const samePlace = (["top", "left", "width", "height", "lines", "roomy"] as const).every(
    (side) => a.box[side] === b.box[side],
  );
  return samePlace && a.media === b.media && a.index === b.index && a.count === b.count;
}

/** Of `ids`, in order: all that were rendered before, and at most `most` others per frame. */
function useGradually(ids: readonly string[], most: number): ReadonlySet<string> {
  const [, drawMore] = useReducer((frames: number) => frames + 1, 0);
  const before = useRef<ReadonlySet<string>>(new Set());
  let room = most;
  const now = new Set<string>();
  for (const id of ids) {
    const isNew = !before.current.has(id);
    if (isNew) room -= 1;
    if (!isNew || room >= 0) now.add(id);
  }
  useLayoutEffect(() => {
    before.current = now;
  });
  const isWhole = now.size === ids.length;
  // Outside: the frames.
  useEffect(() => {
    if (isWhole) return;
    const frame = requestAnimationFrame(() => startTransition(drawMore));
    return () => cancelAnimationFrame(frame);
  });
  return now;
}

function topsOf(items: readonly MediaView[], size: GridSize): Map<string, number> {
  const boxes = layoutMasonry(items, size);
  return new Map(items.map((item, i) => [item.id, boxes[i]?.top ?? 0]));
}

/** The first card at or below `offset` that is in both lists; null at the very top. */
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

interface Kept extends Pick<CardsProps, "items"> {
  size: GridSize;
  /** Kept until the user scrolls: a new anchor with each row would let the first one drift. */
  anchor: { id: string; scrollY: number } | null;
}

/** What the user looks at does not move while rows appear or vanish above. */
function useScrollAnchor(items: readonly MediaView[], size: GridSize, gridTop: number): void {
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

interface Place {
  width: number;
  top: number;
  /** The person's text size. */
  text: number;
}

/** Of the last grid or skeleton, with the window's width at that time. */
let last: { windowWidth: number; place: Place } | null = null;

function lookAt(element: Element): Place {
  const place = {
    width: element.clientWidth,
    top: element.getBoundingClientRect().top + window.scrollY,
    text: textSize(),
  };
  last = { windowWidth: window.innerWidth, place };
  return place;
}

/** The expected position: at the start, where index.html drew the first cards or boxes. */
function assume(): Place | null {
  const drawn = last === null ? document.getElementById("first-screen") : null;
  if (drawn !== null && drawn.clientWidth > 0) return lookAt(drawn);
  return last?.windowWidth === window.innerWidth ? last.place : null;
}

/**
 * The position of a grid in the page. The next grid is most likely where the last one or its
 * skeleton was, so its cards are rendered with it, in pieces, and not all at once after a
 * measurement. Null only before the first paint of a grid that had no skeleton.
 */
function usePlace(grid: RefObject<Element | null>): Place | null {
  const [place, setPlace] = useState(assume);
  const [isAssumed] = useState(place !== null);
  const drawn = useRef(place);
  // Outside: the layout. Before the first paint, so that the grid is never empty or misplaced.
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const measure = () => {
      const next = lookAt(element);
      const settle = () =>
        setPlace((now) => (now?.top === next.top && sameSize(now, next) ? now : next));
      // Rendered cards do not move with the top: it only decides which others are rendered.
      if (sameSize(drawn.current, next)) startTransition(settle);
      else settle();
      drawn.current = next;
    };
    if (!isAssumed) measure();
    const callOff = isAssumed ? beforePaint(measure) : undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // The page is longer with a larger text, whatever the grid's own size.
    observer.observe(document.body);
    return () => {
      callOff?.();
      observer.disconnect();
    };
  }, [grid, isAssumed]);
  return place;
}

const sameSize = (a: Place | null, b: Place): boolean => a?.width === b.width && a.text === b.text;

/** Records the position of a skeleton for the grid that replaces it. */
function useKeepPlace(skeleton: RefObject<Element | null>): void {
  // Outside: the layout.
  useLayoutEffect(() => {
    const element = skeleton.current;
    if (element === null) return;
    return beforePaint(() => void lookAt(element));
  }, [skeleton]);
}

/** The grid while it is loading: the same boxes as in index.html before any script. */
const LANES = [
  ["tall", "flat", "tall"],
  ["flat", "tall", "even"],
] as const;

export function GridSkeleton({ columns }: { columns: 1 | 2 }) {
  const { t } = useTranslation();
  const boxes = useRef<HTMLDivElement>(null);
  useKeepPlace(boxes);
  return (
    <div role="status" data-testid="gallery-loading">
      <span className="sr-only">{t("gallery.loading")}</span>
      <div ref={boxes} className="shell-skeleton" aria-hidden="true" data-columns={columns}>
        {LANES.slice(0, columns).map((lane, i) => (
          <div
            key={lane.join("-")}
            className={`shell-lane ${columns === 1 ? "max-w-[640px] mx-auto" : ""}`}
          >
            {lane.map((shape, j) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: boxes without identity that never move.
              <div key={`${i}-${j}`}>
                <span className={`shell-picture shell-${shape} animate-pulse-soft`} />
                <span className="shell-title">
                  <Skeleton className="shell-line" />
                </span>
                <div className="shell-meta">
                  <span className="shell-face" />
                  <div className="shell-words">
                    <Skeleton className="shell-line short" />
                  </div>
                </div>
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
