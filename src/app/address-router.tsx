/** The browser's address as React Router's place: as its own BrowserRouter, but for `carrier`. */
import { type ReactNode, startTransition, useLayoutEffect, useRef, useState } from "react";
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Location,
  type NavigationType,
  Router,
} from "react-router-dom";

export interface Going {
  action: NavigationType;
  location: Location;
}

/**
 * Whoever animates the way from one page to the next: it answers true where it calls `show` itself,
 * which draws the page that the address names by then, in pieces, and resolves once it stands.
 */
export const carrier: { carry: ((to: Going, show: () => Promise<void>) => boolean) | null } = {
  carry: null,
};

const history = createBrowserHistory({ v5Compat: true });
const now = (): Going => ({ action: history.action as NavigationType, location: history.location });

let drawn = history.location.pathname;

/** The path whose page stands in the window; the address is ahead of it while the next is drawn. */
export const drawnPath = (): string => drawn;

export function AddressRouter({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(now);
  const [first] = useState(place);
  const stands = useRef<() => void>(undefined);
  // Outside: whoever waits for the page.
  useLayoutEffect(() => {
    drawn = place.location.pathname;
    stands.current?.();
  }, [place]);
  // Outside: the address.
  useLayoutEffect(() => {
    // In pieces: a long page holds back no tap. Within a route the old page stays meanwhile.
    const go = () => startTransition(() => setPlace(now()));
    const show = () =>
      new Promise<void>((resolve) => {
        stands.current?.();
        stands.current = resolve;
        go();
      });
    const stop = history.listen((to) => {
      if (carrier.carry?.(to as Going, show) !== true) go();
    });
    // Nobody heard of a way that was gone while the first page was drawn.
    if (history.createHref(history.location) !== history.createHref(first.location)) go();
    return stop;
  }, [first]);
  return (
    <Router location={place.location} navigationType={place.action} navigator={history}>
      {children}
    </Router>
  );
}
