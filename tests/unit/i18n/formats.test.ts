import i18next from "i18next";
import { expect, test } from "vitest";
import { clockText, dateText, dayText, durationText, whenText } from "@/i18n/formats";
import { plain } from "@/i18n/say";
import { startTexts } from "@/i18n/setup";

const HOUR = 3_600_000;
const at = (day: number, hour: number, minute = 0) =>
  new Date(2026, 10, day, hour, minute).getTime();

test("hours and minutes are German, with two digits each", () => {
  expect(clockText(at(21, 9, 5))).toBe("09:05");
  expect(clockText(at(21, 23, 59))).toBe("23:59");
});

test("a day is called today, yesterday, or by its date", () => {
  const now = at(21, 0, 30);
  expect(dayText(at(21, 0, 1), now)).toEqual({ key: "chat.today" });
  expect(dayText(at(20, 23, 59), now)).toEqual({ key: "chat.yesterday" });
  expect(dayText(at(19, 23, 59), now)).toMatchObject({ key: "time.date" });
});

test("times are told as the specification tells them", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  expect(whenText(now - HOUR + 1, now)).toEqual({ key: "time.now" });
  expect(whenText(now - HOUR, now)).toEqual({ key: "time.hours", params: { hours: 1 } });
  expect(whenText(now - 23.9 * HOUR, now)).toMatchObject({ params: { hours: 23 } });
  expect(whenText(now - 48 * HOUR, now)).toEqual({
    key: "time.date",
    params: { month: 11, day: 19, year: 2026 },
  });
});

test("a date of every month is written as the browser would write it", () => {
  startTexts("en");
  const format = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric" });
  for (let month = 0; month < 12; month++) {
    const at = new Date(2026, month, 3 * month + 1, 12).getTime();
    const text = dateText(at);
    expect(plain(i18next.t, text)).toBe(format.format(at));
  }
});

test.each([
  [24, "0:24"],
  [83.6, "1:24"],
  [3723, "1:02:03"],
])("%d seconds read %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
