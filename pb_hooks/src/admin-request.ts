/**
 * The panel's routes: who may ask, and pages of rows by keyset. Each request asks anew whether its account is an
 * admin, so that a demoted one has nothing from the next request on.
 */
import { isAdmin, isSuspended, userIdOf } from "./acting";
import { answer, refuse } from "./refuse";
import { refusalOf } from "./refused";

/** Whether the request may go on; the refusal has been answered where not. */
export function admitAdmin(e: core.RequestEvent): boolean {
  // What admins see stays in no cache.
  e.response.header().set("Cache-Control", "no-store");
  if (userIdOf(e) === "") {
    refuse(e, refusalOf(e.hasSuperuserAuth() ? "forbidden" : "unauthenticated"));
    return false;
  }
  if (isSuspended(e)) refuse(e, refusalOf("suspended"));
  else if (!isAdmin(e)) refuse(e, refusalOf("forbidden"));
  else return true;
  return false;
}

export const queryOf = (e: core.RequestEvent, name: string): string =>
  (e.request?.url?.query().get(name) ?? "").trim();

type Binds = Record<string, string | number>;

/** A list in one order, by pages. Every text of it is SQL of ours; what comes from outside is in `binds`. */
export interface PagedList {
  from: string;
  /** Arguments of `json_object`: what a row answers. */
  row: string;
  /** A column, and the one that decides among equals. */
  sort: string;
  id: string;
  descending: boolean;
  /** Compared as a number; else as text. */
  isNumber?: boolean;
  where: string[];
  binds: Binds;
  most: number;
}

export interface Page {
  items: Record<string, unknown>[];
  next: string | null;
}

/** `value~id` of the last row of the page before; null where it is none. */
function cursorOf(after: string, isNumber: boolean): Binds | null {
  const at = after.lastIndexOf("~");
  const value = after.slice(0, at);
  if (at < 0 || (isNumber && !/^-?\d{1,15}$/.test(value))) return null;
  return { afterValue: isNumber ? Number(value) : value, afterId: after.slice(at + 1) };
}

const PAGE_DEFAULT = 30;

function limitOf(e: core.RequestEvent, most: number): number {
  const wanted = queryOf(e, "limit");
  return /^[1-9]\d{0,5}$/.test(wanted)
    ? Math.min(Number(wanted), most)
    : Math.min(PAGE_DEFAULT, most);
}

/** Null when `after` is not a cursor of ours. */
export function readPage(e: core.RequestEvent, list: PagedList): Page | null {
  const after = queryOf(e, "after");
  const cursor = after === "" ? {} : cursorOf(after, list.isNumber ?? false);
  if (cursor === null) return null;
  const limit = limitOf(e, list.most);
  const compare = list.descending ? "<" : ">";
  const beyond =
    after === "" ? [] : [`(${list.sort}, ${list.id}) ${compare} ({:afterValue}, {:afterId})`];
  const where = [...list.where, ...beyond];
  const order = list.descending ? "DESC" : "ASC";
  const rows = arrayOf(new DynamicModel({ row: "" })) as unknown as { row: string }[];
  e.app
    .db()
    .newQuery(
      `SELECT json_object(${list.row}, '@at', ${list.sort} || '~' || ${list.id}) AS row FROM ${list.from}
       ${where.length > 0 ? `WHERE ${where.map((part) => `(${part})`).join(" AND ")}` : ""}
       ORDER BY ${list.sort} ${order}, ${list.id} ${order} LIMIT ${limit + 1}`,
    )
    .bind({ ...list.binds, ...cursor })
    .all(rows);
  const items: Record<string, unknown>[] = [];
  for (const { row } of rows) items.push(JSON.parse(row) as Record<string, unknown>);
  const more = items.length > limit;
  if (more) items.pop();
  const next = more ? String(items[items.length - 1]?.["@at"] ?? "") : null;
  for (const item of items) Reflect.deleteProperty(item, "@at");
  return { items, next };
}

/** A number of `_counts`; several are added. */
function countOf(app: CoreApp, ...names: string[]): number {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  const list = names.map((name) => `'${name}'`).join(", ");
  app
    .db()
    .newQuery(`SELECT COALESCE(sum(n), 0) AS n FROM _counts WHERE name IN (${list})`)
    .one(row);
  return row.n;
}

/** Answers one page, with the whole list's length beside it. */
export function answerPage(e: core.RequestEvent, list: PagedList, ...counted: string[]): void {
  const page = readPage(e, list);
  if (page === null) refuse(e, refusalOf("invalid"));
  else answer(e, 200, { ...page, total: countOf(e.app, ...counted) });
}

/** What a list of ours has under a name that comes from outside. */
export const named = <T>(list: Record<string, T>, name: string): T | undefined =>
  Object.keys(list).includes(name) ? list[name] : undefined;
