/**
 * How many of one address or account are worked at at the same time. The others wait for their
 * turn, and what comes beyond them is told to come again: so nobody's queue is everybody's. The
 * turns lie in the server's memory, which all engines share.
 */
import { JSON_SECONDS, requestOf, waitForBody } from "@hooks/http/request";
import { secondsOf } from "@/domain/times";
import { addressOf, isHalved, limitOf, refuseTooMany, takeOne } from "./limits";

const TURNS = "turns:";

/** Each may come to keep 32 MB of the database in memory. */
const CONNECTIONS = 16;

export const turnHandlers = {
  /**
   * At start. PocketBase opens up to 120 connections to the database and keeps 15 of them, so that
   * a crowd opens one for each request, which costs ten times as much as reading an account. More
   * readers than these wait for one of them. None of ours holds one while it wants another.
   */
  boundConnections(e: core.BootstrapEvent): void {
    e.next();
    const pool = (e.app as CoreApp).concurrentDB() as unknown as {
      db(): { setMaxOpenConns(n: number): void; setMaxIdleConns(n: number): void };
    };
    pool.db().setMaxOpenConns(CONNECTIONS);
    pool.db().setMaxIdleConns(CONNECTIONS);
  },

  /** Removes turns that are over, so that memory does not grow with everybody seen. */
  forgetOldTurns(): void {
    const now = secondsOf(Date.now());
    const all: Record<string, unknown> = $app.store().getAll();
    for (const key of Object.keys(all))
      if (key.startsWith(TURNS) && parseTurns(all[key], now) === null) $app.store().remove(key);
  },
};

/** So many more wait, and no longer than this, milliseconds. */
const WAITING_MOST = 16;
const WAITING_MS = 5_000;
const LOOK_MS = 5;
/** What a crash of a handler left is forgotten after so many seconds. */
const STALE_SECONDS = 60;

interface Turns {
  running: number;
  waiting: number;
}

/** `at`: when a turn last began or ended. Null where that is so long ago that a handler crashed. */
function parseTurns(stored: unknown, now: number): (Turns & { at: number }) | null {
  const [running = 0, waiting = 0, at = 0] = String(stored ?? "")
    .split(":")
    .map(Number);
  return now - at < STALE_SECONDS ? { running, waiting, at } : null;
}

const waitingFor = (app: CoreApp, key: string): number =>
  parseTurns(app.store().get(key), secondsOf(Date.now()))?.waiting ?? 0;

/** Changes how many run and wait; answers false, and changes nothing, where that is too many. */
function shift(app: CoreApp, key: string, { running, waiting }: Turns, most: number): boolean {
  const now = secondsOf(Date.now());
  let done = false;
  app.store().setFunc(key, (stored: unknown) => {
    const turns = parseTurns(stored, now) ?? { running: 0, waiting: 0, at: now };
    const next = {
      running: Math.max(0, turns.running + running),
      waiting: Math.max(0, turns.waiting + waiting),
    };
    done = (running <= 0 || next.running <= most) && (waiting <= 0 || next.waiting <= WAITING_MOST);
    const kept = done ? next : turns;
    // Whoever asks and waits must not keep a crashed handler's turn.
    const at = done && running !== 0 ? now : turns.at;
    return `${kept.running}:${kept.waiting}:${at}`;
  });
  return done;
}

const START: Turns = { running: 1, waiting: 0 };
const END: Turns = { running: -1, waiting: 0 };
const WAIT: Turns = { running: 0, waiting: 1 };
const LEAVE: Turns = { running: 0, waiting: -1 };
const BEGIN: Turns = { running: 1, waiting: -1 };

type ReadName = "listsPer10Sec" | "syncsPer10Sec" | "searchesPer10Sec";

/** PocketBase has counted the whole address; of IPv6 the half is counted here. Seconds to wait. */
const takeRead = (e: core.RequestEvent, name: ReadName): number =>
  isHalved(e.realIP()) ? takeOne(e.app as CoreApp, name, addressOf(e)) : 0;

/**
 * `inTurn` for what is counted as `name`. Answers 429 and null where the address had too many.
 */
export function inCountedTurn<T>(e: core.RequestEvent, name: ReadName, read: () => T): T | null {
  const wait = takeRead(e, name);
  if (wait === 0) return inTurn(e, read);
  refuseTooMany(e, wait);
  return null;
}

/**
 * Runs `read` as one of a few of the caller's address: each takes a connection to the database, and
 * a hundred at once cost five times as much as one after another. Answers 429 and null where too
 * many wait. The answer is written after the turn, because a slow reader takes long.
 */
export function inTurn<T>(e: core.RequestEvent, read: () => T): T | null {
  const most = Math.max(1, limitOf(e.app as CoreApp, "readsAtOnce"));
  return asOneOf(e, { key: addressOf(e), most }, read);
}

/** There is one writer of the database: whoever fills the queue before it makes everybody wait. */
const WRITES_AT_ONCE = 2;

/** Runs `write` as one of two of `who` (an account or an address). Answers 429 as `inTurn` does. */
export const asOneWriter = <T>(e: core.RequestEvent, who: string, write: () => T): T | null =>
  asOneOf(e, { key: `writes:${who}`, most: WRITES_AT_ONCE }, write);

function asOneOf<T>(
  e: core.RequestEvent,
  { key, most }: { key: string; most: number },
  run: () => T,
): T | null {
  const app = e.app as CoreApp;
  const turns = `${TURNS}${key}`;
  if (!shift(app, turns, START, most) && !awaitTurn(app, turns, most)) {
    refuseTooMany(requestOf(e), 1);
    return null;
  }
  try {
    return run();
  } finally {
    shift(app, turns, END, most);
  }
}

/** What reads the body of a form of up to 6 MB waits for its sender, and an engine with it. */
const FORMS_AT_ONCE = 6;
const FORM_AGAIN_SECONDS = 5;

/** Runs `read`, which reads a form of `owner`'s, or answers 429 and null where many are read. */
export function asOneForm<T>(e: core.RequestEvent, owner: string, read: () => T): T | null {
  const app = e.app as CoreApp;
  const key = `${TURNS}forms:${owner}`;
  if (!shift(app, key, START, FORMS_AT_ONCE)) {
    waitForBody(e, JSON_SECONDS);
    refuseTooMany(e, FORM_AGAIN_SECONDS);
    return null;
  }
  try {
    return read();
  } finally {
    shift(app, key, END, FORMS_AT_ONCE);
  }
}

function awaitTurn(app: CoreApp, key: string, most: number): boolean {
  if (!shift(app, key, WAIT, most)) return false;
  const end = Date.now() + WAITING_MS;
  while (Date.now() < end) {
    // Together they look as often as one alone.
    sleep(LOOK_MS * Math.max(1, waitingFor(app, key)));
    if (shift(app, key, BEGIN, most)) return true;
  }
  shift(app, key, LEAVE, most);
  return false;
}
