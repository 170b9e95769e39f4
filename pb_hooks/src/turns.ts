/**
 * How many of one address or account are worked at at the same time. The others wait for their
 * turn, and what comes beyond them is told to come again: so nobody's queue is everybody's. The
 * turns lie in the server's memory, which all engines share.
 *
 * [Note: Short locks] PocketBase looks into the same memory several times for each request. A
 * callback of ours under its lock is some hundred times as long as a plain `get` or `set`, and can
 * be interrupted: with a few hundred requests at work, everybody then waited for everybody. So what
 * each read does takes plain ones alone, and may rarely let one too many through.
 */
import { JSON_SECONDS, requestOf, waitForBody } from "@hooks/http/request";
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

  /** Removes what crashed handlers left, and rests that are over. */
  forgetOldTurns(): void {
    const now = Date.now();
    const all: Record<string, unknown> = $app.store().getAll();
    for (const key of Object.keys(all))
      if (key.startsWith(TURNS) && !isHeld(all[key], now)) $app.store().remove(key);
  },
};

/** So many more wait, and no longer than this, milliseconds. */
const WAITING_MOST = 16;
const WAITING_MS = 5_000;
const LOOK_MS = 5;
/** What a crash of a handler left is forgotten after so long; a form may take longer. */
const STALE_MS = 60_000;
const FORM_STALE_MS = 600_000;

/** Whether a place is taken: what stands there begins with the instant when that ends by itself. */
const isHeld = (stored: unknown, now: number): boolean =>
  Number(String(stored ?? "0").split(" ")[0]) > now;

interface Places {
  key: string;
  count: number;
  staleMs?: number;
}

interface Place {
  key: string;
  /** From 0; the first that is free is taken. */
  index: number;
}

/** One of some places, or null where all are taken. See Note: Short locks. */
function takePlace(app: CoreApp, { key, count, staleMs }: Places): Place | null {
  const now = Date.now();
  const mine = `${now + (staleMs ?? STALE_MS)} ${$security.pseudorandomString(10)}`;
  for (let index = 0; index < count; index += 1) {
    const place = `${TURNS}${key} ${index}`;
    if (isHeld(app.store().get(place), now)) continue;
    app.store().set(place, mine);
    // Where two wrote at once it is the later one's.
    if (app.store().get(place) === mine) return { key: place, index };
  }
  return null;
}

const leave = (app: CoreApp, place: Place): void => app.store().remove(place.key);

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

/** Answers with the JSON text that `read` makes as one of those counted as `name`. */
export function answerInTurn(e: core.RequestEvent, name: ReadName, read: () => string): void {
  e.response.header().set("Cache-Control", "no-store");
  const text = inCountedTurn(e, name, read);
  if (text === null) return;
  e.response.header().set("Content-Type", "application/json");
  e.string(200, text);
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

/**
 * Runs `write` as the one of `who` (an account or an address). Answers 429 as `inTurn` does. There
 * is one writer of the database: whoever fills the queue before it makes everybody wait.
 */
export const asOneWriter = <T>(e: core.RequestEvent, who: string, write: () => T): T | null =>
  asOneOf(e, { key: `writes:${who}`, most: 1 }, write);

function asOneOf<T>(
  e: core.RequestEvent,
  { key, most }: { key: string; most: number },
  run: () => T,
): T | null {
  const app = e.app as CoreApp;
  const turns = { key, count: most };
  const place = takePlace(app, turns) ?? awaitTurn(app, turns);
  if (place === null) {
    refuseTooMany(requestOf(e), 1);
    return null;
  }
  const start = Date.now();
  const address = addressOf(e);
  noteCaller(app, address, start);
  try {
    return run();
  } finally {
    const now = Date.now();
    if (areWaiting(app, key) && areOthers(app, address, now)) {
      const ms = Math.min(REST * (now - start), REST_MOST_MS);
      app.store().set(place.key, String(now + ms));
    } else leave(app, place);
  }
}

/**
 * So many times as long as a read or a write took its place stays taken, where more of the same
 * wait and others are there: whoever has always the next request waiting is worked for a quarter of
 * the time, and there is a core for the others. A device that comes back to an idle server with a
 * long queue is not slowed.
 */
const REST = 3;
/** So that nobody waits for five seconds because the work before was slow. */
const REST_MOST_MS = 200;

/** The last two addresses that had a turn, each with its instant. */
const CALLERS = "callers";
/** Somebody is there who had a turn in this time. */
const THERE_MS = 1_000;

const callersOf = (app: CoreApp): string[] => String(app.store().get(CALLERS) ?? "").split(" ");

function noteCaller(app: CoreApp, address: string, now: number): void {
  const [last = "", lastAt = "0", other = "", otherAt = "0"] = callersOf(app);
  const before = last === address ? `${other} ${otherAt}` : `${last} ${lastAt}`;
  app.store().set(CALLERS, `${address} ${now} ${before}`);
}

/** Whether another address than this one is there. */
function areOthers(app: CoreApp, address: string, now: number): boolean {
  const [last, lastAt, , otherAt] = callersOf(app);
  return now - Number(last === address ? otherAt : lastAt) < THERE_MS;
}

/** What reads the body of a form of up to 6 MB waits for its sender, and an engine with it. */
const FORMS_AT_ONCE = 6;
const FORM_AGAIN_SECONDS = 5;

/** Runs `read`, which reads a form of `owner`'s, or answers 429 and null where many are read. */
export function asOneForm<T>(e: core.RequestEvent, owner: string, read: () => T): T | null {
  const app = e.app as CoreApp;
  const forms = { key: `forms:${owner}`, count: FORMS_AT_ONCE, staleMs: FORM_STALE_MS };
  const place = takePlace(app, forms);
  if (place === null) {
    waitForBody(e, JSON_SECONDS);
    refuseTooMany(e, FORM_AGAIN_SECONDS);
    return null;
  }
  try {
    return read();
  } finally {
    leave(app, place);
  }
}

/** Until when the queue for `key` is taken for full, and for one in which somebody waits. */
const fullKey = (key: string): string => `${TURNS}${key} full`;
const waitedKey = (key: string): string => `${TURNS}${key} waited`;

const areWaiting = (app: CoreApp, key: string): boolean =>
  isHeld(app.store().get(waitedKey(key)), Date.now());

function awaitTurn(app: CoreApp, turns: Places): Place | null {
  const [full, waited] = [fullKey(turns.key), waitedKey(turns.key)];
  // One look for most of a crowd, where seventeen would cost as much as the rest of a refusal.
  if (isHeld(app.store().get(full), Date.now())) return null;
  const waiting = takePlace(app, { key: `${turns.key} waits`, count: WAITING_MOST });
  if (waiting === null) {
    app.store().set(full, String(Date.now() + LOOK_MS * WAITING_MOST));
    return null;
  }
  const end = Date.now() + WAITING_MS;
  try {
    while (Date.now() < end) {
      app.store().set(waited, String(Date.now() + 2 * LOOK_MS * WAITING_MOST));
      // Together they look as often as one alone.
      sleep(LOOK_MS * (waiting.index + 1));
      const place = takePlace(app, turns);
      if (place !== null) return place;
    }
    return null;
  } finally {
    leave(app, waiting);
    app.store().remove(full);
  }
}
