/** Dates and times (specification §9), durations, sizes, and the state of something queued. */
import type { PendingMark } from "@/data/shapes";
import { relativeTime } from "@/domain/times";
import type { Text } from "./keys";

/**
 * The catalogue's own form, which is that of `Intl` (a test compares): the first date that a page
 * formats with `Intl` costs more than drawing thirty cards. "Nov 19, 2026", in this device's time
 * zone. `at` in milliseconds since 1970.
 */
export function dateText(at: number): Text {
  const date = new Date(at);
  const [day, month] = [date.getDate(), date.getMonth() + 1];
  // A year is no quantity: as a number it would be written "2,026".
  return { key: "time.date", params: { month, day, year: String(date.getFullYear()) } };
}

export function whenText(at: number, now: number): Text {
  const when = relativeTime(at, now);
  switch (when.kind) {
    case "now":
      return { key: "time.now" };
    case "hours":
      return { key: "time.hours", params: { count: when.hours } };
    case "date":
      return dateText(when.at);
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The specification's texts have German times. */
const clockLanguage = (language: string): string => (language === "en" ? "de-DE" : language);

/** The mark of such a time. */
export const clockMark = (language: string): { lang?: "de" } =>
  language === "en" ? { lang: "de" } : {};

/** "09:05". The format is made at the first use, because the first screen shows none. */
export function clockText(at: number, language: string): string {
  const clock =
    clocks.get(language) ??
    new Intl.DateTimeFormat(clockLanguage(language), { hour: "2-digit", minute: "2-digit" });
  clocks.set(language, clock);
  return clock.format(at);
}

/** For a sentence that names a day and a time: "Nov 19, 2026" and "09:05". */
export const momentParams = (at: number, language: string) => ({
  date: new Date(at).toLocaleDateString(language, { dateStyle: "medium" }),
  time: clockText(at, language),
});

/** From here on languages group the digits, each in its own way. */
const GROUPED_FROM = 1_000;

/** "999", "1,234". `Intl` only where it makes a difference: see `dateText`. */
export const numberText = (value: number, language: string): string =>
  value < GROUPED_FROM && Number.isInteger(value)
    ? String(value)
    : new Intl.NumberFormat(language).format(value);

export const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

export function dayText(at: number, now: number): Text {
  const day = dayOf(at);
  const today = dayOf(now);
  if (day === today) return { key: "chat.today" };
  return day === dayOf(today - 1) ? { key: "chat.yesterday" } : dateText(at);
}

/** Seconds as "0:24" or "1:02:03". */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const UNITS = ["kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1_024;
/** From this value on, a size is shown without a decimal. */
const WHOLE_FROM = 100;

/** "0.4 kB", "2.4 MB", "1.2 GB". 1 MB is 1,048,576 bytes, as everywhere in the product. */
export function bytesText(bytes: number, language: string): string {
  let value = bytes / STEP;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit: UNITS[unit] ?? "kilobyte",
    maximumFractionDigits: value >= WHOLE_FROM ? 0 : 1,
  });
  return format.format(value);
}

export function pendingText(pending: Pick<PendingMark, "state" | "progress">): Text {
  switch (pending.state) {
    case "queued":
    case "waiting":
    case "paused":
      return { key: "media.waiting" };
    case "sending":
      return { key: "media.sending", params: { progress: Math.round(pending.progress) } };
    case "refused":
      return { key: "media.refused" };
    case "acked":
      return { key: "media.sent" };
  }
}
