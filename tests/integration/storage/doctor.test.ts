/** `npm run doctor`: a healthy place, the same one broken in every way it knows, and repaired. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { findLitestream, keepStreaming, readReplica } from "@scripts/replica.mjs";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import { freePort, temporaryFolder } from "@tests/support/pocketbase";
import { startScript } from "@tests/support/start-script";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";

const PASSWORD = "letters-7";

let stage: Stage;
let mediaId: string;
let postOffice: SMTPServer;
/** A registry of packages, and a site with a clock. */
let site: Server;
let advisories: Record<string, unknown> = {};
let clockOff = 0;

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  stage = await setStage();
  chmodSync(stage.server.dataDir, 0o700);
  mediaId = await photo();
  must(
    await stage.create("comments", { mediaId, userId: stage.bob.id, text: "Well seen" }, stage.bob),
  );
  postOffice = new SMTPServer({
    secure: false,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === PASSWORD ? done(null, { user: "us" }) : done(new Error("wrong password")),
    onMailFrom: () => {
      throw new Error("nothing may be sent");
    },
  });
  await new Promise<void>((resolve) => postOffice.listen(0, "127.0.0.1", resolve));
  site = createServer(async (request, answer) => {
    for await (const _piece of request);
    answer.setHeader("date", new Date(Date.now() - clockOff * 1000).toUTCString());
    if (request.method === "POST") answer.end(JSON.stringify(advisories));
    else answer.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  await setting(healthy());
});
afterAll(async () => {
  site.close();
  await new Promise<void>((resolve) => postOffice.close(() => resolve()));
});

async function photo(): Promise<string> {
  const file = new Blob([new Uint8Array(mediaFixture("photo.jpg"))], { type: "image/jpeg" });
  const form = new FormData();
  for (const [name, value] of Object.entries({ userId: stage.ann.id, type: "photo", tags: "[]" }))
    form.set(name, value);
  form.set("file", file, "photo.jpg");
  form.set("thumbnail", file, "thumb.jpg");
  return must(await stage.create("media", form, stage.superuser)).body.id;
}

const siteUrl = () => `http://127.0.0.1:${portOf(site)}`;

const healthy = () => ({
  meta: { appURL: siteUrl() },
  backups: { cron: "0 3 * * *" },
  rateLimits: { enabled: true },
  trustedProxy: { headers: ["X-Forwarded-For"] },
  s3: { enabled: false },
  smtp: {
    enabled: true,
    host: "127.0.0.1",
    port: portOf(postOffice.server),
    username: "us",
    password: PASSWORD,
    tls: false,
  },
});

const setting = async (body: unknown) =>
  must(await stage.server.api("PATCH", "/api/settings", body, stage.superuser.token));

async function doctor(args: string[] = [], env: Record<string, string> = {}) {
  const { dataDir, port } = stage.server;
  const { code, out, err } = await startScript("doctor.mjs", args, {
    DATA_DIR: dataDir,
    PORT: String(port),
    npm_config_registry: siteUrl(),
    ...env,
  }).ended;
  /** What it says about something, with its mark. */
  const about = (what: string) =>
    out
      .split("\n")
      .filter((line) => line.slice(6).startsWith(`${what} `))
      .map((line) => line.replace(/\s+/g, " "));
  return { code, out, err, about };
}

const raised = async (query: string) => {
  for (const one of ["UPDATE _seq SET guard = 1", query, "UPDATE _seq SET guard = 0"])
    expect((await stage.sql(one)).status).toBe(200);
};

const fileOf = async () => {
  const { collectionId, file } = await stage.row("media", mediaId);
  return path.join(stage.server.dataDir, "storage", String(collectionId), mediaId, String(file));
};

test("of a healthy place nothing has to be done, and all of it is said", async () => {
  const { code, out, err, about } = await doctor();
  expect([code, err, out]).toEqual([0, "", expect.stringMatching(/Nothing has to be done\.\n$/)]);
  expect(out).not.toMatch(/^DO/m);
  for (const what of [
    ...["Server", "Node", "Version", "Packages", "Proxy", "Limits", "Backups", "Storage", "Disk"],
    ...["Statistics", "Counters", "Sequence", "Permissions", "Files", "Orphans", "Clock"],
  ])
    expect(about(what)).toEqual([expect.stringMatching(/^ok /)]);
  expect(about("Mail")).toEqual([
    "ok Mail Mail is sent through 127.0.0.1.",
    expect.stringMatching(/^ok Mail The mail server 127\.0\.0\.1:\d+ lets us in\.$/),
  ]);
  expect(out).not.toContain(PASSWORD);
});

test("a place that is stopped is looked at as well, and not a byte of its databases changes", async () => {
  const { server } = stage;
  await server.stop();
  const digest = () =>
    ["data.db", "auxiliary.db"].map((name) =>
      createHash("sha256")
        .update(readFileSync(path.join(server.dataDir, name)))
        .digest("hex"),
    );
  const before = digest();
  const { code, about } = await doctor();
  expect(code).toBe(0);
  expect(about("Server")).toEqual([expect.stringMatching(/^look Server No server answers/)]);
  expect(about("Counters")).toEqual([expect.stringMatching(/^ok /)]);
  expect(digest()).toEqual(before);
  await server.restart();
});

