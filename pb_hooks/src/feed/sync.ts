/**
 * The change feed: one page of what changed after `since`, over all collections at once and limited
 * to what this caller may see. The head is read first and bounds everything after it. A row that
 * moves meanwhile therefore appears again on a later page and is never lost.
 *
 * [Note: Windows of the feed] A device names which media it holds: those from an instant on, and
 * older ones by marks of their ids. Changes of other media are left out, and comments on them where
 * it asks for that; its own and all deletions never. The checkpoint goes on past them. Two ids may
 * have one mark: then a row too many comes.
 */

import { noteBytes } from "@hooks/admin/traffic";
import { readDocuments } from "@hooks/http/records";
import { refusalOf, refuse } from "@hooks/http/refusals";
import { callerId, findRecord, headerOf, isAdmin, wholeNumber } from "@hooks/http/request";
import { addressOf, refuseTooMany, takeSome } from "@hooks/limits";
import { inCountedTurn } from "@hooks/turns";
import type { Refusal } from "@/domain/error-codes";
import { readWindow, type Window } from "@/domain/feed-window";
import { isId } from "@/domain/ids";
import { reopenHints } from "./hints";

export const syncHandlers = {
  /**
   * `GET /api/sync?since=&limit=&epoch=&mediaFrom=&mediaMarks=&comments=`. `since=head` answers
   * epoch and checkpoint alone.
   */
  sync(e: core.RequestEvent): void {
    const me = callerId(e);
    if (me === null) {
      refuse(e, tokenRefusal(e));
      return;
    }
    const query = e.request?.url?.query();
    const wanted = query?.get("since") ?? "";
    const limitText = query?.get("limit") ?? "";
    const since = wanted === "" ? 0 : wholeNumber(wanted);
    const limit = limitText === "" ? LIMIT_DEFAULT : wholeNumber(limitText);
    const named = { from: query?.get("mediaFrom") ?? "", marks: query?.get("mediaMarks") ?? "" };
    const window = readWindow(named);
    const comments = query?.get("comments") ?? "";
    const isRange = (since >= 0 || wanted === "head") && limit >= 1;
    if (!isRange || window === null || !["", "held"].includes(comments)) {
      refuse(e, refusalOf("invalid", "Invalid since, limit or window."));
      return;
    }
    e.response.header().set("Cache-Control", "no-store");
    const known = query?.get("epoch") ?? "";
    const isNarrow = comments === "held";
    const asked = { me, since: wanted === "head" ? null : since, limit, known, window, isNarrow };
    const text = inCountedTurn(e, "syncsPer10Sec", () => readPage(e, asked));
    if (text === null) return;
    const bytes = toBytes(text);
    noteBytes(e, bytes.length);
    e.blob(200, "application/json", bytes);
  },
};

interface Asked {
  me: string;
  /** Null asks for the head alone. */
  since: number | null;
  limit: number;
  /** The epoch that the caller knows, or "". */
  known: string;
  /** "all" where the caller named none. */
  window: Window | "all";
  /** Whether the window is about comments, too. */
  isNarrow: boolean;
}

