/**
 * Gives the focus back when something laid over the page closes. Radix does so for its own triggers only, and the
 * dialogs here are opened from outside.
 */
import { type RefObject, useRef } from "react";

/** `fallback` is for an opener that is gone by then, such as an item of a menu that closed. */
export function useReturnFocus(fallback?: RefObject<HTMLElement | null>) {
  const opener = useRef<Element | null>(null);
  return {
    /** Before the focus moves into what opens. */
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: () => {
      const last = opener.current;
      const usable = last instanceof HTMLElement && last.isConnected && last !== document.body;
      (usable ? last : fallback?.current)?.focus();
    },
  };
}
