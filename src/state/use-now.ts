/** The time, fresh every minute, for "2 hours ago". Milliseconds since 1970. */
import { useSyncExternalStore } from "react";

const MINUTE = 60_000;

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE);
  return () => clearInterval(timer);
}
const thisMinute = (): number => Math.floor(Date.now() / MINUTE) * MINUTE;

export const useNow = (): number => useSyncExternalStore(subscribe, thisMinute);
