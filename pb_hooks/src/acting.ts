/** Who asks, what a request may write, and how a handler puts its work into one transaction. */

import { busy, isFailedLookup } from "./outage";

/** Inside a record event PocketBase's `request` and `response` hang on the event it wraps. */
export function requestOf(e: core.RequestEvent): core.RequestEvent {
  return (e as { requestEvent?: core.RequestEvent }).requestEvent ?? e;
}

export const isSuperuser = (e: core.RequestEvent): boolean => e.hasSuperuserAuth();

/**
 * The account behind the token. PocketBase takes one that it could not look up for a guest's; here it is looked up
 * again, and a database that cannot answer is an outage.
 */
export function authOf(e: core.RequestEvent): core.Record | null {
  if (e.auth) return e.auth;
  const token = (requestOf(e).request?.header.get("Authorization") ?? "").replace(/^Bearer /i, "");
  if (token === "") return null;
  try {
    e.auth = e.app.findAuthRecordByToken(token, "auth");
    return e.auth ?? null;
  } catch (error) {
    if (isFailedLookup(error)) throw busy();
    return null;
  }
}

/** Id of the signed-in user; "" for guests and superusers. */
export function userIdOf(e: core.RequestEvent): string {
  const auth = authOf(e);
  return auth && !e.hasSuperuserAuth() ? auth.id : "";
}

/**
 * Who asks, where a bad token must not pass for a guest's: "" for a guest (superusers read as one), null for a token
 * that is none.
 */
export function callerId(e: core.RequestEvent): string | null {
  const auth = authOf(e);
  if (isSuspended(e)) return null;
  if (auth) return auth.isSuperuser() ? "" : auth.id;
  return (e.request?.header.get("Authorization") ?? "") === "" ? "" : null;
}

export const isAdmin = (e: core.RequestEvent): boolean =>
  userIdOf(e) !== "" && (e.auth?.getBool("isAdmin") ?? false);

/** Whether the account is suspended: its tokens ended with that, but a superuser can make new ones. */
export const isSuspended = (e: core.RequestEvent): boolean =>
  userIdOf(e) !== "" && (e.auth?.getBool("isBlocked") ?? false);

/** The body as PocketBase read it, JSON and forms alike. */
export function bodyOf(e: core.RequestEvent): Record<string, unknown> {
  return (e.requestInfo().body ?? {}) as Record<string, unknown>;
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Never part of a client's list: PocketBase keeps them itself. */
const KEPT = ["id", "password", "tokenKey"];

/** Gives every field but `allowed` its original value back, so that a client's value for it is ignored. */
export function keepOnly(record: core.Record, allowed: readonly string[]): void {
  const original = record.original();
  for (const name of record.collection().fields.fieldNames()) {
    if (!KEPT.includes(name) && !allowed.includes(name)) record.set(name, original.get(name));
  }
}

/** Runs the rest of a request (`work`, which calls `e.next()`) in one transaction; it answers after the commit. */
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

/** The record, or null where there is none; throws where the database cannot say. */
export function findRecord(app: CoreApp, collection: string, id: string): core.Record | null {
  if (id === "") return null;
  try {
    return app.findRecordById(collection, id);
  } catch (error) {
    if (isFailedLookup(error)) throw busy();
    return null;
  }
}

/**
 * Whether the row that a request would make stands already and is the caller's: its first answer was lost. What came in
 * the way since, a block or a ban, does not undo it.
 */
export function isRepeat(e: core.RecordRequestEvent, ownerField: string): boolean {
  const stands = findRecord(e.app, e.collection?.name ?? "", e.record?.id ?? "");
  return stands !== null && stands.getString(ownerField) === userIdOf(e);
}

/** Whether one of the two has blocked the other. */
export function isBlockedEitherWay(app: CoreApp, a: string, b: string): boolean {
  return (
    findRecord(app, "blocks", `${a}_${b}`) !== null ||
    findRecord(app, "blocks", `${b}_${a}`) !== null
  );
}

/** Set on a record that a superuser writes: imports pass by the checks between people. Never stored. */
export const TRUSTED = "@trusted";
