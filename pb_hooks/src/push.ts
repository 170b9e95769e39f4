/**
 * Web Push: which devices want to be woken, for what, and who is to be woken now. A push is empty,
 * so that no push service reads a word: it wakes the device's own worker, which pulls. Triggers
 * note in `_pushes`, within the transaction of the event itself, which devices are to be woken: one
 * row for each, so that a flood of messages is one push. The pusher, a process of its own
 * (scripts/pusher.mjs), takes these rows and says what became of them; no request waits for it.
 */
import { answer, NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
import { bodyOf, isBearer, userIdOf } from "@hooks/http/request";
import { bitsOfKinds, isPushEndpoint, isQuietHours, kindsOfBits } from "@/domain/push";
import { mayWrite, NOT_SIGNED_IN, ownSession } from "./sessions";

declare const console: { log(text: string): void };

export const pushHandlers = {
  /**
   * `GET /api/account/push`: `{publicKey, subscription}` of the caller's device. Without a key this
   * server sends none; without a subscription this device wants none.
   */
  pushState(e: core.RequestEvent) {
    const session = callersSession(e);
    if (session === null) return;
    const app = e.app as CoreApp;
    const [row] = read(app, "SELECT kinds, quiet FROM _subscriptions WHERE session = {:session}", {
      session,
    });
    answer(e, 200, {
      publicKey: keysOf(app)?.publicKey ?? null,
      subscription: row ? { kinds: kindsOfBits(row.kinds), quiet: quietOf(row.quiet) } : null,
    });
  },

  /** `PUT /api/account/push` `{endpoint, kinds, quiet}`: this device, from now on. */
  subscribe(e: core.RequestEvent) {
    const session = callersSession(e);
    if (session === null || !mayWrite(e, userIdOf(e))) return;
    const app = e.app as CoreApp;
    const { endpoint, kinds, quiet = null } = bodyOf(e);
    const isKnown = typeof endpoint === "string" && isPushEndpoint(endpoint, moreServices());
    const bits = Array.isArray(kinds) && kinds.length <= KINDS_MAX ? bitsOfKinds(kinds) : null;
    const isSound = quiet === null || isQuietHours(quiet);
    if (keysOf(app) === null) return refuse(e, NOT_FOUND);
    if (!isKnown || !bits || !isSound) return refuse(e, refusalOf("invalid"));
    const { from, to, zone } = quiet ?? { from: "", to: "", zone: "" };
    app.runInTransaction((tx) => {
      change(
        tx,
        "DELETE FROM _subscriptions WHERE endpoint = {:endpoint} AND session != {:session}",
        {
          endpoint,
          session,
        },
      );
      change(
        tx,
        `INSERT INTO _subscriptions (session, userId, endpoint, kinds, quiet)
          SELECT id, userId, {:endpoint}, {:bits}, {:quiet} FROM sessions WHERE id = {:session}
          ON CONFLICT (session) DO UPDATE SET endpoint = excluded.endpoint, kinds = excluded.kinds,
            quiet = excluded.quiet`,
        { session, endpoint, bits, quiet: quiet === null ? "" : `${from} ${to} ${zone}` },
      );
      // What waited for other hours, or for another push service, waits no more.
      change(tx, "UPDATE _pushes SET held = 0, tries = 0 WHERE session = {:session}", { session });
    });
    e.noContent(204);
  },

  /** `DELETE /api/account/push`: this device wants to be woken no more. */
  unsubscribe(e: core.RequestEvent) {
    const session = callersSession(e);
    if (session === null || !mayWrite(e, userIdOf(e))) return;
    const sql = "DELETE FROM _subscriptions WHERE session = {:session}";
    change(e.app as CoreApp, sql, { session });
    e.noContent(204);
  },

  /**
   * `POST /api/push/turn` `{keys, outcomes}`, for the pusher alone: notes what became of the pushes
   * that it took, and gives it the next ones, `{keys, subject, pushes, next}`. A row that it took
   * and says nothing of comes again when its lease is over: a killed pusher loses none.
   */
  turnPushes(e: core.RequestEvent) {
    const token = $os.getenv("PUSH_TOKEN");
    if (token.length < TOKEN_MIN) return refuse(e, NOT_FOUND);
    if (!isBearer(e, token)) return refuse(e, refusalOf("unauthenticated", "The token is wrong."));
    const { keys, outcomes } = bodyOf(e) as unknown as Turn;
    let given: unknown = null;
    (e.app as CoreApp).runInTransaction((tx) => {
      if (keys)
        change(
          tx,
          "INSERT OR IGNORE INTO _push_keys (one, publicKey, privateKey) VALUES (1, {:publicKey}, {:privateKey})",
          keys,
        );
      for (const outcome of outcomes ?? []) settle(tx, outcome);
      given = takeDue(tx);
    });
    answer(e, 200, given);
  },

  /** Runs after an event that may have noted a push, and was committed. */
  callPusher(e: core.RecordEvent): void {
    e.next();
    if ($os.getenv("PUSH_TOKEN").length < TOKEN_MIN) return;
    const sql = `SELECT 1 AS n FROM _pushes WHERE max(due, held) <= unixepoch() + ${SOON_SECONDS} LIMIT 1`;
    const [row] = read(e.app, sql);
    // The launcher reads it, and wakes the pusher (scripts/server.mjs).
    if (row) console.log("augenblick:push");
  },
};

/** A shorter one counts as none. */
const TOKEN_MIN = 16;
const KINDS_MAX = 8;
const AT_ONCE = 50;
/** The pusher looks by itself once a minute. */
const SOON_SECONDS = 60;
/** Longer than the pusher needs for so many. */
const LEASE_SECONDS = 90;
const MOST_TRIES = 12;
/** Between two pushes to a device (pb_migrations/1795000360-push.js). */
const PAUSE_SECONDS = 20;
/** What could not be told for so long is seen when the app is opened. */
const OLDEST_SECONDS = 2 * 24 * 3600;

type Keys = Record<"publicKey" | "privateKey", string>;

interface Outcome {
  session: string;
  endpoint: string;
  /** The row's number when it was taken: it grows with each event. */
  n: number;
  /** `gone`: the push service knows the device no more. `later`: try again. `quiet`: not now. */
  outcome: "sent" | "gone" | "later" | "quiet";
  seconds: number;
}

interface Turn {
  keys?: Keys;
  outcomes?: Outcome[];
}

const EMPTY_ROW = {
  session: "",
  endpoint: "",
  kinds: 0,
  quiet: "",
  n: 0,
  tries: 0,
  publicKey: "",
  privateKey: "",
};

function read(app: CoreApp, sql: string, binds: Record<string, unknown> = {}) {
  const rows = arrayOf(new DynamicModel(EMPTY_ROW)) as unknown as (typeof EMPTY_ROW)[];
  app.db().newQuery(sql).bind(binds).all(rows);
  return Array.from(rows);
}

const change = (app: CoreApp, sql: string, binds: Record<string, unknown>): number =>
  Number(app.nonconcurrentDB().newQuery(sql).bind(binds).execute().rowsAffected());

/** The pair with which the place signs; null where no pusher has ever run, or none may. */
function keysOf(app: CoreApp): Keys | null {
  if ($os.getenv("PUSH_TOKEN").length < TOKEN_MIN) return null;
  const [row] = read(app, "SELECT publicKey, privateKey FROM _push_keys");
  return row ? { publicKey: row.publicKey, privateKey: row.privateKey } : null;
}

/** Origins of further push services, which the operator names. */
const moreServices = (): string[] =>
  $os
    .getenv("PUSH_SERVICES")
    .split(/[\s,]+/)
    .filter((origin) => /^https?:\/\/[^/]+$/.test(origin));

function quietOf(stored: string) {
  const [from = "", to = "", zone = ""] = stored.split(" ");
  return stored === "" ? null : { from, to, zone };
}

/** The id of the session that the request comes from; null where it was refused. */
function callersSession(e: core.RequestEvent): string | null {
  const me = userIdOf(e);
  const session = me === "" ? null : ownSession(e, me);
  if (session !== null) return session.id;
  refuse(e, me === "" ? NOT_SIGNED_IN : refusalOf("forbidden", "This device has no session."));
  return null;
}

function settle(tx: CoreApp, { session, endpoint, n, outcome, seconds }: Outcome): void {
  const row = { session, endpoint, n, seconds: Math.max(0, Math.ceil(Number(seconds))) };
  // Nothing of it is about a subscription that took its place meanwhile.
  const isIt =
    "session = (SELECT session FROM _subscriptions WHERE session = {:session} AND endpoint = {:endpoint})";
  if (outcome === "gone") {
    change(tx, `DELETE FROM _subscriptions WHERE ${isIt}`, row);
  } else if (outcome === "sent") {
    change(tx, `UPDATE _subscriptions SET sentAt = unixepoch() WHERE ${isIt}`, row);
    change(tx, `DELETE FROM _pushes WHERE ${isIt} AND n = {:n}`, row);
    // What happened after it was taken is another push.
    const again = `due = unixepoch() + ${PAUSE_SECONDS}, held = 0, tries = 0`;
    change(tx, `UPDATE _pushes SET ${again} WHERE ${isIt} AND n > {:n}`, row);
  } else {
    const tries = outcome === "later" ? "tries + 1" : "tries";
    const held = `held = unixepoch() + {:seconds}, tries = ${tries}`;
    change(tx, `UPDATE _pushes SET ${held} WHERE ${isIt}`, row);
  }
}

/** Takes the rows that are due, for the length of a lease. */
function takeDue(tx: CoreApp) {
  const dead = `DELETE FROM _pushes WHERE tries >= ${MOST_TRIES} OR since < unixepoch() - ${OLDEST_SECONDS}`;
  change(tx, dead, {});
  const rows = read(
    tx,
    `SELECT p.session, p.n, p.tries, s.endpoint, s.quiet FROM _pushes p
      JOIN _subscriptions s ON s.session = p.session
      WHERE max(p.due, p.held) <= unixepoch() ORDER BY max(p.due, p.held) LIMIT ${AT_ONCE}`,
  );
  for (const { session } of rows)
    change(
      tx,
      `UPDATE _pushes SET held = unixepoch() + ${LEASE_SECONDS} WHERE session = {:session}`,
      {
        session,
      },
    );
  const [next] = read(
    tx,
    "SELECT min(max(due, held)) - unixepoch() AS n FROM _pushes HAVING count(*) > 0",
  );
  const pushes = rows.map(({ session, n, tries, endpoint, quiet }) => ({
    session,
    n,
    tries,
    endpoint,
    quiet: quietOf(quiet),
  }));
  const { senderAddress, appURL } = tx.settings().meta;
  const subject = appURL.startsWith("https://") ? appURL : `mailto:${senderAddress}`;
  return { keys: keysOf(tx), subject, pushes, next: next ? Math.max(0, next.n) : null };
}
