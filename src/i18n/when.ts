/** Relative times and dates as the specification shows them (§9). */
import { relativeTime } from "@/domain/times";
import type { Text } from "./keys";

/** Making one takes longer than drawing a card. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(language: string): Intl.DateTimeFormat {
  let format = formats.get(language);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, { year: "numeric", month: "short", day: "numeric" });
    formats.set(language, format);
  }
  return format;
}

/** "Nov 19, 2026". */
export const dateText = (at: number, language: string): string => formatFor(language).format(at);

export function whenText(at: number, now: number, language: string): Text {
  const when = relativeTime(at, now);
  switch (when.kind) {
    case "now":
      return { key: "time.now" };
    case "hours":
      return { key: "time.hours", params: { hours: when.hours } };
    case "date":
      return { raw: dateText(when.at, language) };
  }
}
