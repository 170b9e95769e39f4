/**
 * A million people in communities of their own on fifty machines of two cores. What each kind of
 * request costs is measured on one real server; ten minutes of a busy evening are then played
 * through with these costs on every machine. Each machine is one queue before its cores, and a
 * cost is drawn anew for each request, many times the mean now and then (exponential).
 */
import { readFileSync } from "node:fs";
import { cpuOf } from "@tests/support/cpu";
import { openPlace, type Place } from "@tests/support/large-place";
import type { SignedIn } from "@tests/support/pocketbase";
import { pickOne, type Random, seededRandom } from "@tests/support/seeded-random";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Kind, mixOf, openForMix, type Shot } from "./mix";

const PEOPLE = 1_000_000;
const HOSTS = 50;
const CORES = 2;
const EVENING_SECONDS = 600;
/** The largest community; the n-th has that many people divided by n^0.7, and the least a hundred. */
const LARGEST = 20_000;
const LEAST = 100;

/** Of its people, those who have the app open, and what each of them does in a minute. */
const ONLINE = 0.1;
const ACTS_PER_MINUTE = 2;
/** What a device pulls in a minute by its clock, and at most at hints; and all of a place (hints.ts). */
const PULLS_LEAST = 2;
const PULLS_MOST = 30;
const PLACE_PULLS_PER_SECOND = 200;

/** A community of middle size, on which costs are measured. */
const USERS = 2_000;
const MEDIA = 20_000;
const ROUNDS = 300;
const AT_ONCE = 4;
const BUSIEST_MOST = 0.7;
const P99_MOST_MS = 200;

let place: Place;
let writers: SignedIn[];
beforeAll(async () => {
  place = await openPlace(USERS, MEDIA, { searchable: true });
  writers = await openForMix(place, 20);
}, 600_000);
afterAll(() => place?.server.stop());

let sent = 0;
async function send({ method, path, body, token }: Shot): Promise<void> {
  sent += 1;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "x-real-ip": `10.0.${(sent >> 8) & 255}.${sent & 255}`,
  };
  if (token !== undefined) headers["authorization"] = token;
  const init = { method, headers, ...(body !== undefined && { body }) };
  const answer = await fetch(place.server.url + path, init);
  await answer.arrayBuffer();
  expect(`${path} ${answer.status}`).toMatch(/ 20[04]$/);
}

let seed = 0;
/** As they are sent now: from here on a device pulls what comes. */
async function kindsNow(): Promise<Kind[]> {
  const { body } = await place.server.api("GET", "/api/sync?since=head");
  seed += 1;
  return mixOf(place, writers, { head: body.checkpoint, random: seededRandom(seed) });
}

/** What a device finds when it pulls. */
const CHANGES = 5;

/** Seconds of CPU of one request. */
async function costOf(name: string): Promise<number> {
  const kinds = await kindsNow();
  const kindOf = (wanted: string) => kinds.find((kind) => kind.name === wanted) as Kind;
  const { make } = kindOf(name);
  for (let i = 0; i < CHANGES; i += 1) await send(kindOf("like").make());
  const spent = await cpuOf(place.server.pid, async () => {
    for (let i = 0; i < ROUNDS; i += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => send(make())));
  });
  return spent / ROUNDS;
}

interface Cost {
  name: string;
  share: number;
  seconds: number;
}

