/**
 * How much one machine serves, this load's sender included, on a place of 100,000 accounts and
 * 1,000,000 media, and what is left of that when more is asked, by itself and behind a proxy with
 * its file of `deploy`. Asked at a steady pace, half of it for a first page, a tenth of it writes.
 */
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { openPlace, type Place } from "@tests/support/large-place";
import type { SignedIn } from "@tests/support/pocketbase";
import { type StartProxy, startCaddy, startNginx } from "@tests/support/proxies";
import { pickOne, seededRandom } from "@tests/support/seeded-random";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mixOf, openForMix, type Shot } from "./mix";

const USERS = 100_000;
const MEDIA = 1_000_000;
const ADDRESSES = 2_000;
/** Each connection begins with TLS, and this machine sends the load too. */
const ADDRESSES_BEHIND_PROXY = 200;
const WRITERS = 40;
const SECONDS = 15;
const PACES = [50, 100, 200, 300, 400];
const GOAL = { perSecond: 400, p99: 200 };
const BEYOND = { perSecond: 1_000, within: 500, atLeast: 300 };
/** Where requests are sent, and from how many addresses. */
interface Target {
  url: string;
  /** That `https:` is trusted by. */
  certificate?: string;
  addresses: number;
}
interface Outcome {
  times: number[];
  refused: number;
  failed: number;
}

let place: Place;
let writers: SignedIn[];
beforeAll(async () => {
  place = await openPlace(USERS, MEDIA, { searchable: true });
  writers = await openForMix(place, WRITERS);
}, 3_600_000);
afterAll(() => place?.server.stop());

let offered = 0;
/** Never the same twice: one likes a medium once. */
async function shotsFor(count: number): Promise<Shot[]> {
  offered += 1;
  const random = seededRandom(offered);
  const { body } = await place.server.api("GET", "/api/sync?since=head");
  const kinds = mixOf(place, writers, { head: body.checkpoint, random });
  const makers = kinds.flatMap(({ share, make }) => Array<() => Shot>(share).fill(make));
  return Array.from({ length: count }, () => pickOne(random, makers)?.() as Shot);
}

const itself = (): Target => ({ url: place.server.url, addresses: ADDRESSES });

async function offer(perSecond: number, target = itself()): Promise<Outcome> {
  const shots = await shotsFor(perSecond * SECONDS);
  const workerData = { ...target, shots, perSecond };
  const thread = new Worker(new URL("./open-loop.mjs", import.meta.url), { workerData });
  const outcome = await new Promise<Outcome>((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
  });
  await thread.terminate();
  outcome.times.sort((a, b) => a - b);
  return outcome;
}

const share = (times: number[], of: number) => times[Math.floor(times.length * of)] ?? Infinity;
const soon = ({ times }: Outcome) => times.filter((ms) => ms <= BEYOND.within).length / SECONDS;

const memoryMb = (): number => {
  const status = readFileSync(`/proc/${place.server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
};

function tell(name: string, outcome: Outcome, limit: string): void {
  const { times, refused, failed } = outcome;
  const shares = [0.5, 0.95, 0.99].map((of) => `p${of * 100} ${share(times, of).toFixed(0)} ms`);
  process.stdout.write(
    `${name}: ${soon(outcome).toFixed(0)} a second answered within ${BEYOND.within} ms, ` +
      `${shares.join(", ")}, ${refused} refused, ${failed} failed, ` +
      `${memoryMb().toFixed(0)} MB${limit}\n`,
  );
}

test("up to its capacity it answers soon", async () => {
  await offer(PACES[0] ?? 1);
  for (const perSecond of PACES) {
    const outcome = await offer(perSecond);
    const isGoal = perSecond === GOAL.perSecond;
    tell(`${perSecond} a second`, outcome, isGoal ? ` (p99 <= ${GOAL.p99})` : " (>= 0)");
    expect(outcome.failed).toBe(0);
    if (isGoal) expect.soft(share(outcome.times, 0.99)).toBeLessThanOrEqual(GOAL.p99);
  }
}, 1_200_000);

const PROXIES: [string, StartProxy][] = [
  ["nginx", startNginx],
  ["Caddy", startCaddy],
];

test.each(PROXIES)(
  "behind %s, what is beyond it does not take away what it can do",
  async (name, start) => {
    const { port, certificate, stop } = await start(place.server.port);
    try {
      const url = `https://localhost:${port}`;
      const target = { url, certificate, addresses: ADDRESSES_BEHIND_PROXY };
      const outcome = await offer(BEYOND.perSecond, target);
      tell(`${BEYOND.perSecond} a second, ${name}`, outcome, ` (>= ${BEYOND.atLeast} a second)`);
      expect(soon(outcome)).toBeGreaterThanOrEqual(BEYOND.atLeast);
    } finally {
      await stop();
    }
  },
  1_200_000,
);

// The last one: it leaves a server behind that has to come to itself.
test("without a proxy it lives through more than it can do", async () => {
  tell(`${BEYOND.perSecond} a second, no proxy`, await offer(BEYOND.perSecond), " (>= 0 a second)");
  await expect
    .poll(async () => (await fetch(`${place.server.url}/api/health`)).status, { timeout: 60_000 })
    .toBe(200);
}, 1_200_000);
