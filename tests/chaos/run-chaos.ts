/**
 * A chaos run: several devices of several people act at the same time over bad ways to a server that is killed and
 * paused. Then everything heals, every queue must come to its end, and what is there is held against what was done.
 */

import type { Exchange } from "@tests/support/fault-proxy";
import { pickOne, seededRandom } from "@tests/support/seeded-random";
import { type ChaosDevice, type Closed, startDevice } from "./chaos-device";
import { checkReplica } from "./check-replica";
import { checkServer } from "./check-server";
import { Died } from "./died";
import { drawOperation } from "./draw-operation";
import { createLedger, type Ledger } from "./ledger";
import { startPageDevice } from "./page-device";
import { rowsOnDisk } from "./rows-on-disk";
import type { ChaosOptions, Player, Run } from "./run";
import {
  bringToRest,
  isStuck,
  LESS_PATIENCE_MS,
  type Left,
  lastWords,
  PATIENCE_MS,
  settleDevice,
} from "./settle-device";
import { makeWeather, type Weather } from "./weather";
import { forgetWhatIsLeft } from "./what-is-gone";
import { commentAbout } from "./what-is-there";
import { OLD_MEDIA, openWorld, type Person } from "./world";

export interface ChaosReport {
  violations: string[];
  /** What was done and what was left of it, for whoever looks into a violation. */
  ledger: Ledger;
  left: Left[];
  seen: Record<string, Exchange[]>;
  /** What the devices took. */
  taken: number;
  deaths: number;
  requests: number;
  faults: number;
  /** How often the server was killed; once of it to be restored. */
  kills: number;
  /** Of the server's to its store, and how many of them met a fault. */
  storeRequests: number;
  storeFaults: number;
}

const PASSWORD = "Sunny-Meadow-42";
const DAY_MS = 86_400_000;
/** Pauses are shorter than the client asks for, by this factor. */
const HASTE = 20;

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const world = await openWorld(options);
  const run: Run = { options, world, people: [], players: [], ledger: createLedger() };
  try {
    await settleIn(run);
    const weather = makeWeather(run);
    world.bucket?.misbehave(options.seed * 37);
    await Promise.all(run.players.map((player) => play(run, player, weather)));
    await weather.clear();
    return await reckon(run);
  } finally {
    await Promise.all(run.players.map(({ device }) => device.end()));
    await world.stop();
  }
}

/** The first two devices are one person's; each other has one of its own. */
async function settleIn({ options, world, people, players }: Run): Promise<void> {
  const { seed, devices, programs, browser = false } = options;
  for (let index = 0; index < devices; index++) {
    const share = index < 2 && devices > 1 ? { index, of: 2 } : { index: 0, of: 1 };
    const inBrowser = browser && index === 1;
    const device = await (inBrowser ? startPageDevice : startDevice)({
      name: `device ${index}`,
      program: inBrowser ? programs.page : programs.thread,
      target: world.server.url,
      share,
      haste: HASTE,
    });
    const random = seededRandom(seed * 1_000 + index);
    const owner = share.index > 0 ? people[0] : undefined;
    const person = owner ?? (await signUp(device, people.length));
    if (owner === undefined) people.push(person);
    else await device.ask("signIn", owner.email, owner.password);
    players.push({ device, random, guests: [person], since: 0 });
  }
}

async function signUp(device: ChaosDevice, index: number): Promise<Person> {
  const username = `person${index}`;
  const form = { email: `${username}@example.com`, username, password: PASSWORD };
  const id = await device.ask("signUp", {
    ...form,
    passwordConfirm: PASSWORD,
    termsAccepted: true,
  });
  return { ...form, id };
}

async function play(run: Run, player: Player, weather: Weather): Promise<void> {
  const { options, ledger } = run;
  const { device, random } = player;
  device.misbehave(options.seed * 31 + run.players.indexOf(player));
  for (let i = 0; i < options.operations; i++) {
    await weather.enter();
    await unlessDead(() => meetFate(run, player));
    const person = whoIsIn(player);
    const { name, share } = device;
    const order = drawOperation({
      random,
      token: `${options.seed}.${name.at(-1)}.${i}`,
      own: ledger.entries.filter((e) => e.device === name && e.userId === person.id),
      made: [
        ...OLD_MEDIA,
        ...ledger.entries.flatMap((e) => (e.kind === "upload" && e.mediaId ? [e.mediaId] : [])),
      ],
      said: ledger.entries.filter(
        (e) => e.kind === "comment" && e.commentId !== "" && e.parentId === "",
      ),
      strangers: run.people.flatMap(({ id }) => (id === person.id ? [] : [id])),
      others: run.people.flatMap(({ id }, at) =>
        id !== person.id && at % share.of === share.index ? [id] : [],
      ),
    });
    if (order !== null) {
      const done = await unlessDead(() => device.ask("act", order));
      ledger.note(name, person.id, order, done ?? "died");
    }
    await weather.leave();
  }
}

async function unlessDead<T>(job: () => Promise<T>): Promise<T | null> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof Died) return null;
    throw error;
  }
}

