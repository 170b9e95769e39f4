/** What a browser does on a page change and a single-page app must do itself: scroll and focus. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { type Location, useLocation, useNavigationType } from "react-router-dom";
import { paths } from "@/domain/paths";
import { onLeave } from "@/lib/on-leave";
import { onMove } from "@/lib/on-move";
import { placeBefore, returnKey, writePlace } from "@/state/place";
import { usePreferences } from "@/state/preferences";
import { expectScroll, scrolledByCode } from "@/ui/use-visible";

const positions = new Map<string, number>(placeBefore?.tops);
/** The address of the link that had the focus last, by history entry. */
const links = new Map<string, string>();

function linkOf(key: string): HTMLElement | null {
  const href = links.get(key);
  return href === undefined ? null : document.querySelector(`main a[href="${CSS.escape(href)}"]`);
}

/** After a reload the page grows as rows load: the scroll is retried until the user moves. */
const PATIENCE_MS = 10_000;

function scrollTo(top: number): void {
  window.scrollTo(0, top);
  scrolledByCode();
}

/** Scrolls to `top` once the page is long enough, and calls `onEnd` then or on giving up. */
function scrollWhenLong(top: number, onEnd: () => void): () => void {
  const tried = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - window.innerHeight < top) return;
    scrollTo(top);
    stop();
  });
  const timer = setTimeout(stop, PATIENCE_MS);
  function stop(): void {
    clearTimeout(timer);
    tried.disconnect();
    forget();
    onEnd();
  }
  const forget = onMove(stop);
  tried.observe(document.body);
  return stop;
}

/** The card with the link is rendered some frames after the page. */
const FRAMES = 60;

/** Focuses the link by which the user left, unless the focus has moved in the meantime. */
function focusLink(key: string, place: { reached: boolean }): () => void {
  const main = document.activeElement;
  let left = FRAMES;
  const attempt = () => {
    if (document.activeElement !== main) return;
    const link = place.reached ? linkOf(key) : null;
    link?.focus({ preventScroll: true });
    if (link === null && left-- > 0) frame = requestAnimationFrame(attempt);
  };
  let frame = requestAnimationFrame(attempt);
  return () => cancelAnimationFrame(frame);
}

/** `keepTop`: of the page that is shown. The last scroll may not have been told yet. */
function useKeptPlace(keepTop: RefObject<() => void>): void {
  // Outside: the page, which can be unloaded at any time.
  useEffect(
    () =>
      onLeave(() => {
        keepTop.current();
        const { filter, sort } = usePreferences.getState();
        writePlace({ filter, sort, tops: [...positions] });
      }),
    [keepTop],
  );
}

/** Undefined where nobody has been. */
function topOf(location: Location, type: string): number | undefined {
  const top = positions.get(returnKey(location, type) ?? "");
  return type === "POP" ? top : (top ?? 0);
}

export function useRouteEffects(): void {
  const location = useLocation();
  const { key, pathname, search } = location;
  const type = useNavigationType();
  const first = useRef(true);
  const place = useRef({ reached: true });
  const keepTop = useRef(() => {});
  useKeptPlace(keepTop);
  const entered = useRef(key);
  // Before the page of this address is rendered.
  if (entered.current !== key) {
    keepTop.current();
    expectScroll(topOf(location, type) ?? null);
  }
  // Outside: the scroll position, which belongs to the history entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an entry keeps its state with its key.
  useLayoutEffect(() => {
    entered.current = key;
    expectScroll(null);
    const wanted = topOf(location, type);
    if (wanted !== undefined) scrollTo(wanted);
    const now = { reached: wanted === undefined || window.scrollY >= Math.floor(wanted) };
    const stop = now.reached
      ? () => undefined
      : scrollWhenLong(wanted ?? 0, () => {
          now.reached = true;
        });
    place.current = now;
    // A page that is still too short for the place must not replace it.
    const keep = () => {
      if (now.reached) positions.set(key, window.scrollY);
    };
    keepTop.current = keep;
    window.addEventListener("scroll", keep, { passive: true });
    return () => {
      window.removeEventListener("scroll", keep);
      stop();
    };
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
  // Outside: the focus. A screen reader starts at the top of the new page, or where Back left off.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what moves the focus.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    // The search box, which is asked for, has it already.
    if (pathname + search !== paths.search("")) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    return type === "POP" ? focusLink(key, place.current) : undefined;
  }, [pathname]);
}
