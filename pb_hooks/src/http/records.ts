/**
 * Records in answers: the lists of every collection, and rows as JSON.
 *
 * PocketBase's own list takes any filter over any relation and sorts by any column, and one such
 * request costs up to half a minute. `listRecords` stands before it, by the collection's name, and
 * answers only what one index can; the rest is refused before the database is asked. PocketBase's
 * route is open to superusers alone, who are redirected to it.
 */
import { dropBadFields, refusalOf, refuse } from "@hooks/http/refusals";
import { isAdmin, isSuspended, userIdOf, wholeNumber } from "@hooks/http/request";
import type { Refusal } from "@/domain/error-codes";

export const recordHandlers = {
  /** `GET /api/collections/{name}/records`: PocketBase's list, with -1 for the totals. */
  listRecords(e: core.RequestEvent): void {
    const url = e.request?.url;
    const name = /^\/api\/collections\/(\w+)\/records$/.exec(url?.path ?? "")?.[1] ?? "";
    const collection = e.app.findCachedCollectionByNameOrId(name);
    if (e.hasSuperuserAuth()) {
      e.redirect(307, `/api/collections/${collection.id}/records?${url?.rawQuery ?? ""}`);
      return;
    }
    const list = LISTS[name];
    if (list === undefined) throw new NotFoundError();
    const values = url?.query();
    const text = (parameter: string): string => values?.get(parameter) ?? "";
    const query = readQuery(list, columnsOf(collection), text);
    if ("code" in query) {
      refuse(e, query);
      return;
    }
    const me = userIdOf(e);
    const isActiveAdmin = isAdmin(e) && !isSuspended(e);
    const ids = readIds(e.app, name, { list, query, caller: { me, isAdmin: isActiveAdmin } });
    const hidden = isActiveAdmin ? (list.shownToAdmins ?? []) : [];
    const items = readDocumentsById(e.app, name, ids, { me, hidden });
    const { page, perPage } = query;
    const head = JSON.stringify({ page, perPage, totalItems: -1, totalPages: -1 });
    const body = `{"items":${items},${head.slice(1)}`;
    dropBadFields(e);
    if (e.request?.url?.query().get("fields")) {
      e.json(200, JSON.parse(body));
      return;
    }
    e.response.header().set("Content-Type", "application/json");
    e.string(200, body);
  },
};

/** An index to read by: `by` is the order, after the columns in `set` have one value each. */
interface Order {
  by: readonly string[];
  set: readonly string[];
}

interface RecordList {
  /** Who sees what: everybody all, admins all, or everybody the rows with his id in a column. */
  sees: "all" | "admins" | readonly string[];
  /** Whether admins see more than their own. */
  adminsSeeAll?: boolean;
  orders: readonly Order[];
  /** Columns of which one value has few rows: beside it any filter and any order is cheap. */
  narrow?: readonly string[];
  /** Hidden fields. */
  shownToAdmins?: readonly string[];
}

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");
const order = (by: string, set = ""): Order => ({ by: words(by), set: words(set) });

const BY_ID = [order("id"), order("seq")];
const ACCOUNTS = [...BY_ID, order("createdAt id"), order("followers id"), order("mediaCount id")];
const POPULAR = "likes views createdAt id";

/** The same names as in `hooks.pb.js`. */
const LISTS: Readonly<Record<string, RecordList>> = {
  users: { sees: ["id"], adminsSeeAll: true, orders: ACCOUNTS, narrow: ["username"] },
  profiles: { sees: "all", orders: ACCOUNTS, narrow: ["username"] },
  media: {
    sees: "all",
    orders: [
      ...BY_ID,
      order("createdAt id"),
      order("createdAt id", "type"),
      order("createdAt id", "userId"),
      order(POPULAR),
      order(POPULAR, "type"),
    ],
    narrow: ["userId"],
    shownToAdmins: ["reports"],
  },
  comments: {
    sees: "all",
    orders: [...BY_ID, order("createdAt id", "mediaId")],
    narrow: ["mediaId", "userId"],
  },
  settings: { sees: "all", orders: BY_ID, narrow: ["id", "productName"] },
  likes: { sees: ["userId"], orders: [] },
  follows: { sees: ["followerId", "followingId"], orders: [] },
  blocks: { sees: ["blockerId"], orders: [] },
  conversations: { sees: ["userA", "userB"], orders: [] },
  messages: { sees: ["senderId", "recipientId"], orders: [order("ord", "conversationId")] },
  uploads: { sees: ["owner"], orders: [] },
  reports: {
    sees: "admins",
    orders: [order("id"), order("number"), order("number", "status"), order("createdAt", "status")],
    narrow: ["mediaId"],
  },
  audit: {
    sees: "admins",
    orders: [order("id"), order("createdAt id")],
    narrow: ["actor", "action", "target"],
  },
};

