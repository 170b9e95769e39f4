/**
 * Where a grid stands in the page. The next one will most likely stand where the last one or its skeleton did: so its cards are
 * drawn together with it, in pieces between which the browser may do something else, and not in one go once it was measured.
 */
import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from "react";
import { beforePaint } from "@/ui/before-paint";

export interface Place {
  width: number;
  /** Distance from the beginning of the page. */
  top: number;
}

/** Of the last grid or skeleton, and how wide the window was. */
let last: { windowWidth: number; place: Place } | null = null;

function lookAt(element: Element): Place {
  const place = {
    width: element.clientWidth,
    top: element.getBoundingClientRect().top + window.scrollY,
  };
  last = { windowWidth: window.innerWidth, place };
  return place;
}

/** Where a grid will stand, as far as one can know: at the very start where index.html drew the first cards or boxes. */
function assume(): Place | null {
  const drawn = last === null ? document.getElementById("first-screen") : null;
  if (drawn !== null && drawn.clientWidth > 0) return lookAt(drawn);
  return last?.windowWidth === window.innerWidth ? last.place : null;
}

/** Null only before the very first paint of a grid without a skeleton before it. */
export function usePlace(grid: RefObject<Element | null>): Place | null {
  const [place, setPlace] = useState(assume);
  const [isAssumed] = useState(place !== null);
  const width = useRef(place?.width);
  // Outside: the layout. Before the first paint, so that the grid never shows up empty or in the wrong place.
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const measure = () => {
      const next = lookAt(element);
      const settle = () =>
        setPlace((now) => (now?.width === next.width && now.top === next.top ? now : next));
      // Of the cards that are drawn none moves with the top: it decides only which others are drawn.
      if (width.current === next.width) startTransition(settle);
      else settle();
      width.current = next.width;
    };
    if (!isAssumed) measure();
    const callOff = isAssumed ? beforePaint(measure) : undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      callOff?.();
      observer.disconnect();
    };
  }, [grid, isAssumed]);
  return place;
}

/** For what stands in a grid's place until there is one. */
export function useKeepPlace(skeleton: RefObject<Element | null>): void {
  // Outside: the layout.
  useLayoutEffect(() => {
    const element = skeleton.current;
    if (element === null) return;
    return beforePaint(() => void lookAt(element));
  }, [skeleton]);
}
