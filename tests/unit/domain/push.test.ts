import { outcomeOf, quietFor } from "@scripts/pusher.mjs";
import { describe, expect, test } from "vitest";
import { bitsOfKinds, isPushEndpoint, isQuietHours, kindsOfBits, PUSH_KINDS } from "@/domain/push";

test("kinds are stored as bits, and nothing else is a kind", () => {
  expect(bitsOfKinds(PUSH_KINDS)).toBe(15);
  expect(kindsOfBits(15)).toEqual(PUSH_KINDS);
  expect(bitsOfKinds(["likes", "likes"])).toBe(4);
  expect(kindsOfBits(4)).toEqual(["likes"]);
  expect(bitsOfKinds([])).toBe(0);
  expect(bitsOfKinds(["messages", "toString"])).toBeNull();
  expect(bitsOfKinds([1])).toBeNull();
});

test("a push goes to the services of browsers, and to those that the operator names", () => {
  const fine = [
    "https://fcm.googleapis.com/fcm/send/a:b-c_d",
    "https://updates.push.services.mozilla.com/wpush/v2/a",
    "https://web.push.apple.com/a",
    "https://wns2-par02p.notify.windows.com/w/?token=a%2fb",
  ];
  for (const endpoint of fine) expect([endpoint, isPushEndpoint(endpoint, [])]).toContain(true);
  const others = ["https://a.fcm.googleapis.com/b", "https://a.b.notify.windows.com/c"];
  for (const endpoint of others) expect([endpoint, isPushEndpoint(endpoint, [])]).toContain(false);
  const own = ["https://push.example.org:8443"];
  expect(isPushEndpoint("https://push.example.org:8443/a", own)).toBe(true);
  expect(isPushEndpoint("https://push.example.org:84433/a", own)).toBe(false);
  expect(isPushEndpoint("https://push.example.org:8443.evil.example/a", own)).toBe(false);
});

test("quiet hours have two different times and a zone", () => {
  const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" };
  for (const zone of ["UTC", "Etc/GMT+1", "America/Argentina/Buenos_Aires"])
    expect(isQuietHours({ ...quiet, zone })).toBe(true);
  for (const value of [null, "", [], {}, { ...quiet, from: 22 }, { ...quiet, zone: "../etc" }])
    expect([value, isQuietHours(value)]).toEqual([value, false]);
});

describe("how long it is still quiet", () => {
  const night = { from: "22:00", to: "07:00", zone: "Europe/Berlin" };
  test.each([
    ["2026-01-10T20:59:00Z", 0],
    ["2026-01-10T21:00:00Z", 9 * 3600],
    ["2026-01-11T05:59:00Z", 60],
    ["2026-01-11T06:00:00Z", 0],
    // In summer the clock there is another hour ahead.
    ["2026-07-10T20:00:00Z", 9 * 3600],
    ["2026-07-11T05:00:00Z", 0],
  ])("at %s: %i seconds", (at, seconds) => {
    expect(quietFor(night, new Date(at))).toBe(seconds);
  });

  test("by day, without any, and in a zone that nobody knows", () => {
    const noon = new Date("2026-01-10T12:30:00Z");
    const lunch = { from: "12:00", to: "13:00", zone: "UTC" };
    expect(quietFor(lunch, noon)).toBe(1800);
    expect(quietFor({ ...lunch, zone: "Nowhere/Land" }, noon)).toBe(1800);
    expect(quietFor(null, noon)).toBe(0);
  });
});

test("what a push service answers is sent, gone or tried later, ever later", () => {
  expect(outcomeOf(201, null, 0)).toEqual({ outcome: "sent", seconds: 0 });
  for (const status of [404, 410])
    expect(outcomeOf(status, null, 3)).toEqual({ outcome: "gone", seconds: 0 });
  for (const status of [302, 400, 403, 413, 429, 500, 503])
    expect(outcomeOf(status, null, 0)).toEqual({ outcome: "later", seconds: 15 });
  const pauses = [0, 1, 2, 3, 20].map((tries) => outcomeOf(500, null, tries).seconds);
  expect(pauses).toEqual([15, 30, 60, 120, 3600]);
  expect(outcomeOf(429, "600", 0).seconds).toBe(600);
  expect(outcomeOf(429, "999999", 0).seconds).toBe(12 * 3600);
  expect(outcomeOf(429, "Wed, 21 Oct 2026 07:28:00 GMT", 0).seconds).toBe(15);
});
