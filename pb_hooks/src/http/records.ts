/**
 * Records in answers: the lists of every collection, and rows as JSON.
 *
 * PocketBase's own list takes any filter over any relation and sorts by any column, and one such
 * request costs up to half a minute. `listRecords` stands before it, by the collection's name. It
 * takes comparisons of the collection's own columns, and answers what one index can; the rest only
 * while the collection is small. PocketBase's route is open to superusers alone, who are redirected
 * to it.
 */
import { dropBadFields, refusalOf, refuse } from "@hooks/http/refusals";
import {
  collectionOfPath,
  hasBadToken,
  isAdmin,
  isSuspended,
  userIdOf,
  wholeNumber,
} from "@hooks/http/request";
import { addressOf, refuseTooMany, takeSome } from "@hooks/limits";
import { inCountedTurn } from "@hooks/turns";
import type { Refusal } from "@/domain/error-codes";
import {
  ascending,
  type Binds,
  isCovered,
  isNarrow,
  isShort,
  type Order,
  parseFilter,
  parseSort,
  sqlOf,
} from "./list-query";

export const recordHandlers = {
  /** `GET /api/collections/{name}/records`: PocketBase's list, with -1 for the totals. */
  listRecords(e: core.RequestEvent): void {
    const url = e.request?.url;
    const collection = collectionOfPath(e);
    const { name } = collection;
    if (e.hasSuperuserAuth()) {
      e.redirect(307, `/api/collections/${collection.id}/records?${url?.rawQuery ?? ""}`);
      return;
    }
    const list = LISTS[name];
    if (list === undefined) throw new NotFoundError();
    // A guest's answer would look as if there were no rows.
    if (list.sees !== "all" && hasBadToken(e)) {
      refuse(e, refusalOf("unauthenticated"));
      return;
    }
    const values = url?.query();
    const text = (parameter: string): string => values?.get(parameter) ?? "";
    const caller = { me: userIdOf(e), isAdmin: isAdmin(e) && !isSuspended(e) };
    const query = readQuery({ list, caller, columns: columnsOf(collection) }, text);
    if ("code" in query) {
      refuse(e, query);
      return;
    }
    const hidden = caller.isAdmin ? (list.shownToAdmins ?? []) : [];
    const items = inCountedTurn(e, "listsPer10Sec", () => {
      const ids = readCountedIds(e, name, { list, query, caller });
      return ids && readDocumentsById(e.app, name, ids, { me: caller.me, hidden });
    });
    if (items === null) return;
    const { page, perPage } = query;
    const head = JSON.stringify({ page, perPage, totalItems: -1, totalPages: -1 });
    const body = `{"items":${items},${head.slice(1)}`;
    dropBadFields(e);
    if (url?.query().get("fields")) {
      url.rawQuery = `fields=${encodeURIComponent(fieldsOfItems(text("fields")))}`;
      e.json(200, JSON.parse(body));
      return;
    }
    e.response.header().set("Content-Type", "application/json");
    e.string(200, body);
  },
};

/** `?fields=` is about the items of a list; here PocketBase applies it to the whole answer. */
const fieldsOfItems = (fields: string): string =>
  [
    "page,perPage,totalItems,totalPages",
    ...fields.split(/,(?![^(]*\))/).map((field) => `items.${field.trim()}`),
  ].join(",");

type Columns = readonly string[];

interface RecordList {
  /** Who sees what: everybody all, admins all, or everybody the rows with his id in a column. */
  sees: "all" | "admins" | Columns;
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
    narrow: ["userId", "post"],
    shownToAdmins: ["reports"],
  },
  comments: {
    sees: "all",
    orders: [
      ...BY_ID,
      order("createdAt id", "mediaId"),
      order("createdAt id", "mediaId parentId"),
      order("likes createdAt id", "mediaId parentId"),
    ],
    narrow: ["mediaId", "userId"],
  },
  settings: { sees: "all", orders: BY_ID },
  likes: { sees: ["userId"], orders: [] },
  follows: { sees: ["followerId", "followingId"], orders: [] },
  blocks: { sees: ["blockerId"], orders: [] },
  conversations: { sees: ["userA", "userB"], orders: [] },
  messages: { sees: ["senderId", "recipientId"], orders: [order("ord", "conversationId")] },
  notifications: { sees: ["userId"], orders: [] },
  saves: { sees: ["userId"], orders: [] },
  uploads: { sees: ["owner"], orders: [] },
  reports: {
    sees: "admins",
    orders: [order("id"), order("number"), order("number", "status"), order("createdAt", "status")],
    narrow: ["mediaId", "targetId"],
  },
  audit: {
    sees: "admins",
    orders: [
      order("id"),
      ...["", "actor", "action", "target"].map((set) => order("createdAt id", set)),
    ],
  },
};

