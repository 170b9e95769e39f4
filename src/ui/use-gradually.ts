/** Draws what is new of a list over several frames, so that none of them is long. */
import { startTransition, useEffect, useLayoutEffect, useReducer, useRef } from "react";

/** Of `ids`, in their order: all that were drawn before, and of the others no more than `most` with each frame. */
export function useGradually(ids: readonly string[], most: number): ReadonlySet<string> {
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
