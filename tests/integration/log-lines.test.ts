/** `LOG_FORMAT=json`: a line of JSON for each request, with the id of its answer, and nobody's secrets. */
import { freePort, temporaryFolder } from "@tests/support/pocketbase";
import { type Started, startScript } from "@tests/support/start-script";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = { identity: "root@example.com", password: "super-secret-1" };
const METRICS_TOKEN = "a-token-for-the-metrics-1";
const SECRETS = {
  search: "geheimwort",
  password: "Geheimkuchen-77",
  email: "geheim@example.com",
  page: "seitengeheim",
};

let start: Started;
let url: string;
let token: string;
beforeAll(async () => {
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  start = startScript("start.mjs", [], {
    PORT: port,
    DATA_DIR: `${temporaryFolder()}/pb`,
    LOG_FORMAT: "json",
    METRICS_TOKEN,
    POCKETBASE_SUPERUSER_EMAIL: ROOT.identity,
    POCKETBASE_SUPERUSER_PASSWORD: ROOT.password,
  });
  await start.untilPrinted(/is running at/);
});
afterAll(async () => {
  start?.child.kill("SIGTERM");
  await start?.ended;
});

const ask = (method: string, where: string, more: RequestInit = {}) =>
  fetch(`${url}${where}`, { method, ...more });
const json = (body: object): RequestInit => ({
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

interface Line {
  time: string;
  request?: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
  message?: string;
}
const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
/** What came so far; the build prints as it likes. */
const out = (): Line[] => linesOf(start.printed().replace(/^[^{].*$/gm, ""));

test("each request is a line of standard output, and its answer names it", async () => {
  const signIn = "/api/collections/_superusers/auth-with-password";
  ({ token } = await (await ask("POST", signIn, json(ROOT))).json());
  const print = () => ask("POST", "/api/crons/printLines", { headers: { authorization: token } });
  const asked = [
    await ask("GET", `/api/search?q=${SECRETS.search}`),
    await ask("GET", "/api/sync?since=0"),
    await ask("GET", "/api/collections/media/records"),
    await ask("POST", "/api/account/delete", json({ password: SECRETS.password })),
  ];
  const wrong = { identity: SECRETS.email, password: SECRETS.password };
  await ask("POST", "/api/collections/users/auth-with-password", json(wrong));
  await ask("GET", `/api/files/media/x/y.jpg?token=${token}`, {
    headers: { referer: `${url}/?${SECRETS.page}`, "x-forwarded-for": "203.0.113.77" },
  });
  await ask("GET", `/user/${SECRETS.page}`);
  await ask("BREW", `/${SECRETS.page}/${SECRETS.email}`);
  const ids = asked.map(({ headers }) => headers.get("x-request-id") ?? "");
  expect(ids).toEqual(Array(4).fill(expect.stringMatching(/^\w{16}$/)));
  await expect
    .poll(async () => {
      // Several at once, as when the minute is full in this moment: none prints another's lines.
      await Promise.all([print(), print(), print(), print()]);
      const known = out().map(({ request }) => request);
      return ids.filter((id) => !known.includes(id));
    })
    .toEqual([]);
  const found = ids.map((id) => out().filter(({ request }) => request === id));
  expect(found.map((some) => some.map(({ route, status }) => [route, status]))).toEqual([
    [["/api/search", 200]],
    [["/api/sync", 200]],
    [["/api/collections/media/records", 200]],
    [["/api/account/delete", 401]],
  ]);
  const [first] = found[0] ?? [];
  expect(first).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    request: ids[0],
    method: "GET",
    route: "/api/search",
    status: 200,
    ms: expect.any(Number),
  });
  const other = out().find(({ method }) => method === "other");
  expect(other).toMatchObject({ route: "/{other...}" });
  expect(out().find(({ message }) => message?.includes("is running at"))).toBeDefined();
});

test("standard output is JSON alone, and nothing printed is a text, a token or an address", async () => {
  start.child.kill("SIGTERM");
  const { out: text, err } = await start.ended;
  expect(linesOf(text).filter(({ request }) => request).length).toBeGreaterThan(8);
  const hidden = [...Object.values(SECRETS), ...Object.values(ROOT), token, METRICS_TOKEN];
  expect([...hidden, "203.0.113.77"].filter((word) => (text + err).includes(word))).toEqual([]);
});

test.each([
  [{ LOG_FORMAT: "xml" }, "LOG_FORMAT"],
  [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN"],
  [{ METRICS_TOKEN: "with a space in between" }, "METRICS_TOKEN"],
])("%o is refused before anything is started", async (env, name) => {
  const { code, err } = await startScript("start.mjs", [], env).ended;
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`^${name} [^\n]+\n$`));
  expect(err).not.toContain("short");
});
