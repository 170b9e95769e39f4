/**
 * Search: captions, tags and names in full-text tables of trigrams (see the migrations), newest
 * first. As in the gallery, people whom the caller has blocked are left out.
 */
import { readDocumentsById } from "@hooks/http/records";
import { answer, refusalOf, refuse } from "@hooks/http/refusals";
import { callerId } from "@hooks/http/request";
import { answerInTurn } from "@hooks/turns";
import { searchableText, searchTerms } from "@/domain/search-terms";

export const searchHandlers = {
  /**
   * `GET /api/search?q=&type=&before=&limit=`: `{media, people, more, next}`. `media` and `people`
   * are records as in the feed; `next` is the `before` of the next page. Only the first page has
   * people.
   */
  search(e: core.RequestEvent): void {
    const me = callerId(e);
    if (me === null) {
      refuse(e, refusalOf("unauthenticated", "The token is not valid."));
      return;
    }
    const query = parseQuery(e, me);
    if (query === null) {
      refuse(e, refusalOf("invalid", "Invalid search."));
      return;
    }
    if (query.terms.length === 0) {
      e.response.header().set("Cache-Control", "no-store");
      answer(e, 200, { media: [], people: [], more: false, next: "" });
      return;
    }
    answerInTurn(e, "searchesPer10Sec", () => answerOf(e.app, query));
  },
};

/** The answer's JSON text. */
function answerOf(app: CoreApp, query: Query): string {
  const { hits, end } = findMedia(app, query);
  const page = hits.slice(0, query.limit);
  const people = query.before === "0" ? findPeople(app, query) : [];
  const media = readDocumentsById(
    app,
    "media",
    page.map((hit) => hit.id),
  );
  const isFull = hits.length > page.length;
  const last = page[page.length - 1]?.n ?? "";
  const position = JSON.stringify({
    more: isFull || end !== "",
    next: isFull || end === "" ? last : end,
  });
  return `{"media":${media},"people":${readDocumentsById(app, "profiles", people)},${position.slice(1)}`;
}

const LIMIT_DEFAULT = 30;
const LIMIT_MAX = 120;
const PEOPLE_MAX = 20;

/** The tables index trigrams. Shorter words are compared row by row, in at most so many rows. */
const INDEXED = 3;
const LOOKED_THROUGH = 5_000;
/** Media for one page that have all trigrams of the words, and may not have the words. */
const READ_THROUGH = 300;

interface Query {
  me: string;
  terms: string[];
  type: string;
  /** Number of the last medium on the page before, or "0". */
  before: string;
  limit: number;
}

interface Hit {
  id: string;
  n: string;
}

interface Candidate extends Hit {
  caption: string;
  username: string;
  tags: string;
}

/** SQL for a medium's text with a space before each word, plain letters in lower case. */
const WORDS = ["char(10)", "'\"'", "'-'", "'.'", "'('", "'/'"].reduce(
  (text, sign) => `replace(${text}, ${sign}, ' ')`,
  "lower(' ' || m.caption || ' ' || m.username || ' ' || m.tags)",
);

const length = (text: string): number => [...text].length;

const quoted = (term: string): string => `"${term.replace(/"/g, '""')}"`;

/** All trigrams of the words that have some. */
function trigramsOf(terms: readonly string[]): string[] {
  const all = terms.flatMap((term) => {
    const signs = [...term];
    return signs.slice(INDEXED - 1).map((_, at) => signs.slice(at, at + INDEXED).join(""));
  });
  return [...new Set(all)];
}

/** The full-text query; "" where no term is long enough. */
function matchOf(terms: readonly string[], type: string): string {
  const long = terms.filter((term) => length(term) >= INDEXED);
  if (long.length === 0) return "";
  const words = `words : (${long.map(quoted).join(" AND ")})`;
  // The kind is a trigram that no text contains (see the migration).
  return type === "" ? words : `${words} AND kind : ${quoted(`§§${type.charAt(0)}`)}`;
}

