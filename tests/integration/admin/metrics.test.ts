/** `GET /api/metrics`: who gets it, what it counts, and that nothing private is in it or in the log. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { conversationIdOf, must, type Stage, setStage } from "@tests/integration/rules/stage";
import { ownRoutes } from "@tests/support/api-document";
import { type PocketBase, type SignedIn, startPocketBase } from "@tests/support/pocketbase";
import { readSamples, type Sample, sumOf } from "@tests/support/prometheus";
import { listen } from "@tests/support/sse";
import { beginUpload } from "@tests/support/tus";
import { afterAll, beforeAll, expect, test } from "vitest";

const SETTINGS = "/api/collections/settings/records/app";
const TOKEN = "a-token-for-the-metrics-1";
let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { METRICS_TOKEN: TOKEN }, limits: { requestsPer10Sec: 100_000 } });
});
afterAll(() => stage?.server.stop());

const metrics = (headers: Record<string, string>, server: PocketBase = stage.server) =>
  server.api("GET", "/api/metrics", undefined, headers);
const scrape = async (): Promise<Sample[]> =>
  readSamples(must(await metrics({ authorization: `Bearer ${TOKEN}` })).body);
const get = (where: string, who?: SignedIn) =>
  stage.server.api("GET", where, undefined, who?.token);

/** What `work` adds to a metric. The log comes a moment after the answer. */
async function expectAdded(
  work: () => Promise<unknown>,
  added: [name: string, labels: Record<string, string>, n: number][],
): Promise<void> {
  const sums = async () => {
    const samples = await scrape();
    return added.map(([name, labels]) => sumOf(samples, name, labels));
  };
  const before = await sums();
  await work();
  const now = async () => (await sums()).map((sum, i) => sum - (before[i] ?? 0));
  await expect.poll(now).toEqual(added.map(([, , n]) => n));
}

