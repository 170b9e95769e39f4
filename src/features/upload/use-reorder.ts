/**
 * Dragging the cards of a list into another order, with a mouse or a finger. While one is dragged
 * the cards change places by CSS alone; the list itself changes when it is let go.
 */
import {
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

interface Point {
  x: number;
  y: number;
}

/** Pixels. */
export interface Box extends Point {
  width: number;
  height: number;
}

/** The list with one of its items at another place. Places begin with 0. */
export function withMoved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const others = items.filter((_, place) => place !== from);
  return [...others.slice(0, to), ...items.slice(from, from + 1), ...others.slice(to)];
}

/**
 * Where a dragged card goes when the pointer is at a point. A card gives way above or below only
 * where the dragged one will then lie under the pointer, else the two would change places for ever.
 */
export function placeAt(boxes: readonly Box[], from: number, { x, y }: Point): number {
  const dragged = boxes[from];
  const to = boxes.findIndex(
    (box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height,
  );
  const target = boxes[to];
  if (dragged === undefined || target === undefined) return from;
  const isBeside = target.x >= dragged.x + dragged.width || dragged.x >= target.x + target.width;
  if (isBeside || to === from) return to;
  const fits =
    to > from ? y >= target.y + target.height - dragged.height : y < target.y + dragged.height;
  return fits ? to : from;
}

interface Drag {
  id: number;
  to: number;
}

/** Give `list` to the list: its children stand as `ids` do, with `placeOf` as their CSS order. */
export function useReorder(ids: readonly number[], onMove: (id: number, to: number) => void) {
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const from = drag === null ? -1 : ids.indexOf(drag.id);
  const shown = drag === null || from < 0 ? ids : withMoved(ids, from, drag.to);
  const pointer = useRef<Point>({ x: 0, y: 0 });
  const notePlaces = useGliding(list);
  const change = useCallback(
    (next: Drag | null) => {
      notePlaces();
      setDrag(next);
    },
    [notePlaces],
  );
  const drop = useRef(() => {});
  drop.current = () => {
    if (drag !== null && from !== drag.to) onMove(drag.id, drag.to);
    change(null);
  };
  const dragged = drag?.id ?? null;
  // Outside: the pointer, wherever it goes, and the window, which scrolls where it is at the edge.
  useEffect(() => {
    if (dragged === null) return;
    return followPointer(pointer.current, {
      look: () => change(placed(list.current, pointer.current, dragged)),
      drop: () => drop.current(),
      cancel: () => change(null),
    });
  }, [dragged, change]);
  return {
    list,
    dragged,
    placeOf: (id: number) => shown.indexOf(id),
    /** To be called before a card comes or goes. */
    notePlaces,
    move(id: number, to: number) {
      notePlaces();
      onMove(id, to);
    },
    /** For the handle of a card. */
    begin(id: number, { button, clientX, clientY }: PointerEvent) {
      if (button !== 0) return;
      pointer.current = { x: clientX, y: clientY };
      setDrag({ id, to: ids.indexOf(id) });
    },
  };
}

/** Marks the card with this id: its place is read from the page, which may lag behind the state. */
export const DRAGGED_ID = "data-entry-id";

function placed(list: HTMLElement | null, { x, y }: Point, id: number): Drag | null {
  if (list === null) return null;
  const cards = [...list.children].filter((card) => card instanceof HTMLElement);
  const shown = cards.sort((a, b) => Number(a.style.order) - Number(b.style.order));
  const from = shown.findIndex((card) => card.getAttribute(DRAGGED_ID) === String(id));
  const { left, top } = list.getBoundingClientRect();
  // Where they are going to, while they still glide there.
  const boxes = shown.map(({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) => ({
    x: left + offsetLeft,
    y: top + offsetTop,
    width: offsetWidth,
    height: offsetHeight,
  }));
  return { id, to: placeAt(boxes, from, { x, y }) };
}

/** Pixels from the window's upper or lower edge, and in each frame. */
const SCROLL_EDGE = 80;
const SCROLL_STEP = 10;

type PointerEvents = Record<"look" | "drop" | "cancel", () => void>;

function followPointer(at: Point, { look, drop, cancel }: PointerEvents): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
    Object.assign(at, { x: clientX, y: clientY });
    look();
  };
  const key = (event: KeyboardEvent) => event.key === "Escape" && cancel();
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", drop, { signal });
  window.addEventListener("pointercancel", cancel, { signal });
  window.addEventListener("keydown", key, { signal });
  let frame = requestAnimationFrame(function scroll() {
    const way = at.y < SCROLL_EDGE ? -1 : at.y > window.innerHeight - SCROLL_EDGE ? 1 : 0;
    if (way !== 0) {
      window.scrollBy({ top: way * SCROLL_STEP, behavior: "instant" });
      look();
    }
    frame = requestAnimationFrame(scroll);
  });
  return () => {
    cancelAnimationFrame(frame);
    stop.abort();
  };
}

const GLIDE = { duration: 160, easing: "ease-out" };

function placesIn(list: HTMLElement | null): Map<HTMLElement, Point> {
  const cards = [...(list?.children ?? [])].filter((card) => card instanceof HTMLElement);
  return new Map(cards.map((card) => [card, { x: card.offsetLeft, y: card.offsetTop }]));
}

/**
 * Cards that change places glide from where they were to where they are now, unless the reader
 * wants less motion. To be called before each change, because reading places has the page laid out.
 */
function useGliding(list: RefObject<HTMLElement | null>): () => void {
  const before = useRef<ReadonlyMap<HTMLElement, Point>>(new Map());
  useLayoutEffect(() => {
    const noted = before.current;
    before.current = new Map();
    if (noted.size === 0 || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [card, now] of placesIn(list.current)) {
      const then = noted.get(card);
      if (then === undefined || (then.x === now.x && then.y === now.y)) continue;
      card.animate([{ translate: `${then.x - now.x}px ${then.y - now.y}px` }, {}], GLIDE);
    }
  });
  return useCallback(() => {
    before.current = placesIn(list.current);
  }, [list]);
}