/** The answer's text, or null where the address has had too many rows, which is answered. */
function readPage(e: core.RequestEvent, asked: Asked): string | null {
  const { me, since, known } = asked;
  // Before the head is read: a change between the two must find the client open for hints.
  reopenHints(e, me);
  const { v, epoch, floor, dated } = readHead(e.app);
  if (since === null) return JSON.stringify({ epoch, checkpoint: v });
  // The account's own device cannot see this in any row.
  const isClosed = e.auth?.getBool("chatDisabled") === true;
  const rights = { isAdmin: isAdmin(e), ...(isClosed && { chatDisabled: true }) };
  const about = { epoch, ...(me === "" ? {} : rights) };
  // Another history, or tombstones that are gone: the caller must begin again from `head`.
  const reset = (known !== "" && known !== epoch) || since > v || since < floor;
  if (reset || since === v) {
    const end = { checkpoint: v, more: false, ...(reset && { reset }), changes: {} };
    return JSON.stringify({ ...about, ...end });
  }
  const rows = { name: "syncRowsPer10Sec", who: addressOf(e) } as const;
  const wait = takeSome(e.app, { ...rows, count: 0 });
  if (wait > 0) {
    refuseTooMany(e, wait);
    return null;
  }
  // A medium that was dated back concerns whoever held it, or should.
  const window = asked.window === "all" || since < dated ? "all" : asked.window;
  const bounds = { me, since, limit: Math.min(asked.limit, LIMIT_MAX), ...bindsOf(window) };
  const range = { ...bounds, until: window === "all" ? v : looksUntil(e.app, since, v) };
  const narrowed = narrowedBy(window, asked.isNarrow);
  const { sources, until, total } = readPlan(e.app, range, narrowed);
  const changes = readChanges(e.app, { ...range, until }, { sources, narrowed });
  const count = total + (window === "all" ? 0 : looks(since, until));
  // Small pages are counted as requests alone. See Note: Short locks.
  if (count > COUNTED_ROWS) takeSome(e.app, { ...rows, count });
  return pageText({ ...about, checkpoint: until, more: until < v }, changes);
}

const LIMIT_DEFAULT = 500;
/** An address has 400 pulls in ten seconds, and 40,000 rows. */
const COUNTED_ROWS = 30;
const LIMIT_MAX = 1000;

interface Head {
  v: number;
  epoch: string;
  floor: number;
  dated: number;
}

function readHead(app: CoreApp): Head {
  const row = new DynamicModel({ v: 0, epoch: "", floor: 0, dated: 0 }) as unknown as Head;
  app.db().newQuery("SELECT v, epoch, floor, (SELECT n FROM _dated) AS dated FROM _seq").one(row);
  return row;
}

/**
 * Tells a suspended account's device so, which makes it sign out. Its token is dead and proves
 * nothing, but the id that it claims is enough: the public profile shows the suspension anyway.
 */
function tokenRefusal(e: core.RequestEvent): Refusal {
  const claimed = e.auth?.id ?? claimedId(headerOf(e, "Authorization"));
  const isBlocked = findRecord(e.app, "users", claimed)?.getBool("isBlocked") ?? false;
  if (isBlocked) return { ...refusalOf("suspended"), status: 401 };
  return refusalOf("unauthenticated", "The token is not valid.");
}

function claimedId(token: string): string {
  try {
    const id: unknown = $security.parseUnverifiedJWT(token.replace(/^Bearer /i, ""))["id"];
    return isId(id) ? id : "";
  } catch {
    return "";
  }
}

/**
 * The rows of a collection that a caller of the feed may see. These filters belong to the feed
 * alone. A list rule may be wider: an admin reads the chats of others in the panel, but never here.
 */
interface Source {
  collection: string;
  /** The table that indexes `seq`; it differs where the collection is a view over a table. */
  table: string;
  /** Columns one of which must be the caller's id; empty for public rows. Indexed with `seq`. */
  people: readonly string[];
}

const SOURCES: readonly Source[] = [
  { collection: "media", table: "media", people: [] },
  { collection: "profiles", table: "users", people: [] },
  { collection: "comments", table: "comments", people: [] },
  { collection: "settings", table: "settings", people: [] },
  { collection: "likes", table: "likes", people: ["userId"] },
  { collection: "follows", table: "follows", people: ["followerId", "followingId"] },
  { collection: "blocks", table: "blocks", people: ["blockerId"] },
  { collection: "conversations", table: "conversations", people: ["userA", "userB"] },
  { collection: "messages", table: "messages", people: ["senderId", "recipientId"] },
  { collection: "notifications", table: "notifications", people: ["userId"] },
  { collection: "saves", table: "saves", people: ["userId"] },
];
const PUBLIC_SOURCES = SOURCES.filter((source) => source.people.length === 0);