const NO_INDEX = refusalOf("invalid", "This list has no such filter or order.");

/** Rows that may be looked through without an index. */
const SMALL = 5_000;

const PER_PAGE = 30;
const PER_PAGE_MAX = 500;
/** A page may begin so many rows from the first. */
const OFFSET_MAX = 50_000;

interface ListQuery {
  page: number;
  perPage: number;
  where: string;
  binds: Binds;
  orderBy: string;
  /** Whether an index leads to few rows, or has them in the wanted order. */
  isIndexed: boolean;
  /** Whether the index begins with one value: the caller's own columns must not take its place. */
  isSet: boolean;
}

/** Whose rows a caller sees: all, those with his id in one of the columns, or none. */
function sightOf({ sees, adminsSeeAll }: RecordList, caller: Caller): "all" | "none" | Columns {
  if (sees === "all" || (caller.isAdmin && (sees === "admins" || adminsSeeAll))) return "all";
  return sees === "admins" || caller.me === "" ? "none" : sees;
}

function readQuery(
  { list, caller, columns }: { list: RecordList; caller: Caller; columns: ReadonlySet<string> },
  text: (parameter: string) => string,
): ListQuery | Refusal {
  const [filter, sort] = [text("filter"), text("sort")];
  if (/@(?:collection|request)\./.test(filter + sort)) return refusalOf("forbidden");
  const tree = parseFilter(filter, columns);
  const sorted = parseSort(sort, columns);
  const page = wholeOr(text("page"), 1);
  const perPage = Math.min(wholeOr(text("perPage"), PER_PAGE), PER_PAGE_MAX);
  if (tree === null || sorted === null || (page - 1) * perPage > OFFSET_MAX) return NO_INDEX;
  const found = list.orders.find((each) => isCovered(tree, sorted, each));
  if (found === undefined && !isShort(tree)) return NO_INDEX;
  const isFew = sightOf(list, caller) !== "all" || isNarrow(tree, list.narrow ?? []);
  const binds: Binds = {};
  const where = sqlOf(tree, binds);
  const inOrder = sorted.length > 0 || filter === "" ? sorted : (found?.by ?? []).map(ascending);
  // The plus keeps SQLite from reading the whole table in the wanted order.
  const plus = found === undefined ? "+" : "";
  const orderBy = inOrder.map(
    ({ field, sign }) => `${plus}${field} ${sign === "-" ? "DESC" : "ASC"}`,
  );
  const isSet = (found?.set.length ?? 0) > 0;
  const isIndexed = found !== undefined || isFew;
  return { page, perPage, where, binds, orderBy: orderBy.join(", "), isIndexed, isSet };
}

function isSmall(app: CoreApp, name: string): boolean {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app
    .db()
    .newQuery(`SELECT count(*) AS n FROM (SELECT 1 FROM ${name} LIMIT ${SMALL + 1})`)
    .one(row);
  return row.n <= SMALL;
}

function wholeOr(text: string, otherwise: number): number {
  const value = wholeNumber(text);
  return value > 0 ? value : otherwise;
}

interface Caller {
  me: string;
  isAdmin: boolean;
}

interface Asked {
  list: RecordList;
  query: ListQuery;
  caller: Caller;
}

/** Null where the list is refused, which is answered. */
function readCountedIds(e: core.RequestEvent, name: string, asked: Asked): string[] | null {
  const app = e.app as CoreApp;
  const rows = { name: "listRowsPer10Sec", who: addressOf(e) } as const;
  const wait = takeSome(app, { ...rows, count: 0 });
  if (wait > 0) {
    refuseTooMany(e, wait);
    return null;
  }
  if (!asked.query.isIndexed && !isSmall(app, name)) {
    refuse(e, NO_INDEX);
    return null;
  }
  const ids = readIds(app, name, asked);
  takeSome(app, { ...rows, count: ids.length });
  return ids;
}

function readIds(app: CoreApp, name: string, { list, query, caller }: Asked): string[] {
  const sight = sightOf(list, caller);
  if (sight === "none") return [];
  const plus = query.isSet ? "+" : "";
  const own = sight === "all" ? [] : sight.map((column) => `${plus}${column} = {:me}`);
  const seen = own.length === 0 ? "" : `(${own.join(" OR ")})`;
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
    SELECT COALESCE(group_concat((SELECT ${document} FROM ${name} WHERE id = picked_id), ','
      ORDER BY picked_place), '') AS list FROM picked`;
  return readList(app, query, { ids: JSON.stringify(ids), me: reader.me });
}
