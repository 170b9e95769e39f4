/** The time, fresh every minute, for "2 hours ago". Milliseconds since 1970. */
import { useSyncExternalStore } from "react";

const MINUTE = 60_000;

const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for a whole page of cards. */
function subscribe(onChange: () => void): () => void {
  if (watchers.size === 0) {
    timer = setInterval(() => {
      for (const watcher of [...watchers]) watcher();
    }, MINUTE);
  }
  watchers.add(onChange);
  return () => {
    watchers.delete(onChange);
    if (watchers.size === 0) clearInterval(timer);
  };
}
const thisMinute = (): number => Math.floor(Date.now() / MINUTE) * MINUTE;

export const useNow = (): number => useSyncExternalStore(subscribe, thisMinute);
