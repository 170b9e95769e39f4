/** What happens to the server itself in a run, by the number of operations done: seeded like everything else. */
import { seededRandom } from "@tests/support/seeded-random";
import type { Run } from "./run";
import { forgetWhatIsGone, lookAround, untilAlive } from "./what-is-gone";

export interface Weather {
  /** Called before each operation of anybody. */
  enter(): Promise<void>;
  /** And after it. */
  leave(): Promise<void>;
  /** Ends whatever goes on. */
  clear(): Promise<void>;
}

/** Everybody may be waiting for an answer of a paused server, and then no operation counts on. */
const PAUSE_MOST_MS = 1_500;
/** Operations after which a paused server goes on. */
const PAUSE_OPERATIONS = 3;
/** In a fifth of the operations each: the backup is old enough that something is lost, and there is time to mend it. */
const EVENTS = 5;
const BACKUP_EVENT = 2;
const RESTORE_EVENT = 4;

export function makeWeather(run: Run): Weather {
  const { options, world } = run;
  const random = seededRandom(options.seed + 77);
  const every = Math.max(12, Math.floor((options.devices * options.operations) / EVENTS));
  const gate = makeGate();
  let left = 0;
  let paused = 0;
  let busy: Promise<void> = Promise.resolve();
  const wakeUp = () => {
    if (paused === 0) return;
    process.kill(paused, "SIGCONT");
    paused = 0;
  };
  const pause = () => {
    paused = world.server.pid;
    process.kill(paused, "SIGSTOP");
    setTimeout(wakeUp, PAUSE_MOST_MS).unref();
  };
  const change = async (event: number) => {
    wakeUp();
    if (event === BACKUP_EVENT) return world.backUp();
    if (event === RESTORE_EVENT) return gate.whileNobodyActs(() => restore(run));
    if (random() < 0.4) return pause();
    await world.kill();
  };
  return {
    enter: gate.enter,
    async leave() {
      gate.leave();
      left += 1;
      const count = left;
      if (paused !== 0 && count % every === PAUSE_OPERATIONS) wakeUp();
      if (count % every === 0) busy = busy.then(() => change(count / every));
      await busy;
    },
    async clear() {
      await busy;
      wakeUp();
    },
  };
}

/**
 * What the restore took is known from what the server then has and the devices hold: nobody may act meanwhile, and no
 * request gets through.
 */
async function restore({ world, ledger, players, people }: Run): Promise<void> {
  const ways = players.map(({ device: { proxy } }) => ({ proxy, decide: proxy.decide }));
  for (const { proxy } of ways) proxy.decide = () => ({ kind: "drop-before" });
  await world.restore();
  // A pull that began before may still let go of what was kept for a day by the device's clock.
  await Promise.all(players.map(({ device }) => untilAlive(() => device.ask("pull"))));
  await forgetWhatIsGone(world, ledger, await lookAround(players, people));
  for (const { proxy, decide } of ways) proxy.decide = decide;
}

interface Gate {
  enter(): Promise<void>;
  leave(): void;
  whileNobodyActs(job: () => Promise<void>): Promise<void>;
}

function makeGate(): Gate {
  let acting = 0;
  let closed: Promise<void> | null = null;
  let onIdle = () => {};
  return {
    async enter() {
      while (closed !== null) await closed;
      acting += 1;
    },
    leave() {
      acting -= 1;
      if (acting === 0) onIdle();
    },
    async whileNobodyActs(job) {
      let open = () => {};
      closed = new Promise((resolve) => {
        open = resolve;
      });
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      if (acting > 0) await idle;
      try {
        await job();
      } finally {
        closed = null;
        open();
      }
    },
  };
}
