import { expect, test } from "vitest";
import type { AdminAppSettings } from "@/data/admin/admin-client";
import { auditQuery, NO_AUDIT_FILTER } from "@/features/admin/audit-log";
import {
  limitFault,
  settingsChange,
  startSettings,
  withSaved,
} from "@/features/admin/panel-settings";
import { isOverdue } from "@/features/admin/reports-tab";
import { barHeights } from "@/features/admin/stats-tab";

const HOUR = 3_600_000;

test("a report is late after a day, and only while it is open", () => {
  const now = 100 * HOUR;
  expect(isOverdue({ status: "open", createdAt: now - 24 * HOUR + 1 }, now)).toBe(false);
  expect(isOverdue({ status: "open", createdAt: now - 24 * HOUR }, now)).toBe(true);
  expect(isOverdue({ status: "resolved", createdAt: 0 }, now)).toBe(false);
});

test("bars share one scale; a day with little is still seen, one with nothing is not", () => {
  const [none, one, most] = barHeights([0, 1, 1_000]);
  expect(none).toBe(0);
  expect(one).toBeGreaterThan(1);
  expect(most).toBeGreaterThan(50);
  expect(barHeights([0, 0])).toEqual([0, 0]);
});

test("both days of the audit filter count whole", () => {
  const query = auditQuery({ ...NO_AUDIT_FILTER, from: "2026-11-20", to: "2026-11-21" });
  expect(query.from).toBe(new Date(2026, 10, 20).getTime());
  expect(query.to).toBe(new Date(2026, 10, 22).getTime());
  expect(auditQuery({ ...NO_AUDIT_FILTER, from: "yesterday" })).toEqual({});
});

const settings: AdminAppSettings = {
  productName: "",
  defaultLanguage: "",
  requireMutualFollow: false,
  requireVerified: false,
  adminCodes: true,
  mail: true,
  appUrl: "https://example.com",
  revision: 7,
  limits: [
    { name: "writesPerMinute", value: null, default: 600, min: 1 },
    { name: "uploadsPerHour", value: 20, default: 200, min: 0 },
  ],
};

test("only limits that differ from the built-in number are kept", () => {
  const form = startSettings(settings);
  expect(form.limits).toEqual({ writesPerMinute: "", uploadsPerHour: "20" });
  const limits = { writesPerMinute: " 600 ", uploadsPerHour: "30" };
  expect(settingsChange({ ...form, productName: " Blink ", limits }, settings)).toEqual({
    productName: "Blink",
    defaultLanguage: "",
    requireMutualFollow: false,
    requireVerified: false,
    adminCodes: true,
    limits: { uploadsPerHour: 30 },
    revision: 7,
  });
});

test("after a save the form says what was saved, and keeps what was typed meanwhile", () => {
  const sent = { ...startSettings(settings), productName: " Blink " };
  const saved = { ...settings, productName: "Blink", revision: 8 };
  expect(withSaved(sent, sent, saved)).toEqual(startSettings(saved));
  const limits = { ...sent.limits, uploadsPerHour: "30" };
  const switched = { requireMutualFollow: true, requireVerified: true, adminCodes: false };
  const typed = { productName: "Blinker", defaultLanguage: "de", ...switched, limits };
  expect(withSaved(typed, sent, saved)).toEqual(typed);
});

test.each([
  ["", false],
  ["1", false],
  ["0", true],
  ["-3", true],
  ["1.5", true],
  ["many", true],
])("a limit of '%s' is faulty: %s", (typed, faulty) => {
  expect(limitFault({ name: "writesPerMinute", value: null, default: 600, min: 1 }, typed)).toBe(
    faulty,
  );
});

test("sizes are typed in megabytes, and one in between is kept as long as it is not edited", () => {
  const MB = 1024 * 1024;
  const size = (name: string, value: number | null) => ({ name, value, default: 500 * MB, min: 0 });
  const limits = [size("storageBytes", 2.5 * MB), size("minFreeDiskBytes", null)];
  const now = { ...settings, limits };
  const form = startSettings(now);
  expect(form.limits).toEqual({ storageBytes: "3", minFreeDiskBytes: "" });
  expect(settingsChange(form, now).limits).toEqual({ storageBytes: 2.5 * MB });
  const typed = { ...form, limits: { storageBytes: "4", minFreeDiskBytes: "500" } };
  expect(settingsChange(typed, now).limits).toEqual({ storageBytes: 4 * MB });
});