/** People of each community, the largest first. */
function communities(): number[] {
  const sizes: number[] = [];
  for (let left = PEOPLE, n = 1; left > 0; n += 1) {
    const size = Math.min(left, Math.max(LEAST, Math.round(LARGEST / n ** 0.7)));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/** The communities of each machine: each goes to the one with the fewest people so far. */
function placed(): number[][] {
  const hosts = Array.from({ length: HOSTS }, () => ({ people: 0, sizes: [] as number[] }));
  for (const size of communities()) {
    const [emptiest] = [...hosts].sort((a, b) => a.people - b.people);
    emptiest?.sizes.push(size);
    if (emptiest) emptiest.people += size;
  }
  return hosts.map(({ sizes }) => sizes);
}

/** Requests a second of one community, pulls apart from the rest. */
function load(people: number, writeShare: number): { pulls: number; acts: number } {
  const online = people * ONLINE;
  const acts = (online * ACTS_PER_MINUTE) / 60;
  // Each change has every device pull once, as often as it may.
  const changes = acts * writeShare * 60;
  const wanted = (online * Math.min(PULLS_MOST, Math.max(PULLS_LEAST, changes))) / 60;
  const byClock = (online * PULLS_LEAST) / 60;
  return { pulls: Math.max(byClock, Math.min(wanted, PLACE_PULLS_PER_SECOND)), acts };
}

interface Evening {
  /** Share of the cores' time. */
  busy: number;
  requests: number;
  /** Milliseconds from a request's coming to its end. */
  times: number[];
}

function play(sizes: number[], costs: Cost[], random: Random): Evening {
  const pull = costs.find(({ name }) => name === "pull") as Cost;
  const acts = costs.filter((cost) => cost !== pull);
  const all = acts.flatMap((cost) => Array<Cost>(cost.share).fill(cost));
  const isWrite = ({ name }: Cost) => name === "like" || name === "comment";
  const writeShare = all.filter(isWrite).length / all.length;
  const each = sizes.map((people) => load(people, writeShare));
  const pullRate = each.reduce((sum, { pulls }) => sum + pulls, 0);
  const rate = pullRate + each.reduce((sum, one) => sum + one.acts, 0);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const drawn = () => (random() < pullRate / rate ? pull : (pickOne(random, all) ?? pull));
  const free = Array<number>(CORES).fill(0);
  const evening: Evening = { busy: 0, requests: 0, times: [] };
  for (let now = exponential(1 / rate); now < EVENING_SECONDS; now += exponential(1 / rate)) {
    const core = free.indexOf(Math.min(...free));
    const takes = exponential(drawn().seconds);
    const end = Math.max(now, free[core] ?? 0) + takes;
    free[core] = end;
    evening.busy += takes / (CORES * EVENING_SECONDS);
    evening.requests += 1;
    evening.times.push((end - now) * 1000);
  }
  return evening;
}

const memoryKb = (): number => {
  const status = readFileSync(`/proc/${place.server.pid}/status`, "utf8");
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]);
};

test("a million people find room on fifty machines", async () => {
  const idleMb = memoryKb() / 1024;
  // The engines of the pool and the database's pages are there from then on.
  const kinds = await kindsNow();
  for (const { name } of kinds) await costOf(name);
  const costs: Cost[] = [];
  for (const { name, share } of kinds) costs.push({ name, share, seconds: await costOf(name) });
  for (const { name, seconds } of costs)
    process.stdout.write(`${name}: ${(seconds * 1000).toFixed(2)} ms of CPU (>= 0)\n`);
  const random = seededRandom(7);
  const hosts = placed();
  const evenings = hosts.map((sizes) => play(sizes, costs, random));
  const busy = evenings.map((one) => one.busy).sort((a, b) => a - b);
  const busiest = busy.at(-1) ?? 1;
  const times = evenings.flatMap((one) => one.times.filter((_, i) => i % 20 === 0));
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity;
  const requests = evenings.reduce((sum, one) => sum + one.requests, 0) / EVENING_SECONDS;
  const most = Math.max(...hosts.map((sizes) => sizes.length));
  process.stdout.write(
    `${PEOPLE} people in ${hosts.flat().length} communities on ${HOSTS} machines: ` +
      `${requests.toFixed(0)} requests a second, the cores of the median machine busy for ` +
      `${((busy[HOSTS / 2] ?? 1) * 100).toFixed(0)} %, of the busiest for ${(busiest * 100).toFixed(0)} % ` +
      `(<= ${BUSIEST_MOST * 100}), p99 ${p99.toFixed(0)} ms (<= ${P99_MOST_MS}), ` +
      `${most} communities at most on one, with ${idleMb.toFixed(0)} to ` +
      `${(memoryKb() / 1024).toFixed(0)} MB each (>= 0)\n`,
  );
  expect(busiest).toBeLessThanOrEqual(BUSIEST_MOST);
  expect(p99).toBeLessThanOrEqual(P99_MOST_MS);
}, 900_000);
