/** For what can only be seen in the page itself, and must be right before it is. */
import { flushSync } from "react-dom";

/**
 * Runs `look` before the browser paints what was just drawn, and draws at once what it changes. Looking from a layout effect would
 * make the browser lay the page out within the task that drew it. Gives what calls it off.
 */
export function beforePaint(look: () => void): () => void {
  const frame = requestAnimationFrame(() => flushSync(look));
  return () => cancelAnimationFrame(frame);
}
