/** One element over the whole screen. Where the browser has no full screen for elements (iPhones), over the whole page. */
import { type RefObject, useCallback, useEffect, useState } from "react";

export function useFullScreen(element: RefObject<HTMLElement | null>): {
  full: boolean;
  toggle: () => void;
  exit: () => void;
} {
  const [full, setFull] = useState(false);
  const exit = useCallback(() => {
    setFull(false);
    if (document.fullscreenElement !== null) void document.exitFullscreen();
  }, []);
  const toggle = useCallback(() => {
    if (full) {
      exit();
      return;
    }
    setFull(true);
    // Refused or missing: the page's own size is then the largest there is.
    void element.current?.requestFullscreen?.().catch(() => undefined);
  }, [full, exit, element]);
  // Outside: the browser's full screen, which a person leaves by the browser's own means.
  useEffect(() => {
    const onChange = () => document.fullscreenElement === null && setFull(false);
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, []);
  // Outside: the browser, when the page is left while it fills the screen.
  useEffect(
    () => () => {
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    },
    [],
  );
  return { full, toggle, exit };
}
