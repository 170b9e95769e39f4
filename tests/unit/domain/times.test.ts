import { expect, test } from "vitest";
import { parseInstant, relativeTime, secondsOf } from "@/domain/times";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [0, { kind: "now" }],
  [59 * MINUTE, { kind: "now" }],
  [-5 * MINUTE, { kind: "now" }],
  [HOUR, { kind: "hours", hours: 1 }],
  [2 * HOUR - 1, { kind: "hours", hours: 1 }],
  [24 * HOUR - 1, { kind: "hours", hours: 23 }],
  [24 * HOUR, { kind: "date", at: NOW - 24 * HOUR }],
  [400 * 24 * HOUR, { kind: "date", at: NOW - 400 * 24 * HOUR }],
])("something %i ms old is shown as %j", (age, shown) => {
  expect(relativeTime(NOW - age, NOW)).toEqual(shown);
});

test.each([
  ["2026-11-21 12:00:00.000Z", NOW],
  ["2026-11-21T12:00:00.000Z", NOW],
  [NOW, NOW],
  [NOW / 1000, NOW],
  ["", 0],
  ["soon", 0],
  [undefined, 0],
  [null, 0],
])("%j is read as the instant %i", (value, instant) => {
  expect(parseInstant(value)).toBe(instant);
});

test("seconds are whole and never ahead of their milliseconds", () => {
  expect([0, 999, 1_000, 1_795_000_000_999].map(secondsOf)).toEqual([0, 0, 1, 1_795_000_000]);
});
