/** After the healing: everybody who has a queue on a device signs in once more, and waits until nothing waits. */
import type { ChaosDevice, Closed } from "./chaos-device";
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
const PATIENCE_MS = 180_000;
/** Where one was stuck already, the run has failed. */
const LESS_PATIENCE_MS = 5_000;
const SIGN_IN_TRIES = 5;
/** Pulls in a row that may bring something before there have to be two that bring nothing. */
const PULLS_MOST = 12;

export async function settleDevice(
  device: ChaosDevice,
  guests: readonly Person[],
  isStuck = false,
): Promise<Left[]> {
  await device.ask("liveOn");
  await device.ask("setClock", 0);
  const left: Left[] = [];
  for (const person of guests) {
    await signInAs(device, person);
    const stuck = isStuck || left.some((each) => each.stuck.length > 0);
    left.push(await emptyQueue(device, person, stuck ? LESS_PATIENCE_MS : PATIENCE_MS));
  }
  return left;
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

/** Pulls until two pulls in a row bring nothing, then ends the app. */
export async function bringToRest(device: ChaosDevice, person: Person): Promise<Closed> {
  await signInAs(device, person);
  const violations: string[] = [];
  let empty = 0;
  for (let pulls = 0; empty < 2; pulls++) {
    const { success, rows } = await device.ask("pull");
    empty = success && rows === 0 ? empty + 1 : 0;
    if (pulls < PULLS_MOST) continue;
    violations.push(`${device.name}: its pulls do not come to an end`);
    break;
  }
  const closed = await device.close();
  return { ...closed, violations: [...closed.violations, ...violations] };
}
