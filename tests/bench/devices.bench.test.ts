/**
 * 5,000 devices online: what their streams cost the server while nothing happens, and what each of
 * them and the server have to do while others write fifty times a second.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { cpuOf } from "@tests/support/cpu";
import { openPlace, type Place } from "@tests/support/large-place";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";

const DEVICES = 5_000;
const MEDIA = 50_000;
const MEMORY_MOST_MB = 250;
const IDLE_MOST = 0.05;
const IDLE_SECONDS = 20;
const WRITES_PER_SECOND = 50;
/** An account has two writes at work at the same time. */
const WRITERS = 25;
const BUSY_SECONDS = 60;
/** Until each device has had a first hint. */
const SETTLE_SECONDS = 30;
const KB_MOST = 20;
const CORES_MOST = 1;
/** The newest 300, thirteen seconds one from another (large-place.ts). */
const MEDIA_FROM = (1_795_000_000 - 13 * 300) * 1000;

interface Told {
  pulls: number;
  bytes: number;
  refused: number;
}

let place: Place;
let writers: SignedIn[];
let thread: Worker;
beforeAll(async () => {
  // As docs/scaling.md asks for.
  process.env["GOMEMLIMIT"] = "1GiB";
  place = await openPlace(DEVICES, MEDIA);
  const { server, superuser } = place;
  const limits = {
    writesPerMinute: 1_000_000,
    writesPer10Sec: 1_000_000,
    requestsPer10Sec: 1_000_000,
  };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser);
  writers = await Promise.all(Array.from({ length: WRITERS }, () => signUp(server)));
  const tokens: string[] = [];
  for (let i = 1; i <= DEVICES; i++) {
    const who = `/api/collections/users/impersonate/user${String(i).padStart(11, "0")}`;
    const { status, body } = await server.api("POST", who, { duration: 86_400 }, superuser);
    expect(status).toBe(200);
    tokens.push(body.token);
  }
  const { body } = await server.api("GET", "/api/sync?since=head");
  thread = new Worker(new URL("./devices.mjs", import.meta.url), {
    workerData: { url: server.url, tokens, since: body.checkpoint, mediaFrom: MEDIA_FROM },
  });
}, 1_800_000);
afterAll(async () => {
  await thread?.terminate();
  await place?.server.stop();
});

async function order(name: "open" | "pull" | "tell"): Promise<Told> {
  thread.postMessage(name);
  const [told] = await once(thread, "message");
  return told;
}

const memoryMb = (): number => {
  const status = readFileSync(`/proc/${place.server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
};

let written = 0;
/** At an even pace, likes of media all over the place; one in ten is a comment. */
async function write(seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const open: Promise<number>[] = [];
  const post = async (name: string, row: object, writer?: SignedIn) =>
    (await place.server.api("POST", `/api/collections/${name}/records`, row, writer?.token)).status;
  while (performance.now() < end) {
    written += 1;
    const mediaId = `pic${String(1 + ((written * 7_919) % MEDIA)).padStart(12, "0")}`;
    const writer = writers[written % WRITERS];
    const row = { mediaId, userId: writer?.id };
    const isComment = written % 10 === 0;
    const made = isComment
      ? post("comments", { ...row, text: "A word" }, writer)
      : post("likes", row, writer);
    open.push(made);
    await sleep(1000 / WRITES_PER_SECOND);
  }
  const refused = (await Promise.all(open)).filter((status) => status !== 200);
  expect(refused).toEqual([]);
}

test("streams on which nothing happens cost little memory and next to no time", async () => {
  const before = memoryMb();
  await order("open");
  const added = memoryMb() - before;
  const spent = (await cpuOf(place.server.pid, () => sleep(IDLE_SECONDS * 1000))) / IDLE_SECONDS;
  process.stdout.write(
    `${DEVICES} idle streams: ${added.toFixed(0)} MB (<= ${MEMORY_MOST_MB}), ` +
      `${(spent * 100).toFixed(1)} % of a core (<= ${IDLE_MOST * 100})\n`,
  );
  expect(added).toBeLessThanOrEqual(MEMORY_MOST_MB);
  expect(spent).toBeLessThanOrEqual(IDLE_MOST);
}, 600_000);

test("what others do costs each device little traffic, and the server one core", async () => {
  await order("pull");
  await write(SETTLE_SECONDS);
  await order("tell");
  const spent = (await cpuOf(place.server.pid, () => write(BUSY_SECONDS))) / BUSY_SECONDS;
  const { pulls, bytes, refused } = await order("tell");
  const kb = (bytes / DEVICES / 1024) * (60 / BUSY_SECONDS);
  process.stdout.write(
    `${DEVICES} devices, ${WRITES_PER_SECOND} writes a second: ${kb.toFixed(1)} KB a minute and ` +
      `device (<= ${KB_MOST}), ${spent.toFixed(2)} cores of the server (<= ${CORES_MOST}), ` +
      `${(pulls / BUSY_SECONDS).toFixed(0)} pulls a second, ${refused} refused\n`,
  );
  expect(kb).toBeLessThanOrEqual(KB_MOST);
  expect(spent).toBeLessThanOrEqual(CORES_MOST);
}, 600_000);
