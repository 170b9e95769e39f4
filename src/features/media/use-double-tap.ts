/** Two quick taps on a card's picture like it; a single one opens it, after the moment in which a second may come. */
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { currentUser } from "@/state/session";
import { useLike } from "@/state/use-like";

/** Between the two taps at most, milliseconds. */
const DOUBLE_MS = 260;

interface DoubleTap {
  /** How often it was liked so: each time is worth a heart. */
  liked: number;
  onClick: (event: MouseEvent) => void;
}

/** By touch alone, and for whoever may like: a mouse opens at once, and so does a visitor's finger. */
export function useDoubleTap(media: MediaView): DoubleTap {
  const navigate = useNavigate();
  const { like } = useLike(media);
  const [liked, setLiked] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Outside: the clock. What is gone is not opened.
  useEffect(() => () => clearTimeout(timer.current), []);
  const onClick = (event: MouseEvent) => {
    const { pointerType } = event.nativeEvent as PointerEvent;
    if (pointerType !== "touch" || currentUser() === null) return;
    event.preventDefault();
    if (timer.current === undefined) {
      timer.current = setTimeout(() => {
        timer.current = undefined;
        void navigate(paths.media(media));
      }, DOUBLE_MS);
      return;
    }
    clearTimeout(timer.current);
    timer.current = undefined;
    like();
    setLiked((count) => count + 1);
  };
  return { liked, onClick };
}