/** What may happen to a device between two operations. */
async function meetFate(run: Run, player: Player): Promise<void> {
  const { device, random } = player;
  const fate = random();
  const detail = random();
  const person = whoIsIn(player);
  if (fate < 0.06) await device.ask("dieAfter", 1 + Math.floor(detail * 80));
  else if (fate < 0.1) await device.ask("setClock", (Math.floor(detail * 3) - 1) * DAY_MS);
  else if (fate < 0.13) await device.restart();
  else if (fate < 0.18) await run.world.endTokens(person, detail);
  else if (fate < 0.21) await changeUser(run, player);
  else if (fate < 0.225) await run.world.banFromChats(person, detail < 0.5);
  else if (fate < 0.25) await run.world.makeAdmin(person, detail < 0.6);
  await signInWhereAsked(run, player);
}

/** The device says who is in: it may have died in the middle of a change. */
async function signInWhereAsked(run: Run, player: Player): Promise<void> {
  const { device, random } = player;
  const { userId, needsLogin } = await device.ask("session");
  const there = run.people.find(({ id }) => id === userId);
  if (there !== undefined && there !== whoIsIn(player)) enter(run, player, there);
  const { email, password } = whoIsIn(player);
  if (userId === "" || (needsLogin && random() < 0.4)) await device.ask("signIn", email, password);
}

const whoIsIn = ({ guests }: Player): Person => guests.at(-1) as Person;

function enter({ ledger }: Run, player: Player, person: Person): void {
  player.since = ledger.entries.length;
  player.guests = [...player.guests.filter((guest) => guest !== person), person];
}

/** Somebody else takes the device; the queue of the one before stays sealed on it. */
async function changeUser(run: Run, player: Player): Promise<void> {
  const { device, random } = player;
  // The two devices of one person keep him, so that each of his targets has one device.
  if (device.share.of > 1) return;
  const back = whoIsIn(player);
  const next = pickOne(
    random,
    run.people.filter(({ id }, at) => at > 0 && id !== back.id),
  );
  if (next === undefined) return;
  const { epoch, rows } = await device.ask("held", [back.id]);
  if (epoch !== run.world.epoch()) forgetWhatIsLeft(run.ledger, device.name, rows);
  // Even where nobody else comes in, the replica goes.
  player.since = run.ledger.entries.length;
  await device.ask("signOut");
  if (await device.ask("signIn", next.email, next.password)) enter(run, player, next);
}

const isFaulty = ({ fault }: Exchange): boolean => fault !== "pass";

/** What a device would send again. No pull tells of a comment on a medium that is not held. */
function keptOn(disk: Closed["disk"], { id }: Person): unknown[] {
  const comments = new Set(rowsOnDisk(disk, id, "comments").map((row) => row.id));
  return rowsOnDisk(disk, id, "outbox")
    .filter((row) => comments.has(commentAbout(row) ?? "") || commentAbout(row) === null)
    .map((row) => row["target"]);
}

async function reckon(run: Run): Promise<ChaosReport> {
  const { world, players, ledger, people } = run;
  for (const { device } of players) device.proxy.heal();
  world.bucket?.heal();
  const stored = [...(world.bucket?.seen ?? [])];
  const report: ChaosReport = {
    violations: [],
    ledger,
    left: [],
    seen: Object.fromEntries(players.map(({ device }) => [device.name, device.proxy.seen])),
    taken: ledger.entries.filter(({ fate }) => fate === "taken").length,
    deaths: 0,
    requests: 0,
    faults: 0,
    kills: world.kills(),
    storeRequests: stored.length,
    storeFaults: stored.filter(isFaulty).length,
  };
  const left: Left[] = [];
  for (const { device, guests } of players) {
    const patienceMs = isStuck(left) ? LESS_PATIENCE_MS : (run.options.patienceMs ?? PATIENCE_MS);
    left.push(...(await settleDevice(device, guests, patienceMs)));
  }
  // What is stuck stays so.
  const rest = isStuck(left) ? { left: [], restless: [] } : await bringToRest(players);
  report.left = lastWords([...left, ...rest.left]);
  report.violations.push(...rest.restless.map((name) => `${name} does not come to rest`));
  const kept = new Set<string>();
  for (const { device, guests, since: last } of players) {
    const person = guests.at(-1) as Person;
    // Everybody else's queue was looked after in between.
    const since = guests.length > 1 ? ledger.entries.length : last;
    const closed = await device.close();
    report.violations.push(...closed.violations);
    for (const target of keptOn(closed.disk, person)) kept.add(`${device.name} ${target}`);
    report.violations.push(
      ...(await checkReplica({ world, person, people, closed, device, ledger, since })),
    );
    report.deaths += device.deaths;
    report.requests += device.proxy.seen.length;
    report.faults += device.proxy.seen.filter(isFaulty).length;
  }
  report.violations.push(
    ...(await checkServer({ world, ledger, left: report.left, people, seen: report.seen, kept })),
  );
  return report;
}
