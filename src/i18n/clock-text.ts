/** Hour and minute of a message, German and with two digits each (specification §9), and the day it stands under. */

import type { Text } from "./keys";
import { dateText } from "./when";

const CLOCK = new Intl.DateTimeFormat("de-DE", { hour: "2-digit", minute: "2-digit" });

/** `at` in milliseconds since 1970: "09:05". */
export const clockText = (at: number): string => CLOCK.format(at);

/** Local midnight before `at`. */
export const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

export function dayText(at: number, now: number): Text {
  const day = dayOf(at);
  const today = dayOf(now);
  if (day === today) return { key: "chat.today" };
  return day === dayOf(today - 1) ? { key: "chat.yesterday" } : dateText(at);
}
