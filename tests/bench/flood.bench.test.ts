/**
 * One address sends 2,000 requests a second of the dearest kinds that it may, as a guest and by an
 * account, for 20 seconds, while another person scrolls, likes and writes: how much longer that
 * person waits. The flood comes from a thread of its own; the addresses are told apart by a header
 * that the server trusts here, as behind a proxy.
 */
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type App, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { afterAll, beforeAll, expect, test } from "vitest";

const SECONDS = 20;
const PER_SECOND = 2_000;
const MEMORY_MAX_MB = 400;
const MEDIA = 2_000;

let server: App;
let superuser: SignedIn;
let ann: SignedIn;
let mallory: SignedIn;
let ids: string[];
beforeAll(async () => {
  server = await startApp();
  superuser = await createSuperuser(server);
  ann = await signUp(server);
  mallory = await signUp(server);
  const trust = { trustedProxy: { headers: ["X-Real-IP"], useLeftmostIP: false } };
  await server.api("PATCH", "/api/settings", trust, superuser.token);
  const rows = Array.from({ length: MEDIA }, (_, i) => ({
    id: `flood${String(i).padStart(10, "0")}`,
    caption: `Water and light ${i}`,
    age: i,
  }));
  ids = rows.map(({ id }) => id);
  await seedMedia(server, superuser.token, ann.id, rows);
}, 120_000);
afterAll(() => server?.stop());

interface Shot {
  path: string;
  method?: "POST";
  body?: string;
  /** By an account, whose own limits count then, too. */
  token?: string;
}

const records = "/api/collections";
const READS: Shot[] = [
  { path: "/api/sync?since=0&limit=1000" },
  { path: "/api/search?q=water%20light&limit=120" },
  { path: `${records}/media/records?perPage=500&sort=-likes,-views,-createdAt,-id` },
  { path: `${records}/comments/records?filter=text~'x'` },
  { path: "/api/realtime" },
  { path: "/" },
];

/** What a guest sends, and what an account does: it reads the same, and writes. */
function shots(): Shot[] {
  const { token } = mallory;
  const post = (path: string, body: object, who = {}): Shot => ({
    path,
    method: "POST",
    body: JSON.stringify(body),
    ...who,
  });
  const guess = { identity: "nobody@example.com", password: "guess-guess" };
  const [mediaId] = ids;
  const comment = { mediaId, userId: mallory.id, text: "word ".repeat(100) };
  return [
    ...READS,
    post(`${records}/users/auth-with-password`, guess),
    ...READS.map((shot) => ({ ...shot, token })),
    post(`${records}/comments/records`, comment, { token }),
    post(`${records}/reports/records`, { mediaId, userId: mallory.id, reason: "Why" }, { token }),
    post(`/api/media/${mediaId}/view`, {}, { token }),
  ];
}

/**
 * Sends at an even pace, whatever comes back, on 100 connections, the next request before the answer
 * to the last. It reads the first lines of answers alone, so that it takes next to nothing of the
 * cores that it shares with the server. What is never answered has a connection to itself.
 */
const FLOOD = `
const { workerData, parentPort } = require("node:worker_threads");
const net = require("node:net");
const { port, shots, perSecond, seconds } = workerData;
const counts = {};
let sent = 0;
const open = () => {
  const socket = net.connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.on("error", () => {});
  let rest = "";
  socket.on("data", (piece) => {
    const text = rest + piece.latin1Slice();
    for (let at = text.indexOf("HTTP/1.1 "); at >= 0; at = text.indexOf("HTTP/1.1 ", at + 9)) {
      const status = text.slice(at + 9, at + 12);
      if (status.length === 3) counts[status] = (counts[status] || 0) + 1;
    }
    const last = text.lastIndexOf("HTTP/1.1 ");
    rest = last >= 0 && text.length - last < 12 ? text.slice(last) : "";
  });
  return socket;
};
const sockets = Array.from({ length: 100 }, open);
const texts = shots.map(({ path, method = "GET", body = "", token }) => Buffer.from(
  method + " " + path + " HTTP/1.1\\r\\nhost: localhost\\r\\nx-real-ip: 203.0.113.66\\r\\n" +
  "content-type: application/json\\r\\ncontent-length: " + Buffer.byteLength(body) + "\\r\\n" +
  (token ? "authorization: " + token + "\\r\\n" : "") + "\\r\\n" + body));
const started = Date.now();
const shoot = () => {
  const kind = sent % shots.length;
  sent += 1;
  if (shots[kind].path === "/api/realtime") {
    const own = open();
    own.write(texts[kind]);
    setTimeout(() => own.destroy(), 200);
    return;
  }
  const at = sent % sockets.length;
  if (sockets[at].destroyed || sockets[at].writableEnded) sockets[at] = open();
  // One that is not read any more waits.
  if (sockets[at].writableLength < 65536) sockets[at].write(texts[kind]);
};
const timer = setInterval(() => {
  const passed = Date.now() - started;
  if (passed > seconds * 1000) {
    clearInterval(timer);
    parentPort.postMessage({ sent, counts });
    for (const socket of sockets) socket.destroy();
    return;
  }
  while (sent < (passed / 1000) * perSecond) shoot();
}, 5);
`;

/** Milliseconds of what a person does in a second or so, each for itself. */
async function live(until: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const timed = async (method: string, path: string, body?: unknown) => {
    const start = performance.now();
    const headers = {
      authorization: ann.token,
      "x-real-ip": "198.51.100.7",
      "content-type": "application/json",
    };
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    const answer = await fetch(server.url + path, init);
    await answer.text();
    times.push(performance.now() - start);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  };
  while (!until()) {
    // Each medium is liked once.
    const mediaId = ids.pop() ?? "";
    await timed("GET", `${records}/media/records?sort=-createdAt,-id&perPage=30&skipTotal=1`);
    await timed("POST", `${records}/likes/records`, { mediaId, userId: ann.id });
    await timed("POST", `${records}/comments/records`, {
      mediaId,
      userId: ann.id,
      text: "A word",
    });
    await timed("GET", "/api/sync?since=head");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return times;
}

const p95 = (times: number[]): number =>
  times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
const after = (ms: number) => {
  const end = Date.now() + ms;
  return () => Date.now() > end;
};

test("another person hardly notices a flood", async () => {
  await live(after(2_000));
  const calm = p95(await live(after(8_000)));
  let told: { sent: number; counts: Record<string, number> } | undefined;
  const workerData = { port: server.port, shots: shots(), perSecond: PER_SECOND, seconds: SECONDS };
  const worker = new Worker(FLOOD, { eval: true, workerData });
  worker.on("message", (message) => {
    told = message;
  });
  const flooded = p95(await live(() => told !== undefined));
  await worker.terminate();
  const memory = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"));
  const megabytes = Number(memory?.[1]) / 1024;
  const told95 = `p95 ${calm.toFixed(1)} ms alone, ${flooded.toFixed(1)} ms in a flood`;
  process.stdout.write(`${JSON.stringify(told)}\n`);
  process.stdout.write(`flood: ${told95}, ratio ${(flooded / calm).toFixed(1)} (<= 3)\n`);
  process.stdout.write(
    `most memory until the end of the flood: ${megabytes.toFixed(0)} MB (<= ${MEMORY_MAX_MB})\n`,
  );
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  expect(megabytes).toBeLessThan(MEMORY_MAX_MB);
  expect(flooded / calm).toBeLessThan(3);
}, 120_000);
