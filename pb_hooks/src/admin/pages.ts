/**
 * The panel's requests: who may ask, pages of rows by keyset, and the search for accounts. Each
 * request checks again whether its account is an admin, so that a demotion takes effect at once.
 */
import { answer, refusalOf, refuse } from "@hooks/http/refusals";
import { isAdmin, isSuspended, userIdOf } from "@hooks/http/request";

/** Whether the request may go on; otherwise it has been refused already. */
export function admitAdmin(e: core.RequestEvent): boolean {
  // No cache may keep what admins see.
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

/** A list in one order, by pages. Its texts are SQL of ours; values of a request go to `binds`. */
export interface PagedList {
  from: string;
  /** Arguments of `json_object` for the answer's row. */
  row: string;
  /** The column to sort by, and the one for equal values. */
  sort: string;
  id: string;
  descending: boolean;
  /** Whether to compare as numbers instead of texts. */
  isNumber?: boolean;
  where: string[];
  binds: Binds;
  most: number;
}

interface Page {
  items: Record<string, unknown>[];
  next: string | null;
}

/** Parses a cursor, `value~id` of the last row of the page before; null where it is invalid. */
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

/** Null when `after` is no valid cursor. */
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

/** The sum of these numbers of `_counts`. */
function countOf(app: CoreApp, ...names: string[]): number {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  const list = names.map((name) => `'${name}'`).join(", ");
  app
    .db()
    .newQuery(`SELECT COALESCE(sum(n), 0) AS n FROM _counts WHERE name IN (${list})`)
    .one(row);
  return row.n;
}

/** Answers one page, with the length of the whole list. */
export function answerPage(e: core.RequestEvent, list: PagedList, ...counted: string[]): void {
  const page = readPage(e, list);
  if (page === null) refuse(e, refusalOf("invalid"));
  else answer(e, 200, { ...page, total: countOf(e.app, ...counted) });
}

/** The entry of `list` for a name from a request. */
export const named = <T>(list: Record<string, T>, name: string): T | undefined =>
  Object.keys(list).includes(name) ? list[name] : undefined;

// Accounts by part of a name or an address (`_user_search`). For admins only, because addresses are
// private.

/** Up to so many matches are sorted. With more, the list is read in its order and compared. */
const FINDS_SORTED = 1_000;

/** Letters that the trigram index needs. */
const PART_MIN = 3;

export const likeText = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

interface Search {
  where: string[];
  binds: Record<string, string>;
}

/** Whether `query` finds more rows than can be sorted quickly. */
function isBroad(app: CoreApp, query: string, binds: Record<string, string>): boolean {
  const found = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app
    .db()
    .newQuery(`SELECT count(*) AS n FROM (${query} LIMIT ${FINDS_SORTED + 1})`)
    .bind(binds)
    .one(found);
  return found.n > FINDS_SORTED;
}

/** Names that begin with `text`, by their index. The `+` keeps that index out of a broad search. */
function beginningWith(app: CoreApp, text: string): Search {
  const binds = { from: text, until: `${text}\u{10ffff}` };
  const within = "username COLLATE NOCASE BETWEEN {:from} AND {:until}";
  if (!isBroad(app, `SELECT 1 FROM users WHERE ${within}`, binds)) {
    return { where: [`u.${within}`], binds };
  }
  return {
    where: ["+u.username LIKE {:like} ESCAPE '\\'"],
    binds: { like: `${likeText(text)}%` },
  };
}

/** The condition for `text` in names and addresses; one or two letters match a name's start. */
export function searchOf(app: CoreApp, text: string): Search {
  if (text === "") return { where: [], binds: {} };
  if (text.length < PART_MIN) return beginningWith(app, text);
  const binds = { match: `"${text.replace(/"/g, '""')}"` };
  const matching = "FROM _user_search WHERE _user_search MATCH {:match}";
  if (!isBroad(app, `SELECT 1 ${matching}`, binds)) {
    const numbers = `SELECT rowid ${matching}`;
    return {
      where: [`u.id IN (SELECT id FROM _user_numbers WHERE n IN (${numbers}))`],
      binds,
    };
  }
  return {
    where: ["u.username LIKE {:like} ESCAPE '\\' OR u.email LIKE {:like} ESCAPE '\\'"],
    binds: { like: `%${likeText(text)}%` },
  };
}
