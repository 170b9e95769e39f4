/** What `GET /api/metrics` makes of the counted requests, and its text. */

import { readSamples, sumOf } from "@tests/support/prometheus";
import { expect, test } from "vitest";
import { BOUNDS, metricsText, ROUTES, type Traffic, trafficMetrics } from "@/domain/metrics";

const counted = (more: Partial<Traffic>): Traffic => ({
  route: "/api/sync",
  method: "GET",
  status: 200,
  n: 1,
  seconds: 0.03,
  bytes: 0,
  within: BOUNDS.map((bound) => (bound >= 0.03 ? 1 : 0)),
  ...more,
});

const read = (traffic: Traffic[]) => readSamples(metricsText(trafficMetrics(traffic)));

test("what was answered has a time, what was refused none, and faults of ours do", () => {
  const samples = read([
    counted({ n: 3, seconds: 0.5, within: BOUNDS.map(() => 3), bytes: 700 }),
    counted({ status: 401, n: 40, seconds: 9 }),
    counted({ status: 503, n: 2, seconds: 8, within: BOUNDS.map(() => 0) }),
  ]);
  expect(sumOf(samples, "requests_total")).toBe(45);
  expect(sumOf(samples, "requests_total", { status: "401" })).toBe(40);
  expect(sumOf(samples, "request_duration_seconds_count")).toBe(5);
  expect(sumOf(samples, "request_duration_seconds_sum")).toBe(8.5);
  expect(sumOf(samples, "request_duration_seconds_bucket", { le: "0.005" })).toBe(3);
  expect(sumOf(samples, "request_duration_seconds_bucket", { le: "+Inf" })).toBe(5);
  expect(sumOf(samples, "sync_pages_total")).toBe(3);
  expect(sumOf(samples, "sync_bytes_total")).toBe(700);
});

test("methods of one route have their times together", () => {
  const samples = read([counted({ method: "GET" }), counted({ method: "POST", n: 4 })]);
  expect(sumOf(samples, "request_duration_seconds_count", { route: "/api/sync" })).toBe(5);
  expect(sumOf(samples, "requests_total", { method: "POST" })).toBe(4);
});

test("a place that was never asked has figures, and no requests", () => {
  const samples = read([]);
  expect(samples.map(({ name }) => name)).toEqual(["sync_pages_total", "sync_bytes_total"]);
});

test("a label holds any text", () => {
  const route = 'a"b\\c\nd';
  const [sample] = read([counted({ route })]);
  expect(sample?.labels["route"]).toBe('a\\"b\\\\c\\nd');
});

test("no label has a sign that SQLite would read otherwise", () => {
  expect(new Set(ROUTES).size).toBe(ROUTES.length);
  expect(ROUTES.filter((route) => /['*?[\]]/.test(route))).toEqual([]);
});
