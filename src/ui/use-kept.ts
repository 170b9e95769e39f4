/** The last value that was there: a dialog that closes still shows what it was about. */
import { useRef } from "react";

export function useKept<T>(value: T | null): T | null {
  const last = useRef<T | null>(null);
  if (value !== null) last.current = value;
  return last.current;
}
