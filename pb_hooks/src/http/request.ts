/**
 * What a handler asks about its request: who sent it, what is in it, and which fields it may write.
 * Also the record helpers that every noun needs: look-ups that tell "none" from "could not look",
 * and one transaction around the rest of a request.
 */
import { pairId } from "@/domain/ids";
import { busyError, isFailedLookup } from "./refusals";

/** Inside a record event, PocketBase's `request` and `response` belong to the event it wraps. */
export function requestOf(e: core.RequestEvent): core.RequestEvent {
  return (e as { requestEvent?: core.RequestEvent }).requestEvent ?? e;
}

export const isSuperuser = (e: core.RequestEvent): boolean => e.hasSuperuserAuth();

/** A request header's text, "" where it is missing. */
export const headerOf = (e: core.RequestEvent, name: string): string =>
  requestOf(e).request?.header.get(name) ?? "";

/**
 * The account behind the token. PocketBase treats a token that it could not look up as a guest's.
 * This looks it up again, so that a database that cannot answer becomes a 503.
 */
export function authOf(e: core.RequestEvent): core.Record | null {
  if (e.auth) return e.auth;
  const token = headerOf(e, "Authorization").replace(/^Bearer /i, "");
  if (token === "") return null;
  try {
    e.auth = e.app.findAuthRecordByToken(token, "auth");
    return e.auth ?? null;
  } catch (error) {
    if (isFailedLookup(error)) throw busyError();
    return null;
  }
}

/** Id of the signed-in user; "" for guests and superusers. */
export function userIdOf(e: core.RequestEvent): string {
  const auth = authOf(e);
  return auth && !e.hasSuperuserAuth() ? auth.id : "";
}

/** Whether the request carries a token that belongs to no account, or one that has expired. */
export const hasBadToken = (e: core.RequestEvent): boolean =>
  authOf(e) === null && headerOf(e, "Authorization") !== "";

/**
 * The user's id for routes where a bad token must not count as a guest's: "" for a guest or a
 * superuser, null for a bad token or a suspended account.
 */
export function callerId(e: core.RequestEvent): string | null {
  const auth = authOf(e);
  if (isSuspended(e) || hasBadToken(e)) return null;
  return auth === null || auth.isSuperuser() ? "" : auth.id;
}

export const isAdmin = (e: core.RequestEvent): boolean =>
  userIdOf(e) !== "" && (e.auth?.getBool("isAdmin") ?? false);

/** A suspension ends all tokens of the account, but a superuser can make new ones. */
export const isSuspended = (e: core.RequestEvent): boolean =>
  userIdOf(e) !== "" && (e.auth?.getBool("isBlocked") ?? false);

/** A longer header is no bearer's. */
const BEARER_MAX = 512;

/** Whether the request has `token`, which is no account's, as its bearer. */
export function isBearer(e: core.RequestEvent, token: string): boolean {
  const given = headerOf(e, "Authorization");
  // Digests: the comparison takes as long for a token of another length.
  return (
    given.length <= BEARER_MAX &&
    $security.equal($security.sha256(given), $security.sha256(`Bearer ${token}`))
  );
}

/** The connection below PocketBase's wrapper; `http.ResponseController` calls the same method. */
export interface Connection {
  setReadDeadline?: (at: time.Time) => void;
  unwrap?: () => Connection;
}

/** Null in hooks of record events, whose body was read before. */
export function connectionOf(e: core.RequestEvent): Connection | null {
  let connection = (e.response ?? null) as unknown as Connection | null;
  while (connection?.unwrap) connection = connection.unwrap();
  return connection;
}

const timeIn = (seconds: number): time.Time =>
  new DateTime(new Date(Date.now() + seconds * 1000).toISOString()).time();

const HOUR = 3_600;

/** Runs `read`, which reads the body, and cuts it off after so long: an engine waits for it. */
export function readBody<T>(e: core.RequestEvent, seconds: number, read: () => T): T {
  const connection = connectionOf(e);
  const end = Date.now() + seconds * 1000;
  waitForBody(e, seconds);
  try {
    return read();
  } finally {
    // Go reads the rest of a body that was cut off, and must not wait for it.
    if (Date.now() < end) connection?.setReadDeadline?.(timeIn(HOUR));
  }
}

