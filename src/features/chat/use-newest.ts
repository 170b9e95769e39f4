/** Whether the newest message is out of sight, and whether something came since. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { MessageView } from "@/data/shapes";

/** Scrolled up by more than this, pixels. */
const AWAY_PX = 160;

export interface Newest {
  isAway: boolean;
  /** The other wrote while one was reading further up. */
  fresh: boolean;
  goThere: () => void;
}

export function useNewest(
  scroller: RefObject<HTMLElement | null>,
  items: readonly MessageView[],
  scrollToEnd: () => void,
): Newest {
  const [isAway, setAway] = useState(false);
  const last = items.at(-1);
  const lastId = last?.id ?? "";
  const seen = useRef(lastId);
  const scroll = useRef(scrollToEnd);
  scroll.current = scrollToEnd;
  if (!isAway) seen.current = lastId;
  // Outside: the scroll position.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const look = () => setAway(box.scrollHeight - box.scrollTop - box.clientHeight > AWAY_PX);
    box.addEventListener("scroll", look, { passive: true });
    return () => box.removeEventListener("scroll", look);
  }, [scroller]);
  useStayAtEnd(scroller, scroll);
  const mine = last?.mine === true && last.pending !== null ? lastId : "";
  const before = useRef(mine);
  // Outside: the scroll position. Who writes wants to see it, wherever they were.
  useEffect(() => {
    if (mine !== "" && mine !== before.current) scroll.current();
    before.current = mine;
  }, [mine]);
  const goThere = useCallback(() => scroll.current(), []);
  return { isAway, fresh: isAway && seen.current !== lastId && last?.mine === false, goThere };
}

/** Who was at the end stays there when the window turns or the phone's keyboard comes. */
function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  scrollToEnd: RefObject<() => void>,
): void {
  // Outside: the layout.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    let wasAtEnd = true;
    const look = () => {
      wasAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < AWAY_PX;
    };
    let size = `${box.clientWidth} ${box.clientHeight}`;
    const turn = new ResizeObserver(() => {
      const now = `${box.clientWidth} ${box.clientHeight}`;
      if (now !== size && wasAtEnd) scrollToEnd.current();
      size = now;
    });
    box.addEventListener("scroll", look, { passive: true });
    turn.observe(box);
    return () => {
      turn.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [scroller, scrollToEnd]);
}
