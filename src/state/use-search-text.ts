/** The search text: at once in the box, and soon after in the address (`/?q=`), so that Back, reload and links bring it along. */
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";

const PARAM = "q";
/** Browsers allow only so many changes of the address in a row. */
const SETTLE_MS = 250;

export interface SearchText {
  text: string;
  setText: (text: string) => void;
}

export function useSearchText(): SearchText {
  const [params, setParams] = useSearchParams();
  const inUrl = params.get(PARAM) ?? "";
  const [text, setTyped] = useState(inUrl);
  /** What this box wrote there itself must not come back and undo what was typed since. */
  const written = useRef(inUrl);
  // Outside: the address, which links and Back change too.
  useEffect(() => {
    if (inUrl === written.current) return;
    written.current = inUrl;
    setTyped(inUrl);
  }, [inUrl]);
  useEffect(() => {
    if (text.trim() === written.current.trim()) return;
    const write = () => {
      const next = text.trim() === "" ? "" : text;
      // The first letter is a step that Back takes back; the others are not.
      const replace = written.current !== "" || next === "";
      written.current = next;
      setParams(next === "" ? {} : { [PARAM]: next }, { replace });
    };
    const timer = setTimeout(write, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, setParams]);
  const setText = useCallback((next: string) => setTyped(next), []);
  return { text, setText };
}
