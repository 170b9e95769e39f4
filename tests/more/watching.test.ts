/** `deploy/prometheus.yml`, its alerts and the dashboard's questions, with Debian's Prometheus. */
import { execFile, spawn } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { debianProgram } from "@tests/support/debian-programs";
import {
  endWithTests,
  freePort,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { ALERTS_FILE, panelQueries, readAlerts, readScrapeConfig } from "@tests/support/watching";
import { expect, test } from "vitest";
import { stringify } from "yaml";

const run = promisify(execFile);
const TOKEN = "a-token-for-the-metrics-1";

interface Case {
  alert: string;
  /** Series as promtool writes them, a value each minute. */
  fires: Record<string, string>;
  summary: string;
  /** The same where all is well. */
  rests: Record<string, string>;
}

const requests = (status: string) =>
  `augenblick_requests_total{instance="here",route="/",status="${status}"}`;
const bucket = (le: string, route = "/api/sync") =>
  `augenblick_request_duration_seconds_bucket{instance="here",route="${route}",le="${le}"}`;
const free = 'augenblick_disk_free_bytes{instance="here"}';
const used = 'augenblick_disk_used_bytes{instance="here"}';
const lag = 'augenblick_replica_lag_seconds{instance="here"}';
const up = 'up{instance="here",job="augenblick"}';
const CASES: Case[] = [
  {
    alert: "AugenblickDown",
    fires: { [up]: "1+0x30 0+0x30" },
    summary: "here does not answer",
    // One scrape that failed.
    rests: { [up]: "1+0x50 0 1+0x10" },
  },
  {
    alert: "AugenblickFailing",
    fires: { [requests("200")]: "0+98x60", [requests("500")]: "0+2x60" },
    summary: "here fails 2% of its requests",
    rests: {
      [requests("200")]: "0+999x60",
      [requests("500")]: "0+1x60",
      [requests("404")]: "0+99x60",
    },
  },
  {
    alert: "AugenblickSlow",
    fires: { [bucket("1")]: "0+90x60", [bucket("2")]: "0+100x60", [bucket("+Inf")]: "0+100x60" },
    summary: "here needs 1.5s for one answer in twenty",
    rests: {
      [bucket("0.05")]: "0+100x60",
      [bucket("+Inf")]: "0+100x60",
      // A stream lasts for hours, and an upload as long as its network needs.
      [bucket("10", "/api/realtime")]: "0+0x60",
      [bucket("+Inf", "/api/realtime")]: "0+900x60",
      [bucket("10", "/api/uploads/{id}")]: "0+0x60",
      [bucket("+Inf", "/api/uploads/{id}")]: "0+900x60",
    },
  },
  {
    alert: "AugenblickDiskFull",
    fires: { [free]: "9+0x60", [used]: "91+0x60" },
    summary: "The disk of here is nearly full, or will be within two days",
    rests: { [free]: "50+0x60", [used]: "50+0x60" },
  },
  {
    alert: "AugenblickDiskFull",
    // Half free, and full in eight hours.
    fires: { [free]: "5000-5x60", [used]: "5000+5x60" },
    summary: "The disk of here is nearly full, or will be within two days",
    // Full in a week.
    rests: { [free]: "50400-5x60", [used]: "1000+5x60" },
  },
  {
    alert: "AugenblickStreamBehind",
    fires: { [lag]: "90+0x60" },
    summary: "The streamed copy of here is 1m 30s behind",
    rests: { [lag]: "2+0x60" },
  },
];

test("Prometheus takes the alerts, and each fires when it should and at no other time", async () => {
  const { file, env } = await debianProgram("prometheus");
  const promtool = path.join(path.dirname(file), "promtool");
  const alerts = readAlerts();
  const tests = CASES.flatMap(({ alert, fires, rests, summary }) => {
    const rule = alerts.find((one) => one.alert === alert);
    const exp_annotations = { summary, description: rule?.annotations.description };
    const fired = { exp_labels: { ...rule?.labels, instance: "here" }, exp_annotations };
    const job = alert === "AugenblickDown" ? { job: "augenblick" } : {};
    const expected = [{ ...fired, exp_labels: { ...fired.exp_labels, ...job } }];
    return [
      { series: fires, exp_alerts: expected },
      { series: rests, exp_alerts: [] },
    ].map(({ series, exp_alerts }) => ({
      interval: "1m",
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: "59m", alertname: alert, exp_alerts }],
    }));
  });
  expect(new Set(CASES.map(({ alert }) => alert)).size).toBe(alerts.length);
  const judged = path.join(temporaryFolder(), "alerts.test.yml");
  writeFileSync(judged, stringify({ rule_files: [ALERTS_FILE], evaluation_interval: "1m", tests }));
  const { stdout } = await run(promtool, ["test", "rules", judged], { env });
  expect(stdout).toContain("SUCCESS");
}, 420_000);

test("it scrapes a place, and every panel of the dashboard has something to show", async () => {
  const { file, env } = await debianProgram("prometheus");
  const server = await startPocketBase({ env: { METRICS_TOKEN: TOKEN } });
  const folder = temporaryFolder();
  const token = path.join(folder, "token");
  writeFileSync(token, `${TOKEN}\n`);
  copyFileSync(ALERTS_FILE, path.join(folder, "alerts.yml"));
  const config = stringify({
    ...readScrapeConfig(),
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
  })
    .replace("scheme: https", "scheme: http")
    .replace("/etc/prometheus/augenblick-token", token)
    .replace("photos.example.com", new URL(server.url).host);
  writeFileSync(path.join(folder, "prometheus.yml"), config);
  const port = await freePort();
  const prometheus = endWithTests(
    spawn(
      file,
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { env, stdio: "ignore" },
    ),
  );
  const ask = async (where: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${where}`).catch(() => null);
    return answer === null ? null : ((await answer.json()) as { status: string; data: Answers });
  };
  const isEmpty = async (query: string): Promise<boolean> => {
    const answer = await ask(`query?query=${encodeURIComponent(query)}`);
    if (answer !== null && answer.status !== "success") throw new Error(JSON.stringify(answer));
    return (answer?.data.result ?? []).length === 0;
  };
  // No stream is set up here.
  const queries = panelQueries().filter((query) => !query.includes("replica_lag"));
  const empty = async () => {
    for (const where of ["/api/sync?since=0", "/"]) await fetch(`${server.url}${where}`);
    const answers = await Promise.all(queries.map(isEmpty));
    return queries.filter((_, i) => answers[i]);
  };
  await expect.poll(empty).toEqual([]);
  const rules = (await ask("rules"))?.data.groups?.[0]?.rules ?? [];
  expect(rules.map(({ health }) => health)).toEqual(Array(5).fill("ok"));
  prometheus.kill();
}, 420_000);

interface Answers {
  result?: unknown[];
  groups?: { rules: { health: string }[] }[];
}
