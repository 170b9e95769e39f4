/** The keys of the detail page: arrows step or pan; on the picture also + - 0 and F. */
import { type RefObject, useEffect, useRef } from "react";
import { pageDirection } from "@/lib/page-direction";
import { KEY_FACTOR, type ZoomControl } from "./use-zoom";

interface StageKeys {
  frame: RefObject<HTMLElement | null>;
  zoom: ZoomControl;
  step: (to: "next" | "previous") => void;
  screen: { full: boolean; toggle: () => void; exit: () => void };
}

const PAN_PX = 80;
const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: PAN_PX, y: 0 },
  ArrowRight: { x: -PAN_PX, y: 0 },
  ArrowUp: { x: 0, y: PAN_PX },
  ArrowDown: { x: 0, y: -PAN_PX },
};

const OWN_KEYS =
  "input, textarea, select, video, [contenteditable], [role=menu], [role=dialog], [role=alertdialog]";

export function useStageKeys(keys: StageKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Outside: the keyboard. On the whole page, so that stepping works right after it opens.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(OWN_KEYS) !== null) return;
      if (answer(latest.current, event.key)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function answer(keys: StageKeys, key: string): boolean {
  if (key in ARROWS) return arrow(keys, key);
  if (key === "Escape") return leave(keys);
  // Single letters act on the picture alone (WCAG 2.1.4).
  const on = keys.screen.full || keys.frame.current === document.activeElement;
  return on && letter(keys, key);
}

/** The arrows point to what they bring, also where lines run from right to left. */
function arrow({ zoom, step }: StageKeys, key: string): boolean {
  const way = ARROWS[key];
  if (zoom.scale > 1 && way !== undefined) {
    zoom.pan(way);
    return true;
  }
  const isMirrored = pageDirection() === "rtl";
  if (key === "ArrowLeft") step(isMirrored ? "next" : "previous");
  if (key === "ArrowRight") step(isMirrored ? "previous" : "next");
  return key === "ArrowLeft" || key === "ArrowRight";
}

function leave({ zoom, screen }: StageKeys): boolean {
  if (zoom.scale > 1) zoom.reset();
  else if (screen.full) screen.exit();
  else return false;
  return true;
}

function letter({ zoom, screen }: StageKeys, key: string): boolean {
  if (key === "+" || key === "=") zoom.by(KEY_FACTOR);
  else if (key === "-") zoom.by(1 / KEY_FACTOR);
  else if (key === "0") zoom.reset();
  else if (key === "f" || key === "F") screen.toggle();
  else return false;
  return true;
}
