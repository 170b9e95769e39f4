/** What was typed, once the typing pauses: a word is asked for once, and not letter by letter. */
import { useEffect, useState } from "react";

/** After the last key, milliseconds. */
const PAUSE_MS = 250;

export function useLater(typed: string): string {
  const [settled, setSettled] = useState(typed);
  // Outside: the clock.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