/** `userId` is "" for a guest. */
const sourcesFor = (userId: string): readonly Source[] =>
  userId === "" ? PUBLIC_SOURCES : SOURCES;

const RANGE = "seq > {:since} AND seq <= {:until}";
/** The plus signs keep SQLite to the index of `seq`. */
const IN_WINDOW =
  "(+createdAt >= {:from} OR +userId = {:me} OR instr({:marks}, substr(id, -3)) > 0) AND ";

/** As above, of the medium that a comment is on; whoever wrote it hears of it always. */
const ON_HELD = `(+userId = {:me} OR instr({:marks}, substr(mediaId, -3)) > 0 OR EXISTS (SELECT 1
  FROM media WHERE media.id = comments.mediaId AND (+media.createdAt >= {:from} OR
    +media.userId = {:me}))) AND `;

/** What a page leaves out: media alone, or comments on those, too. */
type Narrowed = "nothing" | "media" | "comments";

function narrowedBy(window: Window | "all", isNarrow: boolean): Narrowed {
  if (window === "all") return "nothing";
  return isNarrow ? "comments" : "media";
}

const bindsOf = (window: Window | "all") =>
  window === "all"
    ? { from: "", marks: "" }
    : { from: new Date(window.from).toISOString().replace("T", " "), marks: window.marks };

/** Media, and comments, that a page looks at, at most, to find those that are wanted. */
const LOOKS_MAX = 5_000;

/** What they count as beside documents: to leave one out costs a tenth. */
const looks = (since: number, until: number): number =>
  Math.floor(Math.min(until - since, LOOKS_MAX) / 10);

/** How far a page goes that leaves rows out. */
function looksUntil(app: CoreApp, since: number, until: number): number {
  if (until - since <= LOOKS_MAX) return until;
  const row = new DynamicModel({ last: 0 }) as unknown as { last: number };
  const lastOf = (table: string) => `COALESCE((SELECT seq FROM ${table} WHERE ${RANGE}
    ORDER BY seq LIMIT 1 OFFSET ${LOOKS_MAX - 1}), {:until})`;
  app
    .db()
    .newQuery(`SELECT min(${lastOf("media")}, ${lastOf("comments")}) AS last`)
    .bind({ since, until })
    .one(row);
  return row.last;
}

/** The plan's name for tombstones; no collection has this name. */
const TOMBSTONES = "_tombs";

/** Conditions one of which a visible tombstone meets. `a` and `b` are never the same person. */
const tombstoneSides = (userId: string): string[] =>
  userId === "" ? ["pub = 1"] : ["pub = 1", "a = {:me}", "b = {:me}"];

/**
 * SQL for the next `limit` changes of a caller in order, counted by source. One index answers each
 * part in the order of `seq`. So SQLite merges the parts row by row and stops at the limit, however
 * many rows follow.
 */
function planQuery(userId: string, narrowed: Narrowed): string {
  const part = (label: string, table: string, condition: string): string =>
    `SELECT '${label}' AS source, seq FROM ${table} WHERE ${condition}${RANGE}`;
  const parts = sourcesFor(userId).flatMap(({ collection, table, people }) =>
    people.length === 0
      ? [part(collection, table, conditionOf(collection, narrowed))]
      : people.map((column) => part(collection, table, `${column} = {:me} AND `)),
  );
  const tombstones = tombstoneSides(userId).map((side) =>
    part(TOMBSTONES, "_tombs", `${side} AND `),
  );
  const all = [...parts, ...tombstones].join(" UNION ALL ");
  return `SELECT COALESCE(group_concat(source || ' ' || n || ' ' || last), '') FROM
    (SELECT source, count(*) AS n, max(seq) AS last FROM (${all} ORDER BY seq LIMIT {:limit})
    GROUP BY source)`;
}

function conditionOf(collection: string, narrowed: Narrowed): string {
  if (collection === "media" && narrowed !== "nothing") return IN_WINDOW;
  return collection === "comments" && narrowed === "comments" ? ON_HELD : "";
}

