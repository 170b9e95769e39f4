/**
 * Search: captions, tags and names in the full-text tables of trigrams (see the migrations), newest first. What a person has
 * blocked is left out for them, as in the gallery.
 */
import { searchTerms } from "@/domain/search-terms";
import { callerId } from "./acting";
import { answer, type Refusal, refuse } from "./refuse";
import { readDocumentsById } from "./sync-documents";

const LIMIT_DEFAULT = 30;
const LIMIT_MAX = 120;
const PEOPLE_MAX = 20;
/** A trigram is what the tables know; a shorter word is looked for row by row, but not among more than these. */
const INDEXED = 3;
const LOOKED_THROUGH = 5_000;

interface Question {
  me: string;
  terms: string[];
  type: string;
  /** Number of the last medium that the caller has, or "0". */
  before: string;
  limit: number;
}

interface Hit {
  id: string;
  n: string;
}

/** The text of a medium with a space before each word; case folded for plain letters alone. */
const WORDS = ["char(10)", "'\"'", "'-'", "'.'", "'('", "'/'"].reduce(
  (text, sign) => `replace(${text}, ${sign}, ' ')`,
  "lower(' ' || m.caption || ' ' || m.username || ' ' || m.tags)",
);

const length = (text: string): number => [...text].length;
const quoted = (term: string): string => `"${term.replace(/"/g, '""')}"`;

/** The table's own language; "" where no term is long enough for it. */
function matchOf(terms: readonly string[], type: string): string {
  const long = terms.filter((term) => length(term) >= INDEXED);
  if (long.length === 0) return "";
  const words = `words : (${long.map(quoted).join(" AND ")})`;
  // The kind is one trigram that no text has: see the migration.
  return type === "" ? words : `${words} AND kind : ${quoted(`§§${type.charAt(0)}`)}`;
}

/** Conditions for what the tables cannot answer, and the values they name. */
function conditionsOf({ me, terms, type }: Question): {
  sql: string[];
  values: Record<string, string>;
} {
  const sql: string[] = [];
  const values: Record<string, string> = {};
  const short = terms.filter((term) => length(term) < INDEXED);
  short.forEach((term, i) => {
    const word = term.replace(/^[#@]/, "");
    sql.push(`instr(${WORDS}, {:short${i}}) > 0`);
    // At the beginning of a word, or nearly everything would be found; some writings have no spaces.
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

/** One row more than the page has, which says whether there are more. */
function findMedia(app: CoreApp, question: Question): Hit[] {
  const match = matchOf(question.terms, question.type);
  const { sql, values } = conditionsOf(question);
  const candidates =
    match === ""
      ? "SELECT n FROM _search_media WHERE n > CAST({:before} AS INTEGER)"
      : "SELECT rowid AS n FROM _search_media_words WHERE _search_media_words MATCH {:match} AND rowid > CAST({:before} AS INTEGER)";
  const rows = arrayOf(new DynamicModel({ id: "", n: "" })) as unknown as Hit[];
  app
    .db()
    .newQuery(
      `SELECT m.id AS id, CAST(c.n AS TEXT) AS n
       FROM (${candidates} ORDER BY n LIMIT ${LOOKED_THROUGH}) c
       CROSS JOIN _search_media s ON s.n = c.n CROSS JOIN media m ON m.id = s.id
       ${sql.length === 0 ? "" : `WHERE ${sql.join(" AND ")}`}
       ORDER BY c.n LIMIT {:limit}`,
    )
    .bind({ ...values, match, before: question.before, limit: question.limit + 1 })
    .all(rows);
  return [...rows].map(({ id, n }) => ({ id, n }));
}

/** People whose name holds every term: those whose name begins with it first, then the most followed. */
function findPeople(app: CoreApp, { me, terms }: Question): string[] {
  const names = terms.map((term) => term.replace(/^@/, ""));
  if (names.some((name) => name === "" || name.startsWith("#"))) return [];
  const match = matchOf(names, "").replace("words :", "username :");
  const [first] = names;
  const rows = arrayOf(new DynamicModel({ id: "" })) as unknown as { id: string }[];
  const within =
    match === ""
      ? ""
      : `UNION SELECT s.id FROM (SELECT rowid FROM _user_search WHERE _user_search MATCH {:match} LIMIT 200) c
           JOIN _user_numbers s ON s.n = c.rowid`;
  const begins = `SELECT id FROM (SELECT id FROM users WHERE username COLLATE NOCASE >= {:first}
    AND username COLLATE NOCASE < {:first} || char(1114111) LIMIT 200)`;
  app
    .db()
    .newQuery(
      `SELECT u.id AS id FROM (${names.length === 1 ? begins : "SELECT '' AS id"} ${within}) found JOIN users u ON u.id = found.id
       WHERE u.id NOT IN (SELECT blockedId FROM blocks WHERE blockerId = {:me})
       ORDER BY (substr(u.username, 1, length({:first})) = {:first} COLLATE NOCASE) DESC, u.followers DESC, u.username
       LIMIT ${PEOPLE_MAX}`,
    )
    .bind({ match, first: first ?? "", me })
    .all(rows);
  return [...rows].map(({ id }) => id);
}

const INVALID: Refusal = { status: 400, code: "invalid", message: "Invalid search." };

/** What was asked, or null where it makes no sense. */
function questionOf(e: core.RequestEvent, me: string): Question | null {
  const query = e.request?.url?.query();
  const text = (name: string) => query?.get(name) ?? "";
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

/**
 * `GET /api/search?q=&type=&before=&limit=`: `{media, people, more, next}`. `media` and `people` are records as in the feed; `next` is
 * what `before` takes for the page after. People come with the first page alone.
 */
export function search(e: core.RequestEvent): void {
  const me = callerId(e);
  if (me === null) {
    refuse(e, { status: 401, code: "unauthenticated", message: "The token is not valid." });
    return;
  }
  const question = questionOf(e, me);
  if (question === null) {
    refuse(e, INVALID);
    return;
  }
  e.response.header().set("Cache-Control", "no-store");
  if (question.terms.length === 0) {
    answer(e, 200, { media: [], people: [], more: false, next: "" });
    return;
  }
  const hits = findMedia(e.app, question);
  const page = hits.slice(0, question.limit);
  const people = question.before === "0" ? findPeople(e.app, question) : [];
  const media = readDocumentsById(
    e.app,
    "media",
    page.map((hit) => hit.id),
  );
  const more = hits.length > page.length;
  const place = JSON.stringify({ more, next: page[page.length - 1]?.n ?? "" });
  e.response.header().set("Content-Type", "application/json");
  e.string(
    200,
    `{"media":${media},"people":${readDocumentsById(e.app, "profiles", people)},${place.slice(1)}`,
  );
}
