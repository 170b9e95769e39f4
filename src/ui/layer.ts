/**
 * Gives the focus back when something laid over the page closes. Radix does so for its own triggers only, and the
 * dialogs here are opened from outside.
 */
import { type KeyboardEvent, type RefObject, useRef } from "react";

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

/**
 * Whose Escape it is. Radix gives the key to the layer that came last, and a toast is one: it would close, and the dialog or menu that the
 * person is in would stay. So a toast yields a key that was pressed in one of them, and that one takes it.
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

/** For a dialog's or menu's `onKeyDown`: closes it with a key that a toast has yielded, and nothing around it. */
export function closeOnYielded(event: KeyboardEvent, close: () => void): void {
  if (!yielded.delete(event.nativeEvent)) return;
  event.stopPropagation();
  close();
}