/** A statement of Go's that compiles once for each connection to the database. */
interface Statement {
  queryRow(...binds: readonly (string | number)[]): { scan(into: unknown): void };
}

/**
 * The plan for a caller. All engines share it: to compile its fifteen parts takes twice as long as
 * the rest of a pull.
 */
function planFor(app: CoreApp, me: string, narrowed: Narrowed): Statement {
  const key = `plan:${me === ""} ${narrowed}`;
  const kept = app.store().get(key) as Statement | null;
  if (kept) return kept;
  const sql = planQuery(me, narrowed).replace(
    /\{:(\w+)\}/g,
    (_, name) => `?${BINDS.indexOf(name) + 1}`,
  );
  const pool = app.concurrentDB() as unknown as { db(): { prepare(sql: string): Statement } };
  const plan = pool.db().prepare(sql);
  app.store().set(key, plan);
  return plan;
}

interface Range {
  me: string;
  since: number;
  until: number;
  limit: number;
  from: string;
  marks: string;
}

/** In the order of the plan's parameters. */
const BINDS: readonly (keyof Range)[] = ["me", "since", "until", "limit", "from", "marks"];

/** Which sources have rows on the next page, and the last number that belongs to it. */
function readPlan(
  app: CoreApp,
  range: Range,
  narrowed: Narrowed,
): { sources: Set<string>; until: number; total: number } {
  const found = nullString();
  planFor(app, range.me, narrowed)
    .queryRow(...BINDS.map((name) => range[name]))
    .scan(found);
  const sources = new Set<string>();
  let [total, last] = [0, range.since];
  for (const row of String(found).split(",").filter(Boolean)) {
    const [source = "", n, seq] = row.split(" ");
    sources.add(source);
    total += Number(n);
    last = Math.max(last, Number(seq));
  }
  return { sources, until: total < range.limit ? range.until : last, total };
}

interface Changes {
  /** JSON text of a list. */
  documents: string;
  deleted: string[];
}

function readChanges(
  app: CoreApp,
  range: Range,
  { sources, narrowed }: { sources: Set<string>; narrowed: Narrowed },
): Record<string, Changes> {
  const changes: Record<string, Changes> = {};
  for (const { collection, people } of sourcesFor(range.me)) {
    if (!sources.has(collection)) continue;
    const own = people.map((column) => `${column} = {:me}`).join(" OR ");
    const where =
      own === "" ? `${conditionOf(collection, narrowed)}${RANGE}` : `(${own}) AND ${RANGE}`;
    const documents = readDocuments(app, collection, where, { ...range });
    changes[collection] = { documents, deleted: [] };
  }
  if (sources.has(TOMBSTONES)) addTombstones(app, range, changes);
  return changes;
}

interface TombstoneRow {
  coll: string;
  rid: string;
}

function addTombstones(app: CoreApp, range: Range, changes: Record<string, Changes>): void {
  const rows = arrayOf(new DynamicModel({ coll: "", rid: "" })) as unknown as TombstoneRow[];
  const isVisible = tombstoneSides(range.me).join(" OR ");
  app
    .db()
    .newQuery(`SELECT coll, rid FROM _tombs WHERE ${RANGE} AND (${isVisible}) ORDER BY seq`)
    .bind({ ...range })
    .all(rows);
  for (const { coll, rid } of rows) {
    const change = changes[coll] ?? { documents: "[]", deleted: [] };
    change.deleted.push(rid);
    changes[coll] = change;
  }
}

/** The answer's text: the documents are JSON already. */
function pageText(position: object, changes: Record<string, Changes>): string {
  const parts = Object.entries(changes).map(
    ([collection, { documents, deleted }]) =>
      `"${collection}":{"documents":${documents},"deleted":${JSON.stringify(deleted)}}`,
  );
  return `${JSON.stringify(position).slice(0, -1)},"changes":{${parts.join(",")}}}`;
}