test("each thing that is broken has its sentence, and repair puts the counters right alone", async () => {
  const { server } = stage;
  const file = await fileOf();
  const bytes = readFileSync(file);
  const folder = path.dirname(path.dirname(file));
  const orphan = path.join(folder, "orphan000000000", "old.jpg");
  const lone = await freePort();
  mkdirSync(path.dirname(orphan));
  writeFileSync(orphan, bytes);
  const old = new Date(Date.now() - 7_200_000);
  utimesSync(orphan, old, old);
  rmSync(file);
  chmodSync(server.dataDir, 0o755);
  await raised(`UPDATE media SET likes = 7, comments = 0 WHERE id = '${mediaId}'`);
  await raised("UPDATE _counts SET n = n + 1 WHERE name = 'users'");
  await stage.sql(
    `INSERT INTO comments (id, mediaId, userId, text, createdAt)
     WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 1200)
     SELECT 'many' || printf('%011d', n), '${mediaId}', '${stage.ann.id}', 'x',
       '2026-01-01 00:00:00.000Z' FROM i`,
  );
  await raised(`UPDATE comments SET seq = seq + 100000 WHERE id = 'many00000000001'`);
  await stage.sql("DELETE FROM sqlite_stat1");
  await stage.sql("INSERT INTO _migrations (file, applied) VALUES ('1799999999-later.js', 1)");
  await stage.update("settings", "app", { limits: { minFreeDiskBytes: 1e15 } }, stage.superuser);
  await setting({
    meta: { appURL: "https://localhost:1" },
    backups: { cron: "" },
    rateLimits: { enabled: false },
    trustedProxy: { headers: [] },
    smtp: { ...healthy().smtp, port: lone },
  });
  await stage.sql(
    `INSERT INTO _mails (kind, person, name, address, tries)
     VALUES ('verify', '${stage.ann.id}', 'ann', '${stage.ann.email}', 1)`,
  );
  advisories = {
    rxjs: [
      {
        id: 1,
        url: "",
        title: "bad",
        severity: "high",
        vulnerable_versions: "*",
        cwe: [],
        cvss: {},
      },
    ],
  };
  const broken = await doctor([], { REPLICA_URL: String(pathToFileURL(temporaryFolder())) });
  expect(broken.code).toBe(1);
  const all = broken.out.replaceAll(/ {2,}/g, " ");
  for (const sentence of [
    /^DO Counters Wrong counters: 3\./m,
    /^DO Sequence .*: 1\./m,
    /^DO Files Files missing in the disk: 1, such as \w+\/\w+\/.*\. Bring them back/m,
    /^look Orphans Files without a row: 1\./m,
    /^DO Permissions Others may read .*chmod 700/m,
    /^DO Statistics .*\(comments\)/m,
    /^DO Version The database is newer than Augenblick .*1799999999-later\.js/m,
    /^DO Disk Only \d+ MB/m,
    /^DO Limits /m,
    /^DO Mail Mails that couldn't be sent: 1\./m,
    /^DO Mail The mail server 127\.0\.0\.1:\d+ cannot be used \(.*ECONNREFUSED.*\)/m,
    /^DO Certificate https:\/\/localhost:1 cannot be reached/m,
    /^DO Stream Nothing was streamed/m,
    /^DO Packages Packages with grave known faults: .*rxjs/m,
  ])
    expect(all).toMatch(sentence);
  expect(all).toMatch(/^To do: \d+\.$/m);

  const before = await stage.number("SELECT v FROM _seq");
  const repaired = await doctor(["--repair"]);
  expect(repaired.out).toMatch(/^Counters that were wrong, and are right now: 3\./);
  expect(repaired.about("Counters")).toEqual(["ok Counters All counters are correct."]);
  expect(repaired.about("Files")).toEqual([expect.stringMatching(/^DO /)]);
  expect(repaired.about("Sequence")).toEqual([expect.stringMatching(/^DO /)]);
  expect(await stage.row("media", mediaId)).toMatchObject({ likes: 0, comments: 1201 });
  // Devices hear of it.
  expect(await stage.number("SELECT v FROM _seq")).toBeGreaterThan(before);

  advisories = {};
  writeFileSync(file, bytes);
  rmSync(path.dirname(orphan), { recursive: true });
  chmodSync(server.dataDir, 0o700);
  await stage.sql("DELETE FROM _migrations WHERE file = '1799999999-later.js'");
  await stage.sql("DELETE FROM _mails");
  await raised(`UPDATE comments SET seq = 0 WHERE id = 'many00000000001'`);
  await stage.sql(`UPDATE comments SET seq = 1 WHERE id = 'many00000000001'`);
  await stage.update("settings", "app", { limits: {} }, stage.superuser);
  await setting(healthy());
  await server.restart();
  const healed = await doctor();
  expect([healed.code, healed.out]).toEqual([0, expect.stringMatching(/Nothing has to be done/)]);
});