/** For refusals before the body is read: Go reads it first, and waits for it so long at most. */
export const waitForBody = (e: core.RequestEvent, seconds: number): void =>
  connectionOf(e)?.setReadDeadline?.(timeIn(seconds));

/** Seconds for a few hundred bytes of JSON. */
export const JSON_SECONDS = 10;

/** The body as PocketBase read it, JSON and forms alike. */
export function bodyOf(e: core.RequestEvent): Record<string, unknown> {
  const read = () => (e.requestInfo().body ?? {}) as Record<string, unknown>;
  return readBody(e, JSON_SECONDS, read);
}

/** The collection that the path of one of our routes names: `/api/collections/{name}/…`. */
export const collectionOfPath = (e: core.RequestEvent): core.Collection =>
  e.app.findCachedCollectionByNameOrId((e.request?.url?.path ?? "").split("/")[3] ?? "");

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A whole number of at most 15 digits, or -1. */
export const wholeNumber = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1);

/** Fields that PocketBase protects by itself. */
const SELF_KEPT = ["id", "password", "tokenKey"];

/** Restores every field except `allowed`, so that a client's value for it is ignored. */
export function keepOnly(record: core.Record, allowed: readonly string[]): void {
  const original = record.original();
  for (const name of record.collection().fields.fieldNames()) {
    if (!SELF_KEPT.includes(name) && !allowed.includes(name)) record.set(name, original.get(name));
  }
}

/** Runs the rest of a request (`work` calls `e.next()`) in one transaction, before the answer. */
export function inTransaction(e: { app: CoreApp }, work: (tx: CoreApp) => void): void {
  const outer = e.app;
  try {
    outer.runInTransaction((tx) => {
      e.app = tx;
      work(tx);
    });
  } finally {
    e.app = outer;
  }
}

/** The record, or null where there is none. Throws when the database could not look. */
export function findRecord(app: CoreApp, collection: string, id: string): core.Record | null {
  if (id === "") return null;
  try {
    return app.findRecordById(collection, id);
  } catch (error) {
    if (isFailedLookup(error)) throw busyError();
    return null;
  }
}

/**
 * Whether the row that a request would create exists and belongs to the caller: the first answer
 * was lost. A block or a ban since then does not undo it.
 */
export function isRepeat(e: core.RecordRequestEvent, ownerField: string): boolean {
  const existing = findRecord(e.app, e.collection?.name ?? "", e.record?.id ?? "");
  return existing !== null && existing.getString(ownerField) === userIdOf(e);
}

/** Whether one of the two has blocked the other. */
export function isBlockedEitherWay(app: CoreApp, a: string, b: string): boolean {
  return (
    findRecord(app, "blocks", pairId(a, b)) !== null ||
    findRecord(app, "blocks", pairId(b, a)) !== null
  );
}

/** Set on a record that a superuser writes, so that imports skip the checks between people. */
export const TRUSTED = "@trusted";

interface KeptSettings {
  productName: string;
  /** "" where the operator has set none. */
  defaultLanguage: string;
  limits: Record<string, unknown>;
}

const KEPT_SETTINGS = "settings";

/** What the operator has set, from the server's memory: a refusal must not cost a look-up. */
export function keptSettings(app: CoreApp): KeptSettings {
  const kept = app.store().get(KEPT_SETTINGS);
  if (typeof kept === "string") return JSON.parse(kept) as KeptSettings;
  return keepSettings(app, app.findRecordById("settings", "app"));
}

export function keepSettings(app: CoreApp, row: core.Record): KeptSettings {
  const settings = {
    productName: row.getString("productName").trim(),
    defaultLanguage: row.getString("defaultLanguage"),
    limits: limitsOf(row),
  };
  app.store().set(KEPT_SETTINGS, JSON.stringify(settings));
  return settings;
}

/** The limits in the settings row `app`, by name. */
export const limitsOf = (settings: core.Record): Record<string, unknown> =>
  (JSON.parse(settings.getString("limits") || "{}") ?? {}) as Record<string, unknown>;
