/** What a browser does on a page change and a single-page app must do itself: scroll and focus. Titles are the routes' own. */
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** Scroll positions by history entry, for as long as the page lives. */
const positions = new Map<string, number>();
/** Addresses of the links that held the focus last, by history entry. */
const links = new Map<string, string>();

/** The link that led away from the page one comes back to, where it is there again. */
function linkOf(key: string): HTMLElement | null {
  const href = links.get(key);
  return href === undefined ? null : document.querySelector(`main a[href="${CSS.escape(href)}"]`);
}

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
  // Outside: the focus, which belongs to the history entry too.
  useEffect(() => {
    const keep = ({ target }: FocusEvent) => {
      const href = target instanceof HTMLAnchorElement ? target.getAttribute("href") : null;
      if (href !== null) links.set(key, href);
    };
    document.addEventListener("focusin", keep);
    return () => document.removeEventListener("focusin", keep);
  }, [key]);
  // Outside: the focus. A screen reader starts at the new page's beginning, or where Back left off.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what moves the focus.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    document.getElementById("main")?.focus({ preventScroll: true });
    if (type !== "POP") return;
    // What stands at the place one scrolled to is drawn with the next frame.
    const frame = requestAnimationFrame(() => linkOf(key)?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [pathname]);
}
