/** What a browser does on a page change and a single-page app must do itself: scroll and focus. Titles are the routes' own. */
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { onLeave } from "@/lib/on-leave";
import { placeBefore, writePlace } from "@/state/kept-place";
import { usePreferences } from "@/state/preferences";

/** Scroll positions by history entry. */
const positions = new Map<string, number>(placeBefore?.tops);
/** Addresses of the links that held the focus last, by history entry. */
const links = new Map<string, string>();

/** The link that led away from the page one comes back to, where it is there again. */
function linkOf(key: string): HTMLElement | null {
  const href = links.get(key);
  return href === undefined ? null : document.querySelector(`main a[href="${CSS.escape(href)}"]`);
}

/** After a reload the page grows as its rows come: it is tried again with each, until one moves oneself. */
const PATIENCE_MS = 10_000;
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Scrolls to `top` once the page is long enough. */
function scrollWhenLong(top: number): () => void {
  const tried = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - window.innerHeight < top) return;
    window.scrollTo(0, top);
    stop();
  });
  const timer = setTimeout(stop, PATIENCE_MS);
  function stop(): void {
    clearTimeout(timer);
    tried.disconnect();
    for (const move of MOVES) window.removeEventListener(move, stop);
  }
  for (const move of MOVES) window.addEventListener(move, stop, { passive: true });
  tried.observe(document.body);
  return stop;
}

/** A reload finds the place that it left. */
function useKeptPlace(key: string): void {
  const first = useRef(key);
  // Outside: the scroll position before this page was loaded again.
  useEffect(() => {
    const top = placeBefore?.tops.find(([entry]) => entry === first.current)?.[1] ?? 0;
    return top > 0 ? scrollWhenLong(top) : undefined;
  }, []);
  // Outside: the page, which may go at any time.
  useEffect(
    () =>
      onLeave(() => {
        const { filter, sort } = usePreferences.getState();
        writePlace({ filter, sort, tops: [...positions] }, sessionStorage);
      }),
    [],
  );
}

export function useRouteEffects(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const first = useRef(true);
  useKeptPlace(key);
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