const NO_INDEX = refusalOf("invalid", "This list has no such filter or order.");

const PER_PAGE = 30;
const PER_PAGE_MAX = 500;
/** A page may begin so many rows from the first. */
const OFFSET_MAX = 50_000;
/** PocketBase's own, by which clients cut their filters. */
const FILTER_MAX = 3_500;
const TESTS_MAX = 200;
const DEPTH_MAX = 4;
const SORT_MAX = 200;

interface ListQuery {
  page: number;
  perPage: number;
  where: string;
  binds: Binds;
  orderBy: string;
  /** Whether one value is set in an index of its own, which the caller's columns must not replace. */
  isSet: boolean;
}

function readQuery(
  list: RecordList,
  columns: ReadonlySet<string>,
  text: (parameter: string) => string,
): ListQuery | Refusal {
  const [filter, sort] = [text("filter"), text("sort")];
  if (filter.length > FILTER_MAX || sort.length > SORT_MAX) return NO_INDEX;
  if (/@(?:collection|request)\./.test(filter + sort)) return refusalOf("forbidden");
  const tree = parseFilter(filter, columns);
  const sorted = parseSort(sort, columns);
  const page = wholeOr(text("page"), 1);
  const perPage = Math.min(wholeOr(text("perPage"), PER_PAGE), PER_PAGE_MAX);
  if (tree === null || sorted === null || (page - 1) * perPage > OFFSET_MAX) return NO_INDEX;
  const found = list.orders.find((each) => isCovered(tree, sorted, each));
  const isFew = Array.isArray(list.sees) || isNarrow(tree, list.narrow ?? []);
  if (found === undefined && !isFew) return NO_INDEX;
  const binds: Binds = {};
  const where = sqlOf(tree, binds);
  const inOrder = sorted.length > 0 || filter === "" ? sorted : (found?.by ?? []).map(ascending);
  // The plus keeps SQLite from reading the whole table in the wanted order.
  const plus = found === undefined ? "+" : "";
  const orderBy = inOrder.map(
    ({ field, sign }) => `${plus}${field} ${sign === "-" ? "DESC" : "ASC"}`,
  );
  const isSet = (found?.set.length ?? 0) > 0;
  return { page, perPage, where, binds, orderBy: orderBy.join(", "), isSet };
}

function wholeOr(text: string, otherwise: number): number {
  const value = wholeNumber(text);
  return value > 0 ? value : otherwise;
}

interface Asked {
  list: RecordList;
  query: ListQuery;
  caller: { me: string; isAdmin: boolean };
}

function readIds(app: CoreApp, name: string, asked: Asked): string[] {
  const { query, caller } = asked;
  const seen = sightOf(asked);
  if (seen === null) return [];
  const where = [seen, query.where].filter((part) => part !== "").join(" AND ");
  // A view has no rowid.
  const orderBy = query.orderBy || (name === "profiles" ? "seq" : "rowid");
  const rows = arrayOf(new DynamicModel({ id: "" })) as unknown as { id: string }[];
  app
    .db()
    .newQuery(
      `SELECT id FROM ${name} ${where === "" ? "" : `WHERE ${where}`}
       ORDER BY ${orderBy} LIMIT {:most} OFFSET {:from}`,
    )
    .bind({
      ...query.binds,
      me: caller.me,
      most: query.perPage,
      from: (query.page - 1) * query.perPage,
    })
    .all(rows);
  return [...rows].map(({ id }) => id);
}

/** SQL for the rows that the caller may see, "" for all; null for none. */
function sightOf({ list: { sees, adminsSeeAll }, query, caller }: Asked): string | null {
  if (sees === "all" || (caller.isAdmin && (sees === "admins" || adminsSeeAll))) return "";
  if (sees === "admins" || caller.me === "") return null;
  const plus = query.isSet ? "+" : "";
  return `(${sees.map((column) => `${plus}${column} = {:me}`).join(" OR ")})`;
}

/** One comparison of a filter. */
interface Test {
  field: string;
  op: string;
  value: string | number | boolean;
  /** `field:lower`. */
  isLower: boolean;
}

type Tree = Test | { every: Tree[] } | { some: Tree[] };

const ALL: Tree = { every: [] };

const TOKEN =
  /\s*(?:(&&|\|\||[()])|([a-zA-Z]\w*)(:lower)?\s*(<=|>=|!=|=|<|>)\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?|true|false|null)))/y;

/**
 * PocketBase's filter language without functions, relations, modifiers, likenesses and arrays; null
 * for everything else. As there, `&&` and `||` have no order of their own: they may not be mixed
 * without parentheses.
 */
