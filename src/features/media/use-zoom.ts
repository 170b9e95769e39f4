/** Zooming a picture in its frame: the hook, the gestures of fingers on it, and the geometry. */
import {
  type CSSProperties,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Size } from "@/lib/crop-square";
import { pageDirection } from "@/lib/page-direction";

const WHEEL_STEP = 0.0022;
export const KEY_FACTOR = 1.5;
const CENTRE: Point = { x: 0, y: 0 };

interface ZoomOptions {
  frame: RefObject<HTMLElement | null>;
  shape: Size;
  /** The wheel zooms without Ctrl: there is no page behind that it could scroll. */
  greedy: boolean;
  canSwipe: (to: "next" | "previous") => boolean;
  onSwipe: (to: "next" | "previous") => void;
  onDoubleTap: () => void;
}

export type ZoomControl = ReturnType<typeof useZoom>;

export function useZoom(options: ZoomOptions) {
  const { frame } = options;
  const [zoom, setZoom] = useState<Zoom>(AT_REST);
  const [drag, setDrag] = useState(0);
  const latest = useRef({ zoom, options });
  latest.current = { zoom, options };
  const commands = useMemo(() => {
    const box = (): ZoomBox => boxOf(frame.current, latest.current.options.shape);
    const by = (factor: number, at: Point = CENTRE) =>
      setZoom((now) => zoomAt(now, factor, at, box()));
    const pan = (way: Point) => setZoom((now) => panBy(now, way, box()));
    return { by, pan, reset: () => setZoom(AT_REST) };
  }, [frame]);
  const hand = useMemo(
    () =>
      createGestures({
        isZoomed: () => latest.current.zoom.scale > 1,
        onPan: commands.pan,
        onPinch: commands.by,
        onDrag(by) {
          // Where there is nothing to step to, the picture follows unwillingly.
          const free = by === 0 || latest.current.options.canSwipe(stepOf(by));
          setDrag(free ? by : by * HELD);
        },
        onSwipe: (by) => latest.current.options.onSwipe(stepOf(by)),
        onDoubleTap: () => latest.current.options.onDoubleTap(),
      }),
    [commands],
  );
  // Outside: the wheel. Only a listener that is not passive can keep it from scrolling the page.
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const { zoom: now, options: set } = latest.current;
      const wanted = event.ctrlKey || set.greedy || now.scale > 1;
      const isEnd = now.scale === 1 && event.deltaY > 0 && !event.ctrlKey && !set.greedy;
      if (!wanted || isEnd) return;
      event.preventDefault();
      // A trackpad's pinch arrives as small wheel steps with Ctrl.
      const step = event.ctrlKey ? 5 * WHEEL_STEP : WHEEL_STEP;
      commands.by(Math.exp(-event.deltaY * step), fromCentre(element, event));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [frame, commands]);
  const { scale, x, y } = zoom;
  return {
    ...commands,
    scale,
    style: scale === 1 ? dragged(drag) : { transform: `translate(${x}px, ${y}px) scale(${scale})` },
    pointers: pointersOf(hand, frame),
  };
}

/** The part of a finger's way that a picture goes that can go no further. */
const HELD = 0.25;

/** Under the finger at once; back at its place, unless a step follows, in a moment. */
const dragged = (by: number): CSSProperties =>
  by === 0
    ? { transition: "transform 160ms ease-out" }
    : { transform: `translateX(${by}px)`, transition: "none" };

/** A finger that goes where lines begin brings what comes next. */
function stepOf(by: number): "next" | "previous" {
  return by < 0 === (pageDirection() === "rtl") ? "previous" : "next";
}

/** Height of a video's own controls, pixels: there a finger seeks. */
const SEEK_PX = 64;

/** Buttons and videos keep their taps and clicks; a finger that goes sideways on them swipes. */
function isShared(event: PointerEvent): boolean | null {
  const control = event.target instanceof Element ? event.target.closest("button, a, video") : null;
  if (control === null) return false;
  if (event.pointerType === "mouse") return null;
  const isSeeking = event.clientY > control.getBoundingClientRect().bottom - SEEK_PX;
  return control.localName === "video" && isSeeking ? null : true;
}

function pointersOf(hand: Gestures, frame: RefObject<HTMLElement | null>) {
  /** Pointers that a control may still have for itself. */
  const shared = new Set<number>();
  const touch = (event: PointerEvent): Touch => ({
    id: event.pointerId,
    at: event.timeStamp,
    ...fromCentre(frame.current, event),
  });
  return {
    onPointerDown(event: PointerEvent) {
      const isOfControl = isShared(event);
      if (event.button !== 0 || isOfControl === null) return;
      if (isOfControl) shared.add(event.pointerId);
      else frame.current?.setPointerCapture(event.pointerId);
      hand.down(touch(event));
    },
    onPointerMove(event: PointerEvent) {
      hand.move(touch(event));
      // From here on it is a swipe, and the control gets no click.
      if (!hand.isDragging() || !shared.delete(event.pointerId)) return;
      frame.current?.setPointerCapture(event.pointerId);
    },
    onPointerUp(event: PointerEvent) {
      if (shared.delete(event.pointerId)) hand.cancel(event.pointerId);
      else hand.up(touch(event));
    },
    onPointerCancel(event: PointerEvent) {
      shared.delete(event.pointerId);
      hand.cancel(event.pointerId);
    },
  };
}

function fromCentre(element: HTMLElement | null, { clientX, clientY }: MouseEventLike): Point {
  const box = element?.getBoundingClientRect();
  if (box === undefined) return CENTRE;
  return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
}
type MouseEventLike = Pick<MouseEvent, "clientX" | "clientY">;

