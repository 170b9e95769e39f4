/** What a browser does on a page change and a single-page app must do itself: scroll and focus. Titles are the routes' own. */
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** Scroll positions by history entry, for as long as the page lives. */
const positions = new Map<string, number>();

export function useRouteEffects(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const first = useRef(true);
  // Outside: the scroll position, which belongs to the history entry.
  useLayoutEffect(() => {
    const wanted = type === "POP" ? positions.get(key) : 0;
    if (wanted !== undefined && !first.current) window.scrollTo(0, wanted);
    const keep = () => positions.set(key, window.scrollY);
    window.addEventListener("scroll", keep, { passive: true });
    return () => window.removeEventListener("scroll", keep);
  }, [key, type]);
  // Outside: the focus. A screen reader starts at the new page's beginning, not at the link that is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what moves the focus.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);
}
