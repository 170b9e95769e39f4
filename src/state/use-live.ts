/** A live value of the client in React: plain, and `fallback` until there is one. */
import { useCallback, useSyncExternalStore } from "react";
import type { Live } from "@/data/shapes";

const nothing = (): void => {};

/** `live` must stay the same object between renders: make it in `useMemo`. */
export function useLive<T>(live: Live<T> | null, fallback: T): T {
  const subscribe = useCallback(
    (onChange: () => void) => (live === null ? nothing : live.subscribe(onChange)),
    [live],
  );
  return useSyncExternalStore(subscribe, () => (live === null ? fallback : live.getSnapshot()));
}