test("whoever has not the token is refused, and without one there is no such route", async () => {
  const bearer = (token: string) => metrics({ authorization: `Bearer ${token}` });
  const refused = await Promise.all([
    metrics({}),
    metrics({ authorization: TOKEN }),
    bearer(`${TOKEN}2`),
    bearer(TOKEN.slice(0, -1)),
    bearer("x".repeat(5_000)),
    bearer(stage.superuser.token),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  expect(refused[0]?.body).toMatchObject({ code: "unauthenticated" });
  expect(refused[0]?.headers.get("www-authenticate")).toBe("Bearer");
  for (const token of [undefined, "short"]) {
    const env: Record<string, string> = token === undefined ? {} : { METRICS_TOKEN: token };
    const other = await startPocketBase({ env });
    const none = await metrics({ authorization: `Bearer ${token ?? ""}` }, other);
    const unknown = await other.api("GET", "/api/nothing-of-that-kind");
    await other.stop();
    expect([none.status, none.body]).toEqual([404, unknown.body]);
  }
});

test("requests are counted by route, method and status, with their times", async () => {
  const { ann, bob } = stage;
  const search = { route: "/api/search", method: "GET" };
  const records = { route: "/api/collections/likes/records", method: "POST" };
  const mediaId = await stage.media(ann);
  await expectAdded(async () => {
    must(await get("/api/search?q=harbour"));
    must(await get("/api/search?q=harbour", bob));
    expect((await get("/api/search?q=harbour&type=nothing")).status).toBe(400);
    const like = { id: `${mediaId}_${bob.id}`, mediaId, userId: bob.id };
    await stage.create("likes", like, bob);
    await get(`/view/${mediaId}`);
    await get("/user/somebody");
  }, [
    ["requests_total", { ...search, status: "200" }, 2],
    ["requests_total", { ...search, status: "400" }, 1],
    ["requests_total", records, 1],
    ["requests_total", { route: "/view/{id}" }, 1],
    ["requests_total", { route: "/user/{name}" }, 1],
    // What is refused has no time.
    ["request_duration_seconds_count", { route: "/api/search" }, 2],
    ["request_duration_seconds_bucket", { route: "/api/search", le: "+Inf" }, 2],
  ]);
  const samples = await scrape();
  const buckets = samples.filter(
    ({ name, labels }) =>
      name === "request_duration_seconds_bucket" && labels["route"] === "/api/search",
  );
  const values = buckets.map(({ value }) => value);
  expect(values).toHaveLength(12);
  expect(values).toEqual([...values].sort((a, b) => a - b));
  expect(sumOf(samples, "request_duration_seconds_sum", { route: "/api/search" })).toBeGreaterThan(
    0,
  );
});

test("pages of the feed and their bytes, writes, streams and open uploads", async () => {
  const { ann } = stage;
  let bytes = 0;
  const measure = async () => {
    const page = await fetch(`${stage.server.url}/api/sync?since=0`);
    bytes = (await page.arrayBuffer()).byteLength;
  };
  // Counted before the next one is sent, or it would be taken for it.
  await expectAdded(measure, [["sync_pages_total", {}, 1]]);
  expect(bytes).toBeGreaterThan(100);
  await expectAdded(
    () => get("/api/sync?since=0"),
    [
      ["sync_pages_total", {}, 1],
      ["sync_bytes_total", {}, bytes],
    ],
  );
  await expectAdded(
    () => stage.media(ann),
    [
      // The medium, and its owner's count.
      ["writes_total", {}, 2],
      ["rows", { kind: "photos" }, 1],
    ],
  );
  const listeners = [await listen(stage.server), await listen(stage.server)];
  expect(sumOf(await scrape(), "streams")).toBe(2);
  for (const one of listeners) one.close();
  await expect.poll(async () => sumOf(await scrape(), "streams")).toBe(0);
  await expectAdded(
    () => beginUpload(stage.server, ann.token, 12_345),
    [
      ["uploads_open", {}, 1],
      ["uploads_open_bytes", {}, 12_345],
    ],
  );
  await expectAdded(
    () =>
      stage.sql(
        "INSERT INTO _mails (kind, person, name, address, tries) VALUES ('verify', 'x', 'x', 'x', 1)",
      ),
    [["mails_waiting", { tried: "yes" }, 1]],
  );
  await stage.sql("DELETE FROM _mails");
  const samples = await scrape();
  for (const name of ["disk_free_bytes", "disk_used_bytes", "database_bytes"])
    expect([name, sumOf(samples, name)]).toEqual([name, expect.any(Number)]);
  expect(sumOf(samples, "disk_free_bytes")).toBeGreaterThan(1_000_000);
  expect(sumOf(samples, "database_bytes", { file: "data.db" })).toBeGreaterThan(100_000);
  // Nothing is streamed away.
  expect(samples.some(({ name }) => name === "replica_lag_seconds")).toBe(false);
});

test("every route of ours has a label of its own", async () => {
  const routes = ownRoutes().filter((route) => !/ \/api\/admin\//.test(route));
  const [asked, labels] = [new Set<string>(), new Set<string>()];
  for (const route of routes) {
    const [method = "", template = ""] = route.split(" ");
    if (template === "/api/metrics") continue;
    await stage.server.api(method, template.replace(/\{\w+\}/g, "x1"));
    asked.add(template.replace(/\{\w+\}/g, "{}"));
  }
  await expect
    .poll(async () => {
      for (const { name, labels: found } of await scrape())
        if (name === "requests_total") labels.add((found["route"] ?? "").replace(/\{\w+\}/g, "{}"));
      return [...asked].filter((one) => !labels.has(one));
    })
    .toEqual([]);
  expect(asked.size).toBeGreaterThan(25);
});

test("a thousand paths that somebody made up make no thousand labels", async () => {
  const before = await scrape();
  const made = (i: number): string =>
    [
      `/api/made-up-${i}`,
      `/api/collections/made-up-${i}/records`,
      `/api/files/made-up-${i}/a/b`,
      `/made/up/${i}`,
      `/api/collections/media/records/${i}/made/up`,
      `/user/made%22%0Aup-${i}`,
      `/_/made-up-${i}`,
      `/view/made-up-${i}?${"x".repeat(i)}`,
      `/${"made-up/".repeat(1 + (i % 300))}`,
      `/api/uploads/made-up-${i}`,
    ][i % 10] ?? "/";
  const methods = ["GET", "POST", "BREW", `MADE-UP-${"X".repeat(60)}`];
  for (let i = 0; i < 1000; i += 20) {
    const some = Array.from({ length: 20 }, (_, j) => i + j);
    await Promise.all(
      some.map((n) => stage.server.api(methods[Math.floor(n / 10) % 4] ?? "GET", made(n))),
    );
  }
  const total = (samples: Sample[]) => sumOf(samples, "requests_total");
  await expect.poll(async () => total(await scrape()) - total(before)).toBeGreaterThanOrEqual(1000);
  const after = await scrape();
  const text = JSON.stringify(after);
  expect(text).not.toMatch(/made|BREW/i);
  expect(sumOf(after, "requests_total", { method: "other" })).toBeGreaterThanOrEqual(400);
  const series = (samples: Sample[]) =>
    samples.filter(({ name }) => name === "requests_total").length;
  expect(series(after) - series(before)).toBeLessThan(100);
});

/** Every byte of the log's database. */
const logBytes = (): string =>
  readdirSync(stage.server.dataDir)
    .filter((name) => name.startsWith("auxiliary.db"))
    .map((name) => readFileSync(path.join(stage.server.dataDir, name), "latin1"))
    .join("");

test("what is refused as too many is counted, and fills no log", async () => {
  const { server, superuser } = stage;
  const { limits } = must(await stage.server.api("GET", SETTINGS)).body;
  const setLimits = async (row: object) =>
    must(await server.api("PATCH", SETTINGS, { limits: row }, superuser.token));
  await setLimits({ ...limits, searchesPer10Sec: 1 });
  const search = { route: "/api/search", method: "GET" };
  let refused = 0;
  const before = await scrape();
  for (let i = 0; i < 50; i += 1) {
    const { status } = await get(`/api/search?q=harbour${i}`);
    if (status === 429) refused += 1;
  }
  await setLimits(limits);
  expect(refused).toBeGreaterThan(40);
  const counted = async (status: string) => {
    const of = { ...search, status };
    return sumOf(await scrape(), "requests_total", of) - sumOf(before, "requests_total", of);
  };
  await expect.poll(() => counted("429")).toBe(refused);
  expect(await counted("200")).toBe(50 - refused);
  const rowsOf = async (status: number) => {
    const filter = encodeURIComponent(`data.status=${status} && data.url="/api/search"`);
    return must(await server.api("GET", `/api/logs?filter=${filter}`, undefined, superuser.token))
      .body.totalItems;
  };
  expect(await rowsOf(200)).toBeGreaterThan(0);
  expect(await rowsOf(429)).toBe(0);
});

test("no text, token or address is in the metrics, nor on the disk of the log", async () => {
  const { ann, bob } = stage;
  const secrets = {
    search: "geheimwort",
    comment: "wortgeheim",
    page: "seitengeheim",
    password: "Geheimkuchen-77",
  };
  must(await get(`/api/search?q=${secrets.search}`, ann));
  await get(`/api/search?q=${secrets.search.repeat(200)}`, ann);
  const mediaId = await stage.media(bob);
  const comment = { mediaId, userId: ann.id, username: "x", text: secrets.comment };
  await stage.create("comments", { id: "comment12345678", ...comment }, ann);
  await stage.create("comments", { ...comment, text: secrets.comment.repeat(900) }, ann);
  const identity = { identity: ann.email, password: secrets.password };
  await stage.server.api("POST", "/api/collections/users/auth-with-password", identity);
  const files = must(await stage.server.api("POST", "/api/files/token", {}, ann.token)).body.token;
  await get(`/api/files/messages/${conversationIdOf(ann, bob)}/a.jpg?token=${files}`);
  await stage.server.api("GET", "/", undefined, {
    referer: `${stage.server.url}/x?${secrets.page}`,
    "x-real-ip": "203.0.113.77",
    "x-forwarded-for": "203.0.113.77",
  });
  const files401 = { route: "/api/files/messages/{id}/{file}" };
  await expect
    .poll(async () => sumOf(await scrape(), "requests_total", files401))
    .toBeGreaterThan(0);
  await expect.poll(() => logBytes().includes("/api/files/messages/")).toBe(true);
  const answer = must(await metrics({ authorization: `Bearer ${TOKEN}` })).body;
  const hidden = [
    ...Object.values(secrets),
    ann.email,
    ann.token,
    files,
    TOKEN,
    "203.0.113.77",
    "127.0.0.1",
  ];
  for (const place of [answer, logBytes()])
    expect(hidden.filter((word) => place.includes(word))).toEqual([]);
});

test("counts go on after a kill, and the start says so", async () => {
  const search = { route: "/api/search" };
  const before = await scrape();
  await stage.server.kill();
  await stage.server.restart();
  const after = await scrape();
  expect(sumOf(after, "requests_total", search)).toBe(sumOf(before, "requests_total", search));
  expect(sumOf(after, "requests_total", search)).toBeGreaterThan(0);
  expect(sumOf(after, "start_time_seconds")).toBeGreaterThan(sumOf(before, "start_time_seconds"));
});
