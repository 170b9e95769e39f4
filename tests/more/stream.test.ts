/**
 * The database is streamed away while a community lives in it; the machine burns; the community
 * goes on elsewhere. Files are in a bucket meanwhile.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { findLitestream, keepStreaming, readReplica } from "@scripts/replica.mjs";
import { createDevice } from "@tests/integration/client/device";
import { ready, sent } from "@tests/integration/client/live";
import { photo, signUp } from "@tests/integration/client/people";
import { freePort, startPocketBase, temporaryFolder } from "@tests/support/pocketbase";
import { REPLICA_BUCKET, type S3Store, startS3 } from "@tests/support/s3";
import { type Started, startScript } from "@tests/support/start-script";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT_PERSON = { identity: "root@example.com", password: "super-secret-1" };

let store: S3Store;
let port: string;
let place: string;
let start: Started;
/** A time after the first photo and before the second one. */
let quiet: number;
const REPLICA = `s3://${REPLICA_BUCKET}/community`;
const url = () => `http://127.0.0.1:${port}`;
const env = (dataDir: string) => ({
  ...store.env(),
  PORT: port,
  DATA_DIR: dataDir,
  POCKETBASE_SUPERUSER_EMAIL: ROOT_PERSON.identity,
  POCKETBASE_SUPERUSER_PASSWORD: ROOT_PERSON.password,
});

beforeAll(async () => {
  store = await startS3();
  port = String(await freePort());
  place = temporaryFolder();
}, 60_000);
afterAll(async () => {
  start?.child.kill("SIGTERM");
  await start?.ended;
  await store?.close();
});

async function run(dataDir: string, replica = REPLICA): Promise<void> {
  start = startScript("start.mjs", [], { ...env(dataDir), REPLICA_URL: replica });
  await start.untilPrinted(/is running at/);
}

const parentOf = (pid: string): number => {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/.*\) . /, "")
        .split(" ")[0],
    );
  } catch {
    // It has ended since.
    return 0;
  }
};

/** Processes that were started by this one, and those by them. */
function below(pid: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = all.filter((name) => parentOf(name) === pid).map(Number);
  return [...children, ...children.flatMap(below)];
}

const argumentsOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
const litestreams = () =>
  below(start.child.pid ?? 0).filter((pid) => argumentsOf(pid)[0]?.endsWith("litestream"));

