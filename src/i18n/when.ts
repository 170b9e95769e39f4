/**
 * Relative times and dates as the specification shows them (§9). Not by `Intl`: the first date that a page has it write costs more
 * than the drawing of thirty cards.
 */
import { relativeTime } from "@/domain/times";
import type { Text } from "./keys";

/** "Nov 19, 2026", in this device's time zone. `at` in milliseconds since 1970. */
export function dateText(at: number): Text {
  const date = new Date(at);
  const params = { month: date.getMonth() + 1, day: date.getDate(), year: date.getFullYear() };
  return { key: "time.date", params };
}

export function whenText(at: number, now: number): Text {
  const when = relativeTime(at, now);
  switch (when.kind) {
    case "now":
      return { key: "time.now" };
    case "hours":
      return { key: "time.hours", params: { hours: when.hours } };
    case "date":
      return dateText(when.at);
  }
}