test("a wrong password, a store that refuses, another address and clock are told apart", async () => {
  clockOff = 3600;
  await setting({
    smtp: { ...healthy().smtp, password: "another" },
    s3: {
      enabled: true,
      endpoint: siteUrl(),
      bucket: "pictures",
      region: "us-east-1",
      accessKey: "key",
      secret: "a-secret",
      forcePathStyle: true,
    },
    backups: { cron: "" },
  });
  const { code, about, out } = await doctor();
  expect(code).toBe(1);
  expect(about("Mail")[1]).toMatch(/^DO Mail .* cannot be used \(.*wrong password.*\)/);
  expect(about("Bucket")).toEqual([
    expect.stringMatching(/^DO Bucket The bucket pictures at \S+ cannot be used/),
  ]);
  expect(about("Clock")).toEqual([
    expect.stringMatching(/^DO Clock .* 360\d s ahead of that of 127/),
  ]);
  expect(about("Backups")).toEqual([expect.stringMatching(/^DO /)]);
  expect(out).not.toContain("a-secret");
  clockOff = 0;
  await setting({ ...healthy(), meta: { appURL: "http://photos.invalid" } });
  expect((await doctor()).about("Address")).toEqual([expect.stringMatching(/^DO .* no TLS/)]);
  await setting({ meta: { appURL: "https://photos.invalid" }, trustedProxy: { headers: [] } });
  expect((await doctor()).about("Proxy")).toEqual([expect.stringMatching(/^DO .*Everyone behind/)]);
  await setting(healthy());
});

test("a certificate that ends soon, and one that browsers do not trust, are told", async () => {
  const folder = temporaryFolder();
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const make = (days: number) => {
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const made = ["-keyout", key, "-out", cert, "-days", String(days)];
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...made], { stdio: "pipe" });
    const files = { key: readFileSync(key), cert: readFileSync(cert) };
    return createTlsServer(files, (_request, answer) => answer.end());
  };
  for (const [days, sentence] of [
    [5, /^DO Certificate The certificate of localhost ends in [45] days: renew it\./],
    [90, /^ok Certificate The certificate of localhost holds for (89|90) days\./],
  ] as const) {
    const secure = make(days);
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    await setting({ meta: { appURL: `https://localhost:${portOf(secure)}` } });
    const trusting = await doctor([], { NODE_EXTRA_CA_CERTS: cert });
    expect(trusting.about("Certificate")).toEqual([expect.stringMatching(sentence)]);
    if (days === 90)
      expect((await doctor()).about("Certificate")).toEqual([
        expect.stringMatching(/^DO Certificate Browsers do not trust .*SELF_SIGNED/i),
      ]);
    secure.close();
  }
  await setting(healthy());
});

test("the stream's lag is told", async () => {
  const url = String(pathToFileURL(temporaryFolder()));
  const { dataDir } = stage.server;
  const ending = new AbortController();
  const binary = await findLitestream();
  const replica = readReplica(url);
  const streaming = keepStreaming({ binary, replica, dataDir, signal: ending.signal });
  const stream = async () => (await doctor([], { REPLICA_URL: url })).about("Stream")[0];
  await expect.poll(stream).toMatch(/^ok Stream .* s behind\./);
  ending.abort();
  await streaming;
  // As if rows had been written for an hour since.
  const later = new Date(Date.now() + 3_600_000);
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith("data.db")))
    utimesSync(path.join(dataDir, name), later, later);
  expect(await stream()).toMatch(/^DO Stream .* is 3[56]\d\d s behind/);
});

test("a request that took long is told", async () => {
  // Its body comes a little later than it was announced: the server's time runs from the first byte.
  const { port } = new URL(stage.server.url);
  const socket = connect(Number(port), "127.0.0.1");
  const speed = async () => String((await doctor()).about("Speed")[0]);
  const slow = async () => Number(/24 hours: (\d+); the slowest/.exec(await speed())?.[1] ?? 0);
  const before = await slow();
  const body = JSON.stringify({ identity: "nobody@example.com", password: "nothing-7" });
  socket.write(
    `POST /api/collections/users/auth-with-password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  socket.end(body);
  // PocketBase writes its log three seconds after the last request, and the doctor asks it as well.
  await expect.poll(slow, { interval: 4_000 }).toBeGreaterThan(before);
  expect(await speed()).toMatch(/^look Speed .*; the slowest took [1-9]\d{3,} ms\./);
});

test("without a database, and with an unknown word, it says so", async () => {
  expect(await doctor([], { DATA_DIR: temporaryFolder() })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^There is no database in/),
  });
  expect(await doctor(["--fix"])).toMatchObject({ code: 1, err: expect.stringMatching(/--fix/) });
});