function parseFilter(text: string, columns: ReadonlySet<string>): Tree | null {
  if (text.trim() === "") return ALL;
  const tokens = tokensOf(text);
  const tests = tokens?.flatMap((token) => (typeof token === "string" ? [] : [token])) ?? [];
  if (tokens === null || tests.length > TESTS_MAX) return null;
  if (tests.some(({ field }) => !columns.has(field))) return null;
  const tree = parseGroup(tokens, 0);
  return tokens.length === 0 ? tree : null;
}

/** `(`, `)`, `&&`, `||` and the tests between them; null where something else stands. */
function tokensOf(text: string): (string | Test)[] | null {
  const tokens: (string | Test)[] = [];
  for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) return null;
    tokens.push(found[1] ?? testOf(found));
  }
  return tokens;
}

/** Takes a group with the sign that ends it off the front of `tokens`. */
function parseGroup(tokens: (string | Test)[], depth: number): Tree | null {
  const parts: Tree[] = [];
  const end = depth === 0 ? undefined : ")";
  let joint: string | Test | undefined;
  for (;;) {
    const part = parseTerm(tokens, depth);
    if (part === null) return null;
    parts.push(part);
    const sign = tokens.shift();
    if (sign === end) return joint === "||" ? { some: parts } : { every: parts };
    joint ??= sign;
    if ((sign !== "&&" && sign !== "||") || sign !== joint) return null;
  }
}

function parseTerm(tokens: (string | Test)[], depth: number): Tree | null {
  const token = tokens.shift();
  if (token === "(" && depth < DEPTH_MAX) return parseGroup(tokens, depth + 1);
  return token === undefined || typeof token === "string" ? null : token;
}

