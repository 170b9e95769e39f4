/** The alerts and the dashboard of `deploy` speak of what the server says, and of all of it. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { must } from "@tests/integration/rules/stage";
import { startPocketBase } from "@tests/support/pocketbase";
import { readSamples, type Sample } from "@tests/support/prometheus";
import { panelQueries, readAlerts, readPanels } from "@tests/support/watching";
import { beforeAll, expect, test } from "vitest";

const TOKEN = "a-token-for-the-metrics-1";
/** Prometheus' own: what it scrapes, and where. */
const OWN_LABELS = ["instance", "job"];
let samples: Sample[];

beforeAll(async () => {
  const env = { METRICS_TOKEN: TOKEN, REPLICA_URL: "file:///not/looked/at" };
  const server = await startPocketBase({ env });
  const stream = `${server.dataDir}_stream`;
  mkdirSync(stream, { recursive: true });
  writeFileSync(path.join(stream, "sent"), String(Date.now() / 1000));
  must(await server.api("GET", "/api/sync?since=0"));
  // A request is counted a moment after its answer.
  do {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await server.api("GET", "/api/metrics", undefined, headers);
    samples = readSamples(must(answer).body);
  } while (!samples.some(({ name }) => name === "sync_pages_total"));
  await server.stop();
});

/** Each of our metrics in a query, with the labels that it is asked by. */
const asked = (query: string): { name: string; labels: string[] }[] =>
  [...query.matchAll(/augenblick_([a-z_]+)(?:\{([^}]*)\})?/g)].map(([, name = "", inner = ""]) => ({
    name,
    labels: [...inner.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label),
  }));

test("whatever an alert or a panel asks for is there, with these labels", () => {
  const queries = [...readAlerts().map(({ expr }) => expr), ...panelQueries()];
  const questions = queries.flatMap(asked);
  expect(questions.length).toBeGreaterThan(25);
  const has = ({ name, labels }: (typeof questions)[number]): boolean =>
    samples.some(
      (one) =>
        one.name === name &&
        labels.every((label) => [...OWN_LABELS, ...Object.keys(one.labels)].includes(label)),
    );
  expect(questions.filter((question) => !has(question))).toEqual([]);
  const grouped = queries.flatMap((query) =>
    [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/)),
  );
  const known = new Set([...OWN_LABELS, ...samples.flatMap(({ labels }) => Object.keys(labels))]);
  expect(grouped.filter((name) => !known.has(name))).toEqual([]);
});

test("the dashboard shows all that the server counts", () => {
  const shown = new Set(
    panelQueries()
      .flatMap(asked)
      .map(({ name }) => name),
  );
  const isShown = (name: string) =>
    shown.has(name) || shown.has(name.replace(/_(?:sum|count)$/, "_bucket"));
  expect([...new Set(samples.map(({ name }) => name))].filter((name) => !isShown(name))).toEqual(
    [],
  );
});

test("no panel lies on another, and each has a title", () => {
  const panels = readPanels();
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const taken = new Map<string, string>();
  for (const { title, gridPos } of panels) {
    expect(title).not.toBe("");
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect([title, taken.get(`${x} ${y}`)]).toEqual([title, undefined]);
        taken.set(`${x} ${y}`, title);
      }
  }
});

test("there are five alerts, and each says what to do", () => {
  const alerts = readAlerts();
  expect(alerts).toHaveLength(5);
  for (const one of alerts) {
    expect(one.for).toMatch(/^\d+m$/);
    expect(["critical", "warning"]).toContain(one.labels.severity);
    expect(one.annotations.summary).toContain("$labels.instance");
    expect(one.annotations.description.length).toBeGreaterThan(60);
  }
});
