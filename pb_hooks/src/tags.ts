/**
 * Media by their tags, those of their list and those in their caption: kept in a table of its own
 * (pb_migrations/1795000420-tags.js), because case and accents make no other tag.
 */
import { readDocumentsById } from "@hooks/http/records";
import { refusalOf, refuse } from "@hooks/http/refusals";
import { callerId, inTransaction } from "@hooks/http/request";
import { answerInTurn } from "@hooks/turns";
import { isId } from "@/domain/ids";
import { TAG_MAX } from "@/domain/limits";
import { foldText } from "@/domain/search-terms";
import { type Tag, tagsOfMedium } from "@/domain/words";

export const tagHandlers = {
  /** Writes a medium's tags, in the transaction that writes the medium. */
  saveTags(e: core.ModelEvent): void {
    const record = e.model as unknown as core.Record;
    const before = record.isNew() ? [] : tagsOf(rowOf(record.original()));
    if (JSON.stringify(tagsOf(rowOf(record))) === JSON.stringify(before)) {
      e.next();
      return;
    }
    inTransaction(e as { app: CoreApp }, (tx) => {
      e.next();
      writeTags(tx, rowOf(record));
    });
  },

  /** Every minute: those of media that were there before their tags were kept. */
  tagOldMedia(): void {
    const app = $app as CoreApp;
    for (let step = 0; step < STEPS && tagSome(app); step += 1);
  },

  /**
   * `GET /api/tags/{tag}/media?sort=&before=&beforeId=&skip=&limit=`: `{items, more, next}`. The
   * newest first, where `next` is `{before, beforeId}` of the next page; or, with `sort=popular`,
   * the most liked of the newest thousand, where it is `{skip}`. `items` are records as in the
   * feed, without those of people whom the caller has blocked.
   */
  listTagged(e: core.RequestEvent): void {
    const query = parseQuery(e);
    if (query === null) return;
    answerInTurn(e, "listsPer10Sec", () => {
      const { ids, next } = query.sort === "popular" ? popular(e.app, query) : newest(e.app, query);
      const position = JSON.stringify({ more: next !== null, next: next ?? {} });
      return `{"items":${readDocumentsById(e.app, "media", ids)},${position.slice(1)}`;
    });
  },
};

const LIMIT_DEFAULT = 30;
const LIMIT_MAX = 60;
/** The most liked are found among so many of the newest. */
const POPULAR_AMONG = 1_000;
/** Of media of blocked people no more are passed over. */
const LOOKED_THROUGH = 5_000;
const STEPS = 10;
const STEP_ROWS = 500;

interface MediumRow {
  id: string;
  userId: string;
  createdAt: string;
  caption: string;
  /** JSON; a superuser can leave anything in it. */
  tags: string;
}

const rowOf = (record: core.Record): MediumRow => ({
  id: record.id,
  userId: record.getString("userId"),
  createdAt: record.getString("createdAt"),
  caption: record.getString("caption"),
  tags: record.getString("tags"),
});

function listOf(tags: string): string[] {
  try {
    const list: unknown = JSON.parse(tags || "[]");
    return Array.isArray(list) ? list.filter((tag) => typeof tag === "string") : [];
  } catch {
    return [];
  }
}

const tagsOf = ({ caption, tags }: MediumRow): Tag[] =>
  tagsOfMedium({ caption, tags: listOf(tags) });

const execute = (app: CoreApp, sql: string, values: Record<string, string | number>) =>
  app.nonconcurrentDB().newQuery(sql).bind(values).execute();

function writeTags(tx: CoreApp, row: MediumRow): void {
  const { id, userId, createdAt } = row;
  execute(tx, "DELETE FROM _media_tags WHERE mediaId = {:id}", { id });
  const all = tagsOf(row);
  if (all.length === 0) return;
  const rows = all.map((_, i) => `({:tag${i}}, {:createdAt}, {:id}, {:userId}, {:written${i}})`);
  const words = all.flatMap(({ tag, written }, i) => [
    [`tag${i}`, tag],
    [`written${i}`, written],
  ]);
  const sql = `INSERT INTO _media_tags (tag, createdAt, mediaId, userId, written)
    VALUES ${rows.join(", ")}`;
  execute(tx, sql, { id, userId, createdAt, ...Object.fromEntries(words) });
}

