/** Lets an element reach from where it begins to the lower edge of what is seen, above the phone's keyboard. */
import { type RefObject, useLayoutEffect } from "react";

export function useFillHeight(element: RefObject<HTMLElement | null>): void {
  // Outside: the visual viewport, which alone knows of the keyboard, and what stands above the element.
  useLayoutEffect(() => {
    const { visualViewport: viewport } = window;
    const fill = () => {
      const box = element.current;
      if (box === null) return;
      const seen = viewport?.height ?? window.innerHeight;
      const top = box.getBoundingClientRect().top + window.scrollY;
      box.style.height = `${Math.floor(seen - top)}px`;
      // Safari pushes the page up under the keyboard, for which there is room now.
      const typing = box.contains(document.activeElement) && seen < window.innerHeight;
      if (typing && window.scrollY > 0) window.scrollTo(0, 0);
    };
    fill();
    const above = new ResizeObserver(fill);
    above.observe(document.body);
    viewport?.addEventListener("resize", fill);
    window.addEventListener("resize", fill);
    return () => {
      above.disconnect();
      viewport?.removeEventListener("resize", fill);
      window.removeEventListener("resize", fill);
    };
  }, [element]);
}
