/**
 * Whose Escape it is. Radix gives the key to the layer that came last, and a toast is one: it would close, and the dialog or menu that the
 * person is in would stay. So a toast yields a key that was pressed in one of them, and that one takes it.
 */
import type { KeyboardEvent } from "react";

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
