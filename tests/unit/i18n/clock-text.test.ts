import { expect, test } from "vitest";
import { clockText, dayText } from "@/i18n/clock-text";

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