/** Conditions for what the full-text tables cannot answer, with their values. */
function conditionsOf({ me, terms, type }: Query): {
  sql: string[];
  values: Record<string, string>;
} {
  const sql: string[] = [];
  const values: Record<string, string> = {};
  const short = terms.filter((term) => length(term) < INDEXED);
  short.forEach((term, i) => {
    const word = term.replace(/^[#@]/, "");
    sql.push(`instr(${WORDS}, {:short${i}}) > 0`);
    // Latin words match at their beginning only; some scripts have no spaces.
    values[`short${i}`] = /^[a-z0-9]+$/.test(word) ? ` ${word}` : word;
  });
  if (short.length > 0 && type !== "") {
    sql.push("m.type = {:type}");
    values["type"] = type;
  }
  if (me !== "") {
    sql.push("m.userId NOT IN (SELECT blockedId FROM blocks WHERE blockerId = {:me})");
    values["me"] = me;
  }
  return { sql, values };
}

/**
 * Media after a number whose texts have all trigrams of the words, wherever they stand. Where, the
 * full-text tables know too, but whoever writes captions can make that cost them a millisecond for
 * each. The numbers are looked up, not joined: by statistics of a table's first days a join would
 * go through all of them.
 */
function readCandidates(app: CoreApp, query: Query, after: string): Candidate[] {
  const match = matchOf(trigramsOf(query.terms), query.type);
  const { sql, values } = conditionsOf(query);
  const candidates =
    match === ""
      ? "SELECT n FROM _search_media WHERE n > CAST({:after} AS INTEGER)"
      : "SELECT rowid AS n FROM _search_media_words WHERE _search_media_words MATCH {:match} AND rowid > CAST({:after} AS INTEGER)";
  const row = { id: "", n: "", caption: "", username: "", tags: "" };
  const rows = arrayOf(new DynamicModel(row)) as unknown as Candidate[];
  app
    .db()
    .newQuery(
      `SELECT m.id, CAST(c.n AS TEXT) AS n, m.caption, m.username, m.tags
       FROM (${candidates} ORDER BY n LIMIT ${LOOKED_THROUGH}) c
       CROSS JOIN media m INDEXED BY sqlite_autoindex_media_1
         ON m.id = (SELECT id FROM _search_media WHERE n = c.n)
       ${sql.length === 0 ? "" : `WHERE ${sql.join(" AND ")}`}
       ORDER BY c.n LIMIT {:limit}`,
    )
    .bind({ ...values, match, after, limit: query.limit + 1 })
    .all(rows);
  return [...rows];
}

/**
 * One medium more than the page has, which tells whether there are more; so does `end`, the number
 * after which nothing was looked at.
 */
function findMedia(app: CoreApp, query: Query): { hits: Hit[]; end: string } {
  const words = query.terms.filter((term) => length(term) > INDEXED);
  const hasWords = ({ caption, username, tags }: Candidate): boolean => {
    if (words.length === 0) return true;
    // A superuser can leave anything in the column.
    const list: unknown = JSON.parse(tags || "[]");
    const texts = Array.isArray(list) ? list.map(String) : [];
    const text = searchableText({ caption, username, tags: texts });
    return words.every((word) => text.includes(word));
  };
  const hits: Hit[] = [];
  let after = query.before;
  for (let read = 0; read < READ_THROUGH; read += query.limit + 1) {
    const candidates = readCandidates(app, query, after);
    hits.push(...candidates.filter(hasWords));
    if (hits.length > query.limit || candidates.length <= query.limit) return { hits, end: "" };
    after = candidates[query.limit]?.n ?? after;
  }
  return { hits, end: after };
}

/** People whose name contains every term: first those who begin with it, then the most followed. */
function findPeople(app: CoreApp, { me, terms }: Query): string[] {
  const names = terms.map((term) => term.replace(/^@/, ""));
  if (names.some((name) => name === "" || name.startsWith("#"))) return [];
  const match = matchOf(names, "").replace("words :", "username :");
  const [first] = names;
  const rows = arrayOf(new DynamicModel({ id: "" })) as unknown as { id: string }[];
  const within =
    match === ""
      ? ""
      : `UNION SELECT (SELECT id FROM _user_numbers WHERE n = c.rowid) AS id
           FROM (SELECT rowid FROM _user_search WHERE _user_search MATCH {:match} LIMIT 200) c`;
  const begins = `SELECT id FROM (SELECT id FROM users WHERE username COLLATE NOCASE >= {:first}
    AND username COLLATE NOCASE < {:first} || char(1114111) LIMIT 200)`;
  app
    .db()
    .newQuery(
      `SELECT u.id AS id FROM (${names.length === 1 ? begins : "SELECT '' AS id"} ${within}) found
       CROSS JOIN users u INDEXED BY sqlite_autoindex_users_1 ON u.id = found.id
       WHERE u.id NOT IN (SELECT blockedId FROM blocks WHERE blockerId = {:me})
       ORDER BY (substr(u.username, 1, length({:first})) = {:first} COLLATE NOCASE) DESC, u.followers DESC, u.username
       LIMIT ${PEOPLE_MAX}`,
    )
    .bind({ match, first: first ?? "", me })
    .all(rows);
  return [...rows].map(({ id }) => id);
}

/** The parsed query, or null where it is invalid. */
function parseQuery(e: core.RequestEvent, me: string): Query | null {
  const parameters = e.request?.url?.query();
  const text = (name: string) => parameters?.get(name) ?? "";
  const [type, before, limit] = [text("type"), text("before") || "0", text("limit")];
  const isWhole = /^\d{1,18}$/.test(before) && /^\d{0,4}$/.test(limit);
  if (!isWhole || !["", "photo", "video"].includes(type)) return null;
  return {
    me,
    terms: searchTerms(text("q")),
    type,
    before,
    limit: Math.min(Math.max(1, Number(limit || LIMIT_DEFAULT)), LIMIT_MAX),
  };
}