function testOf(found: RegExpExecArray): Test {
  const [, , field = "", lower, op = "", single, double, bare] = found;
  const quoted = single ?? double;
  const isLower = lower !== undefined;
  if (quoted !== undefined)
    return { field, op, isLower, value: quoted.replace(/\\(['"\\])/g, "$1") };
  if (bare === "true" || bare === "false") return { field, op, isLower, value: bare === "true" };
  return { field, op, isLower, value: bare === "null" ? "" : Number(bare) };
}

function sqlOf(tree: Tree, binds: Binds): string {
  if ("field" in tree) return testSql(tree, binds);
  const keyset = keysetOf(tree);
  if (keyset !== null) {
    const [above, equal, below] = keyset;
    const values = [equal, below].map((test) => bind(binds, test.value));
    return `(${above.field}, ${below.field}) ${above.op} (${values.join(", ")})`;
  }
  const isEvery = "every" in tree;
  const parts = (isEvery ? tree.every : tree.some).map((each) => sqlOf(each, binds));
  return parts.length === 0 ? "" : `(${parts.join(isEvery ? " AND " : " OR ")})`;
}

function testSql({ field, op, value, isLower }: Test, binds: Binds): string {
  const bound = bind(binds, value);
  const plain = `${field} ${op} ${bound}`;
  if (field !== "username" || op !== "=")
    return isLower ? `lower(${plain.replace(" ", ") ")}` : plain;
  // The index on names ignores case.
  return isLower ? `${plain} COLLATE NOCASE` : `(${plain} COLLATE NOCASE AND ${plain})`;
}

function bind(binds: Binds, value: Test["value"]): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  const name = `v${Object.keys(binds).length}`;
  binds[name] = value;
  return `{:${name}}`;
}

/** `a < x || (a = x && b < y)`, by which clients ask for the page after a row. */
function keysetOf(tree: Tree): [above: Test, equal: Test, below: Test] | null {
  if (!("some" in tree) || tree.some.length !== 2) return null;
  const [above, rest] = tree.some;
  if (above === undefined || !("field" in above) || rest === undefined || !("every" in rest))
    return null;
  const [equal, below] = rest.every;
  if (rest.every.length !== 2 || equal === undefined || below === undefined) return null;
  if (!("field" in equal) || !("field" in below)) return null;
  const isSame = equal.field === above.field && equal.value === above.value && equal.op === "=";
  const isStrict = (above.op === "<" || above.op === ">") && below.op === above.op;
  return isSame && isStrict ? [above, equal, below] : null;
}

/** What all must hold, without parentheses around it. */
const demands = (tree: Tree): Tree[] => ("every" in tree ? tree.every.flatMap(demands) : [tree]);

const isSetting = (tree: Tree, field: string): boolean =>
  "field" in tree && tree.field === field && tree.op === "=";

/** Whether the filter alone leaves few rows. */
function isNarrow(tree: Tree, narrow: readonly string[]): boolean {
  const isFew = (each: Tree): boolean =>
    [...narrow, "id"].some((field) => isSetting(each, field)) ||
    ("some" in each && each.some.every((one) => isSetting(one, "id")));
  return demands(tree).some(isFew);
}

const RANGE = ["<", "<=", ">", ">="];

/** Whether one index has exactly these rows in this order. */
function isCovered(tree: Tree, sorted: readonly Sorted[], { by, set }: Order): boolean {
  const isOrder =
    sorted.every(({ field, sign }, i) => field === by[i] && sign === sorted[0]?.sign) &&
    sorted.length <= by.length;
  const all = demands(tree);
  const isPart = (each: Tree): boolean => {
    if (set.some((field) => isSetting(each, field))) return true;
    if ("field" in each) return each.field === by[0] && !each.isLower && RANGE.includes(each.op);
    const keyset = keysetOf(each);
    return keyset !== null && keyset[0].field === by[0] && keyset[2].field === by[1];
  };
  return (
    isOrder && set.every((field) => all.some((each) => isSetting(each, field))) && all.every(isPart)
  );
}

interface Sorted {
  field: string;
  sign: "+" | "-";
}

const ascending = (field: string): Sorted => ({ field, sign: "+" });

function parseSort(text: string, columns: ReadonlySet<string>): Sorted[] | null {
  const fields = text.split(",").map((part) => part.trim());
  const sorted = fields
    .filter((part) => part !== "")
    .map(
      (part): Sorted => ({
        field: part.replace(/^[+-]/, ""),
        sign: part.startsWith("-") ? "-" : "+",
      }),
    );
  return sorted.every(({ field }) => columns.has(field)) ? sorted : null;
}

const COMPARED = ["text", "number", "bool", "date", "autodate", "select", "relation"];

/** The fields that a filter or a sort may name. */
function columnsOf(collection: core.Collection): ReadonlySet<string> {
  const names = new Set<string>();
  for (const field of collection.fields) {
    if (field && !field.getHidden() && COMPARED.includes(field.type())) names.add(field.getName());
  }
  return names;
}

/** The SQL for the JSON value of one field, by PocketBase's field type. */
function jsonOf(field: core.Field): string {
  const column = `[[${field.getName()}]]`;
  switch (field.type()) {
    case "bool":
      return `json(iif(${column}, 'true', 'false'))`;
    case "json":
    case "geoPoint":
      return `json(COALESCE(NULLIF(${column}, ''), 'null'))`;
    case "select":
    case "relation":
    case "file": {
      const { isMultiple } = field as unknown as { isMultiple: () => boolean };
      return isMultiple() ? `json(COALESCE(NULLIF(${column}, ''), '[]'))` : column;
    }
    default:
      return column;
  }
}

/** What a reader sees of a row beyond what everybody sees. */
interface Reader {
  /** The caller's id, "" for guests: the address is shown on his own row of `users` alone. */
  me: string;
  /** Hidden fields. */
  hidden: readonly string[];
}

const EVERYBODY: Reader = { me: "", hidden: [] };

/** SQL for one row of `collection` as a JSON object; {:me} is the reader's id. */
function documentOf(collection: core.Collection, { hidden }: Reader): string {
  const parts = [`'collectionId', '${collection.id}'`, `'collectionName', '${collection.name}'`];
  for (const field of collection.fields) {
    if (!field || (field.getHidden() && !hidden.includes(field.getName()))) continue;
    parts.push(`'${field.getName()}', ${jsonOf(field)}`);
  }
  const document = `json_object(${parts.join(", ")})`;
  if (!collection.isAuth()) return document;
  return `iif(id = {:me} OR emailVisibility, ${document}, json_remove(${document}, '$.email'))`;
}

type Binds = Record<string, string | number>;

function readList(app: CoreApp, query: string, binds: Binds): string {
  const row = new DynamicModel({ list: "" }) as unknown as { list: string };
  app.db().newQuery(query).bind(binds).one(row);
  return `[${row.list}]`;
}

/** The rows of `name` that meet the SQL condition `where`, as JSON text, in the order of `seq`. */
export function readDocuments(app: CoreApp, name: string, where: string, binds: Binds): string {
  const document = documentOf(app.findCachedCollectionByNameOrId(name), EVERYBODY);
  const query = `SELECT COALESCE(group_concat(${document}, ',' ORDER BY seq), '') AS list
    FROM ${name} WHERE ${where}`;
  return readList(app, query, binds);
}

/** The rows with these ids as JSON text, in the order of `ids`; missing rows are left out. */
export function readDocumentsById(
  app: CoreApp,
  name: string,
  ids: readonly string[],
  reader = EVERYBODY,
): string {
  if (ids.length === 0) return "[]";
  const document = documentOf(app.findCachedCollectionByNameOrId(name), reader);
  const query = `WITH picked AS (SELECT key AS picked_place, value AS picked_id FROM json_each({:ids}))
    SELECT COALESCE(group_concat(${document}, ',' ORDER BY picked_place), '') AS list
    FROM picked JOIN ${name} ON ${name}.id = picked_id`;
  return readList(app, query, { ids: JSON.stringify(ids), me: reader.me });
}