async function post(where: string, body: unknown, token = "") {
  const answer = await fetch(`${url()}/api/${where}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: token },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const restore = (dataDir: string, ...more: string[]) =>
  startScript("restore.mjs", ["--from", REPLICA, ...more], env(dataDir)).ended;

async function commentsOf(mediaId: string): Promise<string[]> {
  const texts: string[] = [];
  for (let page = 1; ; page++) {
    const query = `filter=mediaId="${mediaId}"&perPage=200&sort=createdAt&page=${page}`;
    const { items } = await (
      await fetch(`${url()}/api/collections/comments/records?${query}`)
    ).json();
    texts.push(...items.map(({ text }: { text: string }) => text));
    if (items.length < 200) return texts;
  }
}

/** How many comments a restore would bring now. */
async function streamedComments(): Promise<number> {
  const drill = startScript("drill.mjs", [], { ...env("unused"), REPLICA_URL: REPLICA });
  return Number(/^comments +(\d+)$/m.exec((await drill.ended).out)?.[1] ?? -1);
}

test("a community whose machine burns goes on elsewhere, and its devices bring what the stream lacks", async () => {
  const home = path.join(place, "home");
  await run(home);
  const { token } = await post("collections/_superusers/auth-with-password", ROOT_PERSON);
  const limits = {
    writesPerMinute: 100_000,
    signupsPer10Min: 10_000,
    requestsPer10Sec: 100_000,
    writesPer10Sec: 100_000,
  };
  await fetch(`${url()}/api/collections/settings/records/app`, {
    method: "PATCH",
    headers: { "content-type": "application/json", authorization: token },
    body: JSON.stringify({ limits }),
  });

  // Nothing secret is where other users of the machine could read it.
  const [stream = 0] = litestreams();
  expect(argumentsOf(stream).join(" ")).not.toContain("S3RVER");
  expect(start.printed()).not.toContain("S3RVER");
  // It is started again when it dies.
  process.kill(stream, "SIGKILL");
  await start.untilPrinted(/Litestream ended by itself \(SIGKILL\)\. It is started again/);
  await expect.poll(litestreams, { timeout: 20_000 }).toHaveLength(1);

  const client = createDevice(url()).start();
  const me = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Before the fire"));
  const mediaId = queued.success ? queued.value.mediaId : "";
  await sent(client);

  // Somebody without a device that remembers writes all the time.
  const visitor = await post("collections/users/auth-with-password", {
    identity: me.email,
    password: me.password,
  });
  const answered: string[] = [];
  let isBurning = false;
  const writer = (async () => {
    for (let i = 0; !isBurning; i++) {
      const text = `comment ${i}`;
      const body = { mediaId, userId: me.id, text };
      await post("collections/comments/records", body, visitor.token)
        .then(() => answered.push(text))
        .catch(() => undefined);
    }
  })();
  await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(50);
  // What was answered by now is in the stream before anything happens. Only then the time is taken: the stream that was
  // started again may have begun after these answers, and a time before it belongs to the one that was killed.
  const streamed = [...answered];
  await expect.poll(streamedComments, { timeout: 60_000 }).toBeGreaterThanOrEqual(streamed.length);
  quiet = Date.now();
  // From here on nothing reaches the stream: what comes now only the server has, and the device.
  for (const pid of litestreams()) process.kill(pid, "SIGSTOP");
  await client.writes.uploadMedia(photo("During the fire"));
  await client.writes.addComment(mediaId, "Held by my device");
  await sent(client);

  for (const pid of [start.child.pid ?? 0, ...below(start.child.pid ?? 0)]) {
    process.kill(pid, "SIGKILL");
  }
  isBurning = true;
  await Promise.all([start.ended, writer]);

  const elsewhere = path.join(place, "elsewhere");
  const restored = await restore(elsewhere);
  expect([restored.code, restored.err]).toEqual([0, expect.stringMatching(/^Checked: 1 users/)]);
  await run(elsewhere);
  expect(await client.sync()).toMatchObject({ success: true });
  await sent(client);
  expect(await client.sync()).toMatchObject({ success: true });

  const there = await commentsOf(mediaId);
  expect(new Set(there).size).toBe(there.length);
  expect(there).toEqual(expect.arrayContaining(streamed));
  expect(there).toContain("Held by my device");
  const { items } = await (await fetch(`${url()}/api/collections/media/records`)).json();
  const captions = items.map(({ caption }: { caption: string }) => caption).sort();
  expect(captions).toEqual(["Before the fire", "During the fire"]);
  for (const { id, file } of items) {
    expect((await fetch(`${url()}/api/files/media/${id}/${file}`)).status).toBe(200);
  }
  const { items: shown } = await ready(client.reads.watchComments(mediaId, 30), (page) =>
    page.items.some(({ text }) => text === "Held by my device"),
  );
  expect(there).toEqual(expect.arrayContaining(shown.map(({ text }) => text)));
  await client.close();
}, 240_000);

const epoch = async (): Promise<string> =>
  (await (await fetch(`${url()}/api/sync?since=head`)).json()).epoch;

test("the stream ends with the server, and what is restored in its place begins a new history", async () => {
  const home = path.join(place, "elsewhere");
  const before = await epoch();
  const [stream = 0] = litestreams();
  start.child.kill("SIGTERM");
  expect((await start.ended).code).toBe(0);
  expect(existsSync(`/proc/${stream}`)).toBe(false);
  await run(home);
  expect(await epoch()).toBe(before);
  start.child.kill("SIGTERM");
  await start.ended;

  expect(await restore(home)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is not empty: move it away/),
  });
  // The mark of the last start stays beside it.
  rmSync(home, { recursive: true });
  expect((await restore(home)).code).toBe(0);
  await run(home);
  expect(await epoch()).not.toBe(before);
}, 120_000);

test("a drill says what a restore would bring, and changes nothing", async () => {
  const drill = startScript("drill.mjs", [], { ...env("unused"), REPLICA_URL: REPLICA });
  const { code, out } = await drill.ended;
  expect([code, out]).toEqual([0, expect.stringMatching(/^users +1$/m)]);
  expect(out).toMatch(/^newest row \d{4}-/m);
});

test("a folder of this machine takes the stream as well", async () => {
  const home = path.join(place, "elsewhere");
  const folder = String(pathToFileURL(path.join(place, "replica")));
  start.child.kill("SIGTERM");
  await start.ended;
  await run(home, folder);
  const again = path.join(place, "again");
  const take = async () => {
    const { err } = await startScript("restore.mjs", ["--from", folder], env(again)).ended;
    return err;
  };
  await expect.poll(take, { timeout: 30_000 }).toMatch(/^Checked: 1 users/);
  expect(existsSync(path.join(again, "data.db"))).toBe(true);
}, 120_000);

test("what the dashboard restored is streamed from then on", async () => {
  const folder = String(pathToFileURL(path.join(place, "restored-replica")));
  start.child.kill("SIGTERM");
  await start.ended;
  await run(path.join(place, "elsewhere"), folder);
  const { token } = await post("collections/_superusers/auth-with-password", ROOT_PERSON);
  const asRoot = (where: string, body = {}) =>
    fetch(`${url()}/api/${where}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: token },
      body: JSON.stringify(body),
    });
  const name = { name: "before.zip" };
  await expect
    .poll(async () => (await asRoot("backups", name)).status, { timeout: 60_000 })
    .toBe(204);
  // What is there when it is restored has many more pages than the backup.
  const query = `CREATE TABLE IF NOT EXISTS filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
    SELECT i + 1 FROM n WHERE i < 5000) SELECT i, hex(randomblob(200)) AS v FROM n`;
  const fill = () => asRoot("sql", { query }).then(({ status }) => status, String);
  await expect.poll(fill, { timeout: 60_000 }).toBe(200);
  const restarted = start.untilPrinted(/Other databases lie there now/);
  expect((await asRoot("backups/before.zip/restore")).status).toBe(204);
  await restarted;
  const isHealthy = () =>
    fetch(`${url()}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isHealthy, { timeout: 60_000 }).toBe(true);
  const client = createDevice(url()).start();
  await signUp(client);
  await client.close();
  const drill = async () => {
    const { out, err } = await startScript("drill.mjs", ["--from", folder], env("unused")).ended;
    return out + err;
  };
  await expect.poll(drill, { timeout: 60_000 }).toMatch(/^users +2$/m);
}, 180_000);

/** The first byte of such a page (SQLite's file format). */
const LEAF_OF_INDEX = 0x0a;

/** Empties the pages of all indexes. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  for (let page = pageSize; page < bytes.length; page += pageSize)
    if (bytes[page] === LEAF_OF_INDEX) bytes.fill(0, page, page + pageSize);
  writeFileSync(file, bytes);
}

test("a database of logs that is damaged is found, and nothing of it stays", async () => {
  const { dataDir: broken, stop } = await startPocketBase();
  await stop();
  damage(path.join(broken, "auxiliary.db"));
  const folder = String(pathToFileURL(path.join(place, "broken-replica")));
  const ending = new AbortController();
  const [replica, binary] = [readReplica(folder), await findLitestream()];
  const stream = keepStreaming({ replica, binary, dataDir: broken, signal: ending.signal });
  const parent = path.join(place, "alone");
  const take = async () => {
    const dataDir = path.join(parent, "pb_data");
    return (await startScript("restore.mjs", ["--from", folder], env(dataDir)).ended).err;
  };
  await expect.poll(take, { timeout: 60_000 }).toMatch(/^The database is damaged: /);
  expect(readdirSync(parent)).toEqual([]);
  const { code, err } = await startScript("drill.mjs", ["--from", folder], env("unused")).ended;
  expect([code, err]).toEqual([1, expect.stringMatching(/^The replica is damaged: /)]);
  ending.abort();
  await stream;
}, 120_000);

test("a stream that is ended while it begins does end", async () => {
  const replica = readReplica(String(pathToFileURL(path.join(place, "short-replica"))));
  const ending = new AbortController();
  const dataDir = path.join(place, "elsewhere");
  const binary = await findLitestream();
  const stream = keepStreaming({ replica, binary, dataDir, signal: ending.signal });
  ending.abort();
  await expect(stream).resolves.toBeUndefined();
}, 30_000);

test("what was started meanwhile is not replaced by a restore", async () => {
  const folder = String(pathToFileURL(path.join(place, "replica")));
  const parent = path.join(place, "meanwhile");
  const dataDir = path.join(parent, "pb_data");
  const binary = path.join(place, "slow-litestream");
  const start = 'mkdir -p "$DATA_DIR" && printf precious > "$DATA_DIR/data.db"';
  const script = `#!/bin/sh\n${start}\nexec "${await findLitestream()}" "$@"\n`;
  writeFileSync(binary, script, { mode: 0o755 });
  const vars = { ...env(dataDir), LITESTREAM_BIN: binary };
  const restoring = startScript("restore.mjs", ["--from", folder], vars);
  const { code, err } = await restoring.ended;
  expect([code, err]).toEqual([1, expect.stringMatching(/is not empty any more/)]);
  expect(readFileSync(path.join(dataDir, "data.db"), "utf8")).toBe("precious");
  expect(readdirSync(parent)).toEqual(["pb_data"]);
}, 60_000);

test("a restore to a time brings what stood then", async () => {
  const { items } = await (await fetch(`${url()}/api/collections/media/records`)).json();
  expect(items).toHaveLength(2);
  const then = path.join(place, "then");
  const { code, err } = await restore(then, "--at", new Date(quiet).toISOString());
  expect([code, err]).toEqual([0, expect.stringMatching(/1 users, 1 media/)]);
}, 60_000);

test.each<[string, string[], RegExp]>([
  ["an address of another kind", ["--from", "ftp://x/y"], /names no place for a replica/],
  ["a bucket without a path", ["--from", "s3://bucket"], /names no place for a replica/],
  ["a time that is none", ["--from", "file:///x", "--at", "yesterday"], /is no time such as/],
  ["no address", [], /^Say where from/],
  [
    "an empty folder",
    ["--from", "file:///nowhere/replica"],
    /data\.db could not be fetched from .*: no matching backups found/,
  ],
])("a restore from %s is refused, and makes no folder", async (_what, args, sentence) => {
  const dataDir = path.join(place, "refused");
  const { code, err } = await startScript("restore.mjs", args, env(dataDir)).ended;
  expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
  expect(existsSync(dataDir)).toBe(false);
});
