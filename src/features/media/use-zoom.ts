/** Magnifying what lies in a frame: by pinch, wheel, double-tap-free fingers and the commands of keys and buttons. */
import {
  type CSSProperties,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createGestures, type Touch } from "@/lib/gestures";
import {
  AT_REST,
  contained,
  type Point,
  panBy,
  type Size,
  type Zoom,
  type ZoomBox,
  zoomAt,
} from "@/lib/zoom";

/** Of one notch of a wheel or one press of a key. */
const WHEEL_STEP = 0.0022;
export const KEY_FACTOR = 1.5;
const CENTRE: Point = { x: 0, y: 0 };

export interface ZoomOptions {
  frame: RefObject<HTMLElement | null>;
  /** Width and height of what lies in it, 0 where unknown. */
  shape: Size;
  /** The wheel alone magnifies: there is no page behind that it could scroll. */
  greedy: boolean;
  onSwipe: (to: "next" | "previous") => void;
  onDoubleTap: () => void;
}

export interface ZoomControl {
  scale: number;
  style: CSSProperties;
  by: (factor: number) => void;
  pan: (by: Point) => void;
  reset: () => void;
  /** Of the frame. */
  pointers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: (event: PointerEvent) => void;
  };
}

export function useZoom(options: ZoomOptions): ZoomControl {
  const { frame } = options;
  const [zoom, setZoom] = useState<Zoom>(AT_REST);
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
        onSwipe: (to) => latest.current.options.onSwipe(to),
        onDoubleTap: () => latest.current.options.onDoubleTap(),
      }),
    [commands],
  );
  // Outside: the wheel, which only a listener that is not passive can keep from scrolling the page.
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const { zoom: now, options: set } = latest.current;
      const wanted = event.ctrlKey || set.greedy || now.scale > 1;
      const isEnd = now.scale === 1 && event.deltaY > 0 && !event.ctrlKey && !set.greedy;
      if (!wanted || isEnd) return;
      event.preventDefault();
      // A trackpad's pinch comes as small steps of a wheel with Ctrl.
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
    style: scale === 1 ? {} : { transform: `translate(${x}px, ${y}px) scale(${scale})` },
    pointers: pointersOf(hand, frame),
  };
}

function pointersOf(
  hand: ReturnType<typeof createGestures>,
  frame: RefObject<HTMLElement | null>,
): ZoomControl["pointers"] {
  const touch = (event: PointerEvent): Touch => ({
    id: event.pointerId,
    at: event.timeStamp,
    ...fromCentre(frame.current, event),
  });
  return {
    onPointerDown(event) {
      // What lies over the picture has a life of its own.
      if (event.button !== 0 || isControl(event.target)) return;
      frame.current?.setPointerCapture(event.pointerId);
      hand.down(touch(event));
    },
    onPointerMove: (event) => hand.move(touch(event)),
    onPointerUp: (event) => hand.up(touch(event)),
    onPointerCancel: (event) => hand.cancel(event.pointerId),
  };
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("button, a, video") !== null;

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
