/** Focus and Escape of what lies over the page: dialogs, menus, toasts. */
import { type FocusEvent, type KeyboardEvent, type RefObject, useRef } from "react";

/**
 * Keeps the focus in sight, and returns it on closing. Radix returns it for its own triggers only,
 * and the dialogs here are opened from outside. `fallback` is for an opener that is gone by then,
 * such as an item of a closed menu.
 */
export function useReturnFocus(fallback?: RefObject<HTMLElement | null>) {
  const opener = useRef<Element | null>(null);
  return {
    // Radix leads from the last stop to the first without scrolling there.
    onFocus: ({ target }: FocusEvent) => target.scrollIntoView({ block: "nearest" }),
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

/**
 * Who handles Escape. Radix gives the key to the newest layer, which can be a toast: it would
 * close, and the dialog or menu with the focus would stay. So a toast passes on a key that was
 * pressed in one of those, and the dialog or menu closes.
 */
const LAYERS = "[role=dialog], [role=alertdialog], [role=menu]";
const yielded = new WeakSet<Event>();

/** For a toast's `onEscapeKeyDown`. */
export function yieldToLayer(event: globalThis.KeyboardEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || !target.closest(LAYERS)) return;
  event.preventDefault();
  yielded.add(event);
}

/** For a dialog's or menu's `onKeyDown`: closes it, and nothing around it, on a passed-on key. */
export function closeOnYielded(event: KeyboardEvent, close: () => void): void {
  if (!yielded.delete(event.nativeEvent)) return;
  event.stopPropagation();
  close();
}
