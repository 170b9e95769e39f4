/**
 * What the browser makes at its first use and keeps, some of it longer in the making than ten cards are in the drawing: made while
 * the page waits for its data.
 */
import { dateText } from "@/i18n/when";
import { whenIdle } from "@/lib/idle";

export function warmUp(language: string): void {
  // The order of names, in which the replica opens its collections.
  whenIdle(() => void "a".localeCompare("b"));
  whenIdle(() => void dateText(0, language));
}
