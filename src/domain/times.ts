/** Times as the specification shows them (§9), by default in milliseconds since 1970. */
const HOUR = 3_600_000;

export type RelativeTime =
  | { kind: "now" }
  | { kind: "hours"; hours: number }
  | { kind: "date"; at: number };

/** Under an hour: now; under a day: whole hours, rounded down; otherwise the date. */
export function relativeTime(at: number, now: number): RelativeTime {
  const age = now - at;
  if (age < HOUR) return { kind: "now" };
  if (age < 24 * HOUR) return { kind: "hours", hours: Math.floor(age / HOUR) };
  return { kind: "date", at };
}

export const secondsOf = (ms: number): number => Math.floor(ms / 1000);

/** Reads PocketBase's "2026-11-21 07:38:00.000Z", and seconds, ms or ISO text of older records. */
export function parseInstant(value: unknown): number {
  if (typeof value === "number") return value < 1e11 ? value * 1000 : value;
  if (typeof value !== "string" || value === "") return 0;
  const ms = Date.parse(value.replace(" ", "T"));
  return Number.isNaN(ms) ? 0 : ms;
}
