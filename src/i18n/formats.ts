/** Dates and times (specification §9), durations, sizes, and the state of something queued. */
import type { PendingMark } from "@/data/shapes";
import { relativeTime } from "@/domain/times";
import type { Text } from "./keys";

/**
 * Not by `Intl`: the first date that a page formats with it costs more than drawing thirty cards.
 * "Nov 19, 2026", in this device's time zone. `at` in milliseconds since 1970.
 */
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

let clock: Intl.DateTimeFormat | undefined;

/** "09:05". The format is made at the first use, because the first screen shows none. */
export function clockText(at: number): string {
  clock ??= new Intl.DateTimeFormat("de-DE", { hour: "2-digit", minute: "2-digit" });
  return clock.format(at);
}

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
