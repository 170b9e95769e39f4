/**
 * Whose Escape it is. Radix gives the key to the layer that came last, and a toast is one: it would close, and the dialog that the person
 * is in would stay. So a toast yields a key that was pressed in a dialog, and the dialog takes it.
 */
import type { KeyboardEvent } from "react";

const yielded = new WeakSet<Event>();

/** For a toast's `onEscapeKeyDown`. */
export function yieldToDialog(event: globalThis.KeyboardEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || !target.closest("[role=dialog], [role=alertdialog]")) return;
  event.preventDefault();
  yielded.add(event);
}

/** For a dialog's `onKeyDown`: closes it with a key that a toast has yielded, and no dialog around it. */
export function closeOnYielded(event: KeyboardEvent, close: () => void): void {
  if (!yielded.delete(event.nativeEvent)) return;
  event.stopPropagation();
  close();
}
