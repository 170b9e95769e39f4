/** Pulls at the start, at hints, on waking and by the clock, which finds the server's return. */
import type { ErrorCode } from "@/domain/error-codes";
import { UNREAD_POLL_MS } from "@/domain/limits";
import type { Result } from "@/domain/result";
import { createAlarm } from "@/lib/alarm";
import { retryDelay } from "@/lib/backoff";
import { createSerialQueue } from "@/lib/serial-queue";
import { codeOfFault } from "./answers";
import type { OnHint, Realtime } from "./realtime";

/** Longest pause between two tries to reach a server that does not answer. */
const PROBE_MOST_MS = 10_000;
/** Longest pause while the token is refused: a new sign-in starts a pull anyway. */
const REFUSED_MOST_MS = 120_000;

/** Hints of what others do make one pull in this time, so that a busy place costs each no more. */
const HINTS_MS = 2_000;

export interface SyncLoopDeps {
  pull: () => Promise<Result<{ changed: boolean }>>;
  /** The server does not take the token: asks it, and says whether to try again. */
  onUnauthenticated: () => Promise<boolean>;
  onPulled: (failure: ErrorCode | null) => void;
  makeRealtime: (on: { onHint: OnHint; onLost: () => void }) => Realtime;
  random: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  log: (message: string, error: unknown) => void;
}

export type SyncLoop = ReturnType<typeof createSyncLoop>;

export function createSyncLoop(deps: SyncLoopDeps) {
  const inTurn = createSerialQueue();
  let waiting: Promise<Result<{ changed: boolean }>> | null = null;
  let running = false;
  let closed = false;
  let [failures, losses] = [0, 0];
  /** Somebody else's request met no server since the last pull began. */
  let doubted = false;
  const alarm = createAlarm(deps.delay);
  const hints = createHints(deps, () => !closed && void step(false));

  const run = async (): Promise<Result<{ changed: boolean }>> => {
    waiting = null;
    hints.begin();
    doubted = false;
    if (closed) return { success: false, error: "canceled" };
    const result = await pullWithGoodToken(deps);
    failures = result.success ? 0 : failures + 1;
    if (!closed) deps.onPulled(result.success ? null : result.error);
    return result;
  };
  /** Pulls after what is already under way. Calls that wait together share one pull. */
  const pull = () => (waiting ??= inTurn(run));
  const realtime = deps.makeRealtime({
    onHint: (hint, withinMs) => {
      losses = 0;
      if (hint === "you") void step(false);
      else hints.ask(withinMs);
    },
    onLost: () => {
      losses += 1;
      again(retryDelay(losses, deps.random, UNREAD_POLL_MS));
    },
  });
  /** A pull by the clock that finds something shows that the stream is deaf. */
  const step = async (byClock: boolean) => {
    const listened = realtime.isOpen() && !hints.wait();
    const result = await pull();
    if (closed) return;
    // The leading tab pulls; another one only wants to know when the server is back.
    if (!running && result.success && !doubted) return;
    if (running && result.success) {
      if (byClock && listened && result.value.changed) realtime.close();
      realtime.open();
    }
    again(pause(result));
  };
  // A doubt that came up while the pull was under way is not answered by it.
  const pause = (result: Result<unknown>) =>
    doubted ? probePause(failures, deps) : pauseAfter(result, failures, deps.random);
  const again = (ms: number) => {
    if (!closed) alarm.set(ms, () => void step(true));
  };

  return {
    pull,
    start() {
      if (running || closed) return;
      running = true;
      void step(false);
    },
    probe() {
      doubted = true;
      again(probePause(failures, deps));
    },
    async close() {
      closed = true;
      alarm.stop();
      realtime.close();
      await inTurn(async () => undefined);
    },
  };
}

/**
 * Lets hints of what others do pull at once, or after a pause: where one of them just did, and at
 * some time of the span that the server gives, so that a crowd does not come in one moment.
 */
function createHints({ delay, random }: Pick<SyncLoopDeps, "delay" | "random">, pull: () => void) {
  let [due, paused, spanMs] = [false, false, 0];
  const pause = (ms: number, then: () => void) => {
    paused = true;
    void delay(ms).then(() => {
      paused = false;
      then();
    });
  };
  const act = () => {
    if (!due) return;
    due = false;
    pause(HINTS_MS, look);
    pull();
  };
  const look = () => {
    if (!due || paused) return;
    if (spanMs > HINTS_MS) pause(random() * spanMs, act);
    else act();
  };
  return {
    ask(withinMs: number) {
      due = true;
      spanMs = withinMs;
      look();
    },
    wait: () => due,
    /** A pull begins, which brings what was hinted. */
    begin() {
      due = false;
    },
  };
}

async function pullWithGoodToken(deps: SyncLoopDeps): Promise<Result<{ changed: boolean }>> {
  const result = await pullOrFail(deps);
  const again =
    !result.success && result.error === "unauthenticated" && (await deps.onUnauthenticated());
  return again ? pullOrFail(deps) : result;
}

/** What is thrown on this device is a failure like any other. */
async function pullOrFail(deps: SyncLoopDeps): Promise<Result<{ changed: boolean }>> {
  try {
    return await deps.pull();
  } catch (error) {
    deps.log("A pull failed on this device", error);
    return { success: false, error: codeOfFault(error) };
  }
}

const probePause = (failures: number, { random }: Pick<SyncLoopDeps, "random">): number =>
  retryDelay(failures + 1, random, PROBE_MOST_MS);

function pauseAfter(result: Result<unknown>, failures: number, random: () => number): number {
  // Also where there is a stream, which may have died without a word.
  if (result.success) return UNREAD_POLL_MS;
  const asked = result.retryAfter === undefined ? 0 : result.retryAfter * 1000;
  const most = result.error === "unauthenticated" ? REFUSED_MOST_MS : PROBE_MOST_MS;
  return Math.max(asked, retryDelay(failures, random, most));
}

/** While the queue is being sent, answers and hints ask for at most two pulls a second. */
const PACE_MS = 500;

export interface PaceDeps {
  isBusy: () => boolean;
  delay: (ms: number) => Promise<void>;
}

export type Pace = ReturnType<typeof createPace>;

export function createPace({ isBusy, delay }: PaceDeps) {
  const wanted = new Set<() => void>();
  let timed = false;
  const flush = () => {
    const pulls = [...wanted];
    wanted.clear();
    for (const pull of pulls) pull();
  };
  return {
    ask(pull: () => void) {
      if (!isBusy()) return pull();
      wanted.add(pull);
      if (timed) return;
      timed = true;
      void delay(PACE_MS).then(() => {
        timed = false;
        flush();
      });
    },
    idle: flush,
  };
}
