/** After the healing: everybody who has a queue on a device signs in once more, and waits until nothing waits. */
import type { ChaosDevice } from "./chaos-device";
import { Died } from "./died";
import type { RowOnDisk } from "./rows-on-disk";
import type { Person } from "./world";

/** What was left of one person's queue on one device when nothing moved any more. */
export interface Left {
  device: string;
  userId: string;
  /** Neither sent nor refused in time. */
  stuck: RowOnDisk[];
  refused: RowOnDisk[];
  /** Had used up their time and were sent again by hand: their order is no longer their lane's. */
  retried: RowOnDisk[];
}

/** A queue that has not come to its end by then never will: the pauses in it are seconds at most. */
export const PATIENCE_MS = 180_000;
/** Where one was stuck already, the run has failed. */
export const LESS_PATIENCE_MS = 5_000;
/** What is not sent in one round is in the next. */
const ROUND_PATIENCE_MS = 10_000;
const SIGN_IN_TRIES = 5;
/** Rounds over all devices in which a pull may bring something before there have to be two that bring nothing. */
const ROUNDS_MOST = 12;

export const isStuck = (left: readonly Left[]): boolean =>
  left.some(({ stuck }) => stuck.length > 0);

/**
 * Whoever is there now comes first: who leaves before his device knows of a restore leaves what it kept for that. And he
 * comes back at the end.
 */
export async function settleDevice(
  device: ChaosDevice,
  guests: readonly Person[],
  patienceMs: number,
): Promise<Left[]> {
  await keepAlive(device);
  await device.ask("setClock", 0);
  const left: Left[] = [];
  for (const person of [...guests.slice(-1), ...(guests.length > 1 ? guests : [])]) {
    await signInAs(device, person);
    left.push(await emptyQueue(device, person, isStuck(left) ? LESS_PATIENCE_MS : patienceMs));
  }
  return left;
}

/** Before it is told so, it may still die the death that was meant for it. */
async function keepAlive(device: ChaosDevice): Promise<void> {
  try {
    await device.ask("liveOn");
  } catch (error) {
    if (!(error instanceof Died)) throw error;
    await device.ask("liveOn");
  }
}

/**
 * What one device sends may bring another something to send: rounds over all of them until two in a row bring nothing to
 * anybody. Returns what was left of the queues then, and those whose pulls do not come to an end.
 */
export async function bringToRest(
  players: readonly { device: ChaosDevice; guests: readonly Person[] }[],
): Promise<{ left: Left[]; restless: string[] }> {
  let left: Left[] = [];
  let restless: string[] = [];
  for (let [round, empty] = [0, 0]; empty < 2 && round < ROUNDS_MOST; round++) {
    left = [];
    restless = [];
    for (const { device, guests } of players) {
      const person = guests.at(-1) as Person;
      await signInAs(device, person);
      const { success, rows } = await device.ask("pull");
      const end = await emptyQueue(device, person, ROUND_PATIENCE_MS);
      left.push(end);
      const isAtRest = success && rows === 0 && end.stuck.length === 0;
      if (!isAtRest) restless.push(device.name);
    }
    empty = restless.length === 0 ? empty + 1 : 0;
  }
  return { left, restless };
}

/** The last word on each person's queue on each device; what was sent again by hand at any time counts. */
export function lastWords(all: readonly Left[]): Left[] {
  const last = new Map<string, Left>();
  for (const each of all) {
    const about = `${each.device} ${each.userId}`;
    const retried = [...(last.get(about)?.retried ?? []), ...each.retried];
    last.set(about, { ...each, retried });
  }
  return [...last.values()];
}

async function signInAs(device: ChaosDevice, { id, email, password }: Person): Promise<void> {
  for (let tries = 0; tries < SIGN_IN_TRIES; tries++) {
    const before = await device.ask("session");
    if (before.userId !== "" && before.userId !== id) await device.ask("signOut");
    if (before.userId !== id) await device.ask("signIn", email, password);
    // A pull finds out whether the server still takes the token.
    await device.ask("pull");
    const { userId, needsLogin } = await device.ask("session");
    if (needsLogin) await device.ask("signIn", email, password);
    if (userId === id && !needsLogin) return;
  }
  throw new Error(`${device.name}: nobody could sign in`);
}

async function emptyQueue(device: ChaosDevice, person: Person, patienceMs: number): Promise<Left> {
  const left: Left = {
    device: device.name,
    userId: person.id,
    stuck: [],
    refused: [],
    retried: [],
  };
  for (;;) {
    const inTime = await withinPatience(device.ask("untilTerminal"), patienceMs);
    const rows = await device.ask("queue");
    const refused = rows.filter(({ state }) => state === "refused");
    const late = refused.filter((row) => row["code"] === "timeout");
    if (!inTime || late.length === 0) {
      left.stuck = rows.filter(({ state }) => state !== "refused" && state !== "kept");
      left.refused = refused;
      return left;
    }
    left.retried.push(...late);
    for (const { id } of late) await device.ask("retry", id);
  }
}

async function withinPatience(job: Promise<void>, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const inTime = await Promise.race([job.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
