import { expect, test } from "vitest";
import { LANGUAGES } from "@/domain/languages";
import { t } from "@/i18n/catalogue";
import { clockText, dateText, dayText, durationText, numberText, whenText } from "@/i18n/formats";
import { plain } from "@/i18n/say";
import { startTexts } from "@/i18n/setup";

const HOUR = 3_600_000;
const at = (day: number, hour: number, minute = 0) =>
  new Date(2026, 10, day, hour, minute).getTime();

test.each(LANGUAGES)("hours and minutes have two digits each in %s", (language) => {
  expect(clockText(at(21, 9, 5), language)).toBe("09:05");
  expect(clockText(at(21, 23, 59), language)).toBe("23:59");
});

test.each([
  ["en", ["999", "1,234"]],
  ["en-GB", ["999", "1,234"]],
  ["de", ["999", "1.234"]],
])("numbers are written as %s writes them", (language, written) => {
  expect([999, 1_234].map((value) => numberText(value, language))).toEqual(written);
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
  expect(whenText(now - HOUR, now)).toEqual({ key: "time.hours", params: { count: 1 } });
  expect(whenText(now - 23.9 * HOUR, now)).toMatchObject({ params: { count: 23 } });
  expect(whenText(now - 48 * HOUR, now)).toEqual({
    key: "time.date",
    params: { month: 11, day: 19, year: "2026" },
  });
});

test.each([
  ["en", "1 hour ago", "2 hours ago"],
  ["en-GB", "1 hour ago", "2 hours ago"],
  ["de", "vor 1 Stunde", "vor 2 Stunden"],
] as const)("one hour is not two in %s", async (language, ...said) => {
  await startTexts(language);
  const now = Date.UTC(2026, 10, 21, 12);
  const texts = [1, 2].map((hours) => plain(t, whenText(now - hours * HOUR, now)));
  expect(texts).toEqual(said);
});

test.each(LANGUAGES)(
  "a date of every month in %s is as the browser writes it",
  async (language) => {
    await startTexts(language);
    const format = new Intl.DateTimeFormat(language, {
      year: "numeric",
      month: "short",
      day: "numeric",
    });
    for (let month = 0; month < 12; month++) {
      const at = new Date(2026, month, 3 * month + 1, 12).getTime();
      const text = dateText(at);
      expect(plain(t, text)).toBe(format.format(at));
    }
  },
);

test.each([
  [24, "0:24"],
  [83.6, "1:24"],
  [3723, "1:02:03"],
])("%d seconds read %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
