/**
 * Where an account is signed in: one row for each device, with the hash of a secret that the device
 * alone has. A token lives for a day. With its secret, in the header `X-Session`, a device gets the
 * next one without a password, until its row is gone. PocketBase cannot end a single token, so the
 * end of a session gives the account a new `tokenKey`: other devices meet one 401 and renew.
 */
import { answer, dropBadFields, NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
import { findRecord, headerOf, isSuperuser, isSuspended, userIdOf } from "@hooks/http/request";
import { deviceWords } from "@/domain/accounts";
import { isId } from "@/domain/ids";
import { addressOf, refuseTooMany, takeOne } from "./limits";

export const sessionHandlers = {
  /**
   * Puts a new session into the auth answer of a client that asks for one (`X-Session`) and has
   * none, and at a sign-in the wrong guesses since the last.
   */
  openSession(e: core.RecordAuthRequestEvent) {
    const user = e.record;
    if (!user || headerOf(e, HEADER) === "" || isSuperuser(e)) return e.next();
    const own = ownSession(e, user.id);
    if (own !== null) touch(e.app, own.id, instant(-HOUR_SECONDS));
    const opened = own === null ? open(e, user) : null;
    const guesses = e.authMethod === "" ? null : readGuesses(e.app, user.id);
    if (opened) e.meta = { session: opened };
    if (guesses) e.meta = { ...(opened && { session: opened }), wrongGuesses: guesses };
    try {
      e.next();
    } catch (error) {
      if (opened) change(e.app, "DELETE FROM sessions WHERE id = {:id}", { id: opened.id });
      throw error;
    }
    if (guesses) {
      const told = { id: user.id, n: guesses.count };
      change(e.app, "DELETE FROM _guesses WHERE userId = {:id} AND n = {:n}", told);
    }
  },

  /** `GET /api/account/sessions`: `{items}`, the one last seen first. */
  listSessions(e: core.RequestEvent) {
    if (!isCaller(e)) return;
    const me = userIdOf(e);
    const own = ownSession(e, me);
    const rows = e.app.findRecordsByFilter("sessions", "userId = {:me}", "-lastSeenAt", 0, 0, {
      me,
    });
    const items = rows.map((row) => ({
      id: row?.id,
      device: row?.getString("device"),
      createdAt: row?.getString("createdAt"),
      lastSeenAt: row?.getString("lastSeenAt"),
      isThis: row?.id === own?.id,
    }));
    answer(e, 200, { items });
  },

  /** `POST /api/account/sessions/renew`: a fresh token for the session in the header. */
  renewSession(e: core.RequestEvent) {
    const wait = takeOne(e.app as CoreApp, "signInsPerMinute", addressOf(e));
    if (wait > 0) return refuseTooMany(e, wait);
    dropBadFields(e);
    const session = sessionOf(e);
    const user = session && findRecord(e.app as CoreApp, "users", session.getString("userId"));
    if (user?.getBool("isBlocked")) return refuse(e, refusalOf("suspended"));
    // The row once more: who was read after the session's end would get a token that lives.
    if (!session || !user || !touch(e.app as CoreApp, session.id)) {
      return refuse(e, refusalOf("unauthenticated", "This session has ended."));
    }
    $apis.recordAuthResponse(e, user, "");
  },

  /**
   * `DELETE /api/account/sessions/{id}`: answers a fresh token where it is not the caller's. The
   * caller's own needs its secret alone: its token may have run out.
   */
  endSession(e: core.RequestEvent) {
    const id = e.request?.pathValue("id") ?? "";
    const own = sessionOf(e);
    const isOwn = own?.id === id;
    if (!isOwn && !isCaller(e)) return;
    const row = isOwn ? own : isId(id) ? findRecord(e.app as CoreApp, "sessions", id) : null;
    const me = isOwn ? own.getString("userId") : userIdOf(e);
    if (!mayWrite(e, me)) return;
    if (row?.getString("userId") !== me) return refuse(e, NOT_FOUND);
    const user = endSessions(e.app as CoreApp, me, "id != {:id}", id);
    if (isOwn) e.noContent(204);
    else $apis.recordAuthResponse(e, user, "");
  },

  /** `POST /api/account/sessions/end`: ends all others and answers a fresh token. */
  endOtherSessions(e: core.RequestEvent) {
    const me = userIdOf(e);
    if (!isCaller(e) || !mayWrite(e, me)) return;
    const user = endSessions(e.app as CoreApp, me, "id = {:id}", ownSession(e, me)?.id ?? "");
    $apis.recordAuthResponse(e, user, "");
  },

  /** Removes sessions, and devices of ended ones, that were not used for 90 days. */
  pruneSessions(): void {
    const since = instant(-IDLE_SECONDS);
    for (const table of ["sessions", "_devices"]) {
      change($app as CoreApp, `DELETE FROM ${table} WHERE lastSeenAt < {:since}`, { since });
    }
  },
};

const HEADER = "X-Session";
const HOUR_SECONDS = 3600;
const IDLE_SECONDS = 90 * 24 * 3600;
const SECRET_LENGTH = 43;
/** An id of 15 characters, a dot, and the secret. */
const KEY_LENGTH = 16 + SECRET_LENGTH;
const SESSIONS_MAX = 50;

export const NOT_SIGNED_IN = refusalOf("unauthenticated", "Kein Benutzer angemeldet");

/** False when the request was answered, because it has no good token. */
function isCaller(e: core.RequestEvent): boolean {
  dropBadFields(e);
  if (userIdOf(e) === "") refuse(e, NOT_SIGNED_IN);
  else if (isSuspended(e)) refuse(e, refusalOf("suspended"));
  else return true;
  return false;
}

/** False when the request was answered: each end of a session is told to every device. */
export function mayWrite(e: core.RequestEvent, me: string): boolean {
  const wait = takeOne(e.app as CoreApp, "writesPerMinute", me);
  if (wait > 0) refuseTooMany(e, wait);
  return wait === 0;
}

/** As PocketBase stores dates. */
const instant = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString().replace("T", " ");

/** Answers how many rows it changed. */
function change(app: CoreApp, sql: string, binds: Record<string, string | number>): number {
  return Number(app.nonconcurrentDB().newQuery(sql).bind(binds).execute().rowsAffected());
}

/** The header `X-Session: {id}.{secret}`, with the secret's hash; null where there is none. */
function keyOf(e: core.RequestEvent): { id: string; hash: string } | null {
  const text = headerOf(e, HEADER);
  const [id = "", secret = ""] = text.split(".");
  if (text.length !== KEY_LENGTH || !isId(id)) return null;
  return { id, hash: $security.sha256(secret) };
}

/** The session that the header names; null where it names none, or one that has ended. */
function sessionOf(e: core.RequestEvent): core.Record | null {
  const key = keyOf(e);
  const row = key && findRecord(e.app as CoreApp, "sessions", key.id);
  if (!row || row.getString("lastSeenAt") < instant(-IDLE_SECONDS)) return null;
  return $security.equal(row.getString("secretHash"), key.hash) ? row : null;
}

/** The session from which `userId` sends this request. */
export function ownSession(e: core.RequestEvent, userId: string): core.Record | null {
  const session = sessionOf(e);
  return session?.getString("userId") === userId ? session : null;
}

/**
 * The session, ended ones too, with whose secret this request comes, if it is one of `userId`;
 * otherwise "".
 */
export function knownDevice(e: core.RequestEvent, userId: string): string {
  const own = ownSession(e, userId);
  if (own !== null) return own.id;
  const key = keyOf(e);
  if (key === null) return "";
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  const sql =
    "SELECT count(*) AS n FROM _devices WHERE id = {:id} AND userId = {:userId} AND secretHash = {:hash}";
  (e.app as CoreApp)
    .db()
    .newQuery(sql)
    .bind({ ...key, userId })
    .one(row);
  return row.n === 0 ? "" : key.id;
}

/** Notes that a session was used, where that was last noted before `due`. False: it has ended. */
function touch(app: CoreApp, id: string, due = "9"): boolean {
  const sql = "UPDATE sessions SET lastSeenAt = {:now} WHERE id = {:id} AND lastSeenAt < {:due}";
  return change(app, sql, { id, now: instant(0), due }) > 0;
}

/** Opens a session; null where the token that goes with it was ended meanwhile, or too many are. */
function open(e: core.RecordAuthRequestEvent, user: core.Record) {
  const app = e.app as CoreApp;
  if (takeOne(app, "writesPerMinute", user.id) > 0) return null;
  const secret = $security.randomString(SECRET_LENGTH);
  let id = "";
  app.runInTransaction((tx) => {
    if (findRecord(tx, "users", user.id)?.tokenKey() !== user.tokenKey()) return;
    const row = new Record(tx.findCollectionByNameOrId("sessions"));
    row.set("userId", user.id);
    row.set("secretHash", $security.sha256(secret));
    row.set("device", deviceWords(headerOf(e, "User-Agent")));
    row.set("lastSeenAt", instant(0));
    tx.save(row);
    id = row.id;
    tx.db()
      .newQuery(
        `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE userId = {:me} AND id != {:id}
          ORDER BY lastSeenAt DESC LIMIT -1 OFFSET ${SESSIONS_MAX - 1})`,
      )
      .bind({ me: user.id, id })
      .execute();
  });
  return id === "" ? null : { id, secret };
}

/** Marks the sessions that the next `tokenKey` of the account does not end, and no others. */
export function keepSessions(tx: CoreApp, me: string, which: string, id: string): void {
  tx.db()
    .newQuery(`UPDATE sessions SET kept = (${which}) WHERE userId = {:me}`)
    .bind({ me, id })
    .execute();
}

/** Ends all tokens of the account, and its sessions but `kept`; a trigger removes the rows. */
function endSessions(app: CoreApp, me: string, kept: string, id: string): core.Record {
  let user: core.Record | null = null;
  app.runInTransaction((tx) => {
    keepSessions(tx, me, kept, id);
    user = tx.findRecordById("users", me);
    user.refreshTokenKey();
    tx.save(user);
  });
  return user as unknown as core.Record;
}

interface Guesses {
  count: number;
  lastAt: string;
}

function readGuesses(app: CoreApp, userId: string): Guesses | null {
  const row = new DynamicModel({ count: 0, lastAt: "" }) as unknown as Guesses;
  const sql =
    "SELECT COALESCE(sum(n), 0) AS count, COALESCE(max(at), '') AS lastAt FROM _guesses WHERE userId = {:userId}";
  app.db().newQuery(sql).bind({ userId }).one(row);
  return row.count === 0 ? null : { count: row.count, lastAt: row.lastAt };
}

/** Counts a wrong password, for whom it is told at the next sign-in. */
export function noteGuess(app: CoreApp, userId: string): void {
  const sql = `INSERT INTO _guesses (userId, n, at) VALUES ({:userId}, 1, {:now})
    ON CONFLICT (userId) DO UPDATE SET n = n + 1, at = excluded.at`;
  change(app, sql, { userId, now: instant(0) });
}