/** Whether there may be more. */
function tagSome(app: CoreApp): boolean {
  const model = { id: "", userId: "", createdAt: "", caption: "", tags: "" };
  const rows = arrayOf(new DynamicModel(model)) as unknown as MediumRow[];
  const some = `SELECT id FROM _untagged LIMIT ${STEP_ROWS}`;
  let done = 0;
  app.runInTransaction((tx) => {
    tx.db()
      .newQuery(
        `SELECT m.id, m.userId, m.createdAt, m.caption, COALESCE(m.tags, '') AS tags
          FROM (${some}) u CROSS JOIN media m INDEXED BY sqlite_autoindex_media_1 ON m.id = u.id`,
      )
      .all(rows);
    for (const row of [...rows]) writeTags(tx as CoreApp, row);
    const sql = `DELETE FROM _untagged WHERE id IN (${some})`;
    done = Number(execute(tx as CoreApp, sql, {}).rowsAffected());
  });
  return done === STEP_ROWS;
}

type Next = { before: string; beforeId: string } | { skip: number };

interface Page {
  ids: string[];
  /** Null after the last page. */
  next: Next | null;
}

interface Query {
  me: string;
  tag: string;
  sort: "newest" | "popular";
  /** As the server writes times, "" for the newest. */
  before: string;
  beforeId: string;
  skip: number;
  limit: number;
}

interface Hit {
  id: string;
  createdAt: string;
}

const NOT_BLOCKED = "userId NOT IN (SELECT blockedId FROM blocks WHERE blockerId = {:me})";

function readHits(app: CoreApp, sql: string, values: Record<string, string | number>): Hit[] {
  const rows = arrayOf(new DynamicModel({ id: "", createdAt: "" })) as unknown as Hit[];
  app.db().newQuery(sql).bind(values).all(rows);
  return [...rows];
}

/** One more than the page has tells whether there are more. */
function newest(app: CoreApp, { me, tag, before, beforeId, limit }: Query): Page {
  const earlier = before === "" ? "" : "AND (createdAt, mediaId) < ({:before}, {:beforeId})";
  const hits = readHits(
    app,
    `SELECT id, createdAt FROM (SELECT mediaId AS id, createdAt, userId FROM _media_tags
        WHERE tag = {:tag} ${earlier}
        ORDER BY createdAt DESC, mediaId DESC LIMIT ${LOOKED_THROUGH})
      WHERE ${NOT_BLOCKED} ORDER BY createdAt DESC, id DESC LIMIT {:most}`,
    { me, tag, before, beforeId, most: limit + 1 },
  );
  const page = hits.slice(0, limit);
  const last = page[page.length - 1];
  const isEnd = hits.length <= limit || last === undefined;
  const next = isEnd ? null : { before: last.createdAt, beforeId: last.id };
  return { ids: page.map(({ id }) => id), next };
}

function popular(app: CoreApp, { me, tag, skip, limit }: Query): Page {
  const hits = readHits(
    app,
    `SELECT m.id AS id, m.createdAt AS createdAt FROM (SELECT mediaId, userId FROM _media_tags
        WHERE tag = {:tag} ORDER BY createdAt DESC, mediaId DESC LIMIT ${POPULAR_AMONG}) t
      CROSS JOIN media m INDEXED BY sqlite_autoindex_media_1 ON m.id = t.mediaId
      WHERE t.${NOT_BLOCKED}
      ORDER BY m.likes DESC, m.views DESC, m.createdAt DESC, m.id DESC
      LIMIT {:most} OFFSET {:skip}`,
    { me, tag, skip, most: limit + 1 },
  );
  const ids = hits.slice(0, limit).map(({ id }) => id);
  return { ids, next: hits.length > limit ? { skip: skip + limit } : null };
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/;

/** Null where it is invalid, which is answered. */
function parseQuery(e: core.RequestEvent): Query | null {
  const me = callerId(e);
  if (me === null) {
    refuse(e, refusalOf("unauthenticated", "The token is not valid."));
    return null;
  }
  const parameters = e.request?.url?.query();
  const text = (name: string) => parameters?.get(name) ?? "";
  const [sort, before, beforeId] = [text("sort") || "newest", text("before"), text("beforeId")];
  const [skip, limit] = [text("skip") || "0", text("limit")];
  const written = (e.request?.pathValue("tag") ?? "").slice(0, 2 * TAG_MAX);
  const isPlace = (before === "" && beforeId === "") || (TIME.test(before) && isId(beforeId));
  const isWhole = /^\d{1,4}$/.test(skip) && /^\d{0,4}$/.test(limit);
  if (!isPlace || !isWhole || (sort !== "newest" && sort !== "popular")) {
    refuse(e, refusalOf("invalid", "Invalid page."));
    return null;
  }
  const most = Math.min(Math.max(1, Number(limit || LIMIT_DEFAULT)), LIMIT_MAX);
  const place = { before, beforeId, skip: Number(skip), limit: most };
  return { me, tag: foldText(written), sort, ...place };
}