function boxOf(element: HTMLElement | null, shape: Size): ZoomBox {
  const frame = { width: element?.clientWidth ?? 0, height: element?.clientHeight ?? 0 };
  return { frame, picture: contained(shape, frame) };
}

interface Touch extends Point {
  id: number;
  at: number;
}

interface GestureOutcomes {
  isZoomed: () => boolean;
  onPan: (by: Point) => void;
  /** `factor` relative to the last call, around `at`. */
  onPinch: (factor: number, at: Point) => void;
  /** A single finger goes sideways, this far from where it began; 0 when it is lifted. */
  onDrag: (by: number) => void;
  /** It went far enough: to the right, or to the left below zero. */
  onSwipe: (by: number) => void;
  onDoubleTap: (at: Point) => void;
}

export type Gestures = ReturnType<typeof createGestures>;

/** Pixels that a finger may tremble, and the shortest swipe. */
const TAP_PX = 10;
const SWIPE_PX = 50;
/** Between two taps, pixels and milliseconds. */
const DOUBLE_TAP_PX = 32;
const DOUBLE_TAP_MS = 320;

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** Recognises pan, pinch, swipe and double tap, without using the page or a clock. */
export function createGestures(out: GestureOutcomes) {
  const touches = new Map<number, Touch>();
  let start: (Touch & { zoomed: boolean; alone: boolean; moved: boolean }) | null = null;
  let dragging = false;
  let lastTap: Touch | null = null;

  const movePair = (before: Touch, now: Touch, other: Touch) => {
    const from = middle(before, other);
    const to = middle(now, other);
    out.onPinch(distance(now, other) / Math.max(1, distance(before, other)), to);
    out.onPan({ x: to.x - from.x, y: to.y - from.y });
  };
  const tapped = (touch: Touch) => {
    const isSecond =
      lastTap !== null &&
      touch.at - lastTap.at < DOUBLE_TAP_MS &&
      distance(touch, lastTap) < DOUBLE_TAP_PX;
    lastTap = isSecond ? null : touch;
    if (isSecond) out.onDoubleTap(touch);
  };
  const stroked = (touch: Touch, begun: NonNullable<typeof start>) => {
    const by = { x: touch.x - begun.x, y: touch.y - begun.y };
    const isLevel = Math.abs(by.x) > SWIPE_PX && Math.abs(by.x) > 1.5 * Math.abs(by.y);
    if (isLevel && !begun.zoomed) out.onSwipe(by.x);
  };
  const endDrag = () => {
    if (dragging) out.onDrag(0);
    dragging = false;
  };
  const follow = (touch: Touch) => {
    if (start === null || start.zoomed || !start.alone) return;
    const by = { x: touch.x - start.x, y: touch.y - start.y };
    dragging ||= start.moved && Math.abs(by.x) > Math.abs(by.y);
    if (dragging) out.onDrag(by.x);
  };
  return {
    isDragging: () => dragging,
    down(touch: Touch) {
      touches.set(touch.id, touch);
      if (touches.size === 1) {
        start = { ...touch, zoomed: out.isZoomed(), alone: true, moved: false };
      } else if (start !== null) {
        start.alone = false;
        endDrag();
      }
    },
    move(touch: Touch) {
      const before = touches.get(touch.id);
      if (before === undefined) return;
      touches.set(touch.id, touch);
      const [other] = [...touches.values()].filter(({ id }) => id !== touch.id);
      if (start !== null && distance(touch, start) > TAP_PX) start.moved = true;
      if (other !== undefined) movePair(before, touch, other);
      else if (out.isZoomed()) out.onPan({ x: touch.x - before.x, y: touch.y - before.y });
      else follow(touch);
    },
    up(touch: Touch) {
      if (!touches.delete(touch.id) || touches.size > 0) return;
      if (start?.alone === true) start.moved ? stroked(touch, start) : tapped(touch);
      start = null;
      endDrag();
    },
    /** The browser took over this pointer, to scroll the page. */
    cancel(id: number) {
      touches.delete(id);
      if (start !== null) start.alone = false;
      endDrag();
    },
  };
}

interface Point {
  x: number;
  y: number;
}
export interface Zoom extends Point {
  scale: number;
}

export interface ZoomBox {
  frame: Size;
  picture: Size;
}

export const AT_REST: Zoom = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 8;

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** The size of a picture that fits `frame` as a whole; all of `frame` if the shape is unknown. */
export function contained(shape: Size, frame: Size): Size {
  if (shape.width <= 0 || shape.height <= 0) return frame;
  const scale = Math.min(frame.width / shape.width, frame.height / shape.height);
  return { width: shape.width * scale, height: shape.height * scale };
}

/** Zooms by `factor`. The point under `at` stays there, as far as the picture's edges allow. */
export function zoomAt(zoom: Zoom, factor: number, at: Point, box: ZoomBox): Zoom {
  const scale = within(zoom.scale * factor, 1, MAX_SCALE);
  const by = scale / zoom.scale;
  return held({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, box);
}

export function panBy(zoom: Zoom, by: Point, box: ZoomBox): Zoom {
  return held({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, box);
}

/** Keeps the picture's edges outside the frame's, unless the picture is smaller. */
function held(zoom: Zoom, { frame, picture }: ZoomBox): Zoom {
  const roomX = Math.max(0, (picture.width * zoom.scale - frame.width) / 2);
  const roomY = Math.max(0, (picture.height * zoom.scale - frame.height) / 2);
  // Plus zero: turns -0 into 0.
  return { ...zoom, x: within(zoom.x, -roomX, roomX) + 0, y: within(zoom.y, -roomY, roomY) + 0 };
}
