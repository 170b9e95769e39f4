/**
 * What the people post whom one follows, and what has a tag that one follows, newest first; and
 * whom else one might follow.
 *
 * [Note: Newest of many] A page is read in two steps. Of each of the followed the newest medium
 * before the page's begin is looked up in an index; only the people of the newest of these can have
 * a medium on the page, so of no more than them are media read. Who follows thousands costs a look
 * for each, and who follows somebody with a million media no more than others. Tags are read alike.
 */
import { readDocumentsById } from "@hooks/http/records";
import { refusalOf, refuse } from "@hooks/http/refusals";
import { callerId } from "@hooks/http/request";
import { NOT_SIGNED_IN } from "@hooks/sessions";
import { answerInTurn } from "@hooks/turns";
import { isId } from "@/domain/ids";

export const followingHandlers = {
  /**
   * `GET /api/following/media?before=&beforeId=&limit=&tags=`: `{items, more}`. `items` are records
   * as in the feed; `before` and `beforeId` are time and id of the last one of the page before.
   * Followed tags count with `tags=1`: devices of earlier versions know of none.
   */
  listFollowedMedia(e: core.RequestEvent): void {
    const query = parseQuery(e);
    if (query === null) return;
    answerInTurn(e, "listsPer10Sec", () => {
      const ids = readIds(e.app, followedMedia(query));
      const page = ids.slice(0, query.limit);
      const media = readDocumentsById(e.app, "media", page);
      return `{"items":${media},"more":${ids.length > page.length}}`;
    });
  },

  /**
   * `GET /api/following/suggested`: `{items}`, profiles of people whom the caller does not follow:
   * first those who are followed by most of the followed, then those who post most.
   */
  suggestPeople(e: core.RequestEvent): void {
    const me = signedIn(e);
    if (me === null) return;
    answerInTurn(e, "listsPer10Sec", () => {
      const people = readIds(e.app, suggestedPeople(me));
      return `{"items":${readDocumentsById(e.app, "profiles", people)}}`;
    });
  },
};

const LIMIT_DEFAULT = 30;
const LIMIT_MAX = 60;
/** Of those with a tag no more are passed over: the person's own, and those of blocked people. */
const TAGGED_MOST = 1_000;
/** Of so many of the followed media are looked for: the first by their ids. */
const FOLLOWED_MOST = 5_000;
/** So many of the followed are asked whom they follow, and so many of those are counted. */
const FRIENDS_MOST = 60;
const THEIRS_MOST = 60;
/** Who posts much is told by so many of the newest media. */
const NEWEST_MOST = 1_000;
const SUGGESTED_MOST = 12;

interface Query {
  me: string;
  /** As the server writes times, "" for the newest. */
  before: string;
  beforeId: string;
  limit: number;
  withTags: boolean;
}

type Statement = { sql: string; values: Record<string, string | number> };

/** Ids of follows are both people's: the first index has all. `_` comes before a grave accent. */
const FOLLOWED = `SELECT substr(id, 17) AS who FROM follows
  WHERE id > {:me} || '_' AND id < {:me} || char(96)`;

/** One more than the page has, which tells whether there are more. */
function followedMedia({ me, before, beforeId, limit, withTags }: Query): Statement {
  const earlier = (row: string, id = "id") =>
    before === "" ? "TRUE" : `(${row}.createdAt, ${row}.${id}) < ({:before}, {:beforeId})`;
  const newest = `(SELECT n.createdAt || n.id FROM media n INDEXED BY idx_media_user
    WHERE n.userId = f.who AND ${earlier("n")} ORDER BY n.createdAt DESC, n.id DESC LIMIT 1)`;
  const own = `SELECT o.id FROM media o INDEXED BY idx_media_user
    WHERE o.userId = p.who AND ${earlier("o")} ORDER BY o.createdAt DESC, o.id DESC LIMIT {:most}`;
  const tagged = `SELECT t.mediaId, t.at FROM (SELECT mediaId, userId, createdAt || mediaId AS at
      FROM _media_tags WHERE tag = g.tag AND ${earlier("_media_tags", "mediaId")}
      ORDER BY createdAt DESC, mediaId DESC LIMIT ${TAGGED_MOST}) t
    WHERE t.userId != {:me}
      AND t.userId NOT IN (SELECT blockedId FROM blocks WHERE blockerId = {:me})
    ORDER BY t.at DESC LIMIT`;
  const tags = `tags AS MATERIALIZED (
      SELECT g.tag, (SELECT at FROM (${tagged} 1)) AS newest
      FROM follows g WHERE g.followerId = {:me} AND g.tag != ''
        AND newest IS NOT NULL ORDER BY newest DESC LIMIT {:most}),`;
  const ofTags = `UNION SELECT m.id, m.createdAt FROM tags g
    CROSS JOIN media m INDEXED BY sqlite_autoindex_media_1
      ON m.id IN (SELECT mediaId FROM (${tagged} {:most}))`;
  return {
    sql: `WITH ${withTags ? tags : ""} people AS MATERIALIZED (
        SELECT f.who, ${newest} AS newest FROM (${FOLLOWED} LIMIT ${FOLLOWED_MOST}) f
        WHERE newest IS NOT NULL ORDER BY newest DESC LIMIT {:most})
      SELECT id FROM (SELECT m.id AS id, m.createdAt AS at FROM people p
        CROSS JOIN media m INDEXED BY sqlite_autoindex_media_1 ON m.id IN (${own})
        ${withTags ? ofTags : ""})
      ORDER BY at DESC, id DESC LIMIT {:most}`,
    values: { me, before, beforeId, most: limit + 1 },
  };
}

function suggestedPeople(me: string): Statement {
  const theirs = `SELECT substr(t.id, 17) AS who FROM friends f CROSS JOIN follows t
    ON t.id IN (SELECT id FROM follows
      WHERE id > f.who || '_' AND id < f.who || char(96) LIMIT ${THEIRS_MOST})`;
  const posters = `SELECT userId AS who FROM media INDEXED BY idx_media_created
    ORDER BY createdAt DESC, id DESC LIMIT ${NEWEST_MOST}`;
  return {
    sql: `WITH friends AS MATERIALIZED (${FOLLOWED} LIMIT ${FRIENDS_MOST}),
      counted AS (
        SELECT who, 1 AS kind, count(*) AS times FROM (${theirs}) GROUP BY who
        UNION ALL SELECT who, 0, count(*) FROM (${posters}) GROUP BY who)
      SELECT u.id AS id FROM counted c
      CROSS JOIN users u INDEXED BY sqlite_autoindex_users_1 ON u.id = c.who
      WHERE u.id != {:me} AND u.isBlocked = FALSE
        AND NOT EXISTS (SELECT 1 FROM follows WHERE id = {:me} || '_' || u.id)
        AND NOT EXISTS (SELECT 1 FROM blocks
          WHERE id IN ({:me} || '_' || u.id, u.id || '_' || {:me})
            OR (mutedId = u.id AND mutedId != '' AND blockerId = {:me}))
      GROUP BY u.id ORDER BY max(c.kind) DESC, max(c.kind * c.times) DESC, max(c.times) DESC, u.id
      LIMIT ${SUGGESTED_MOST}`,
    values: { me },
  };
}

function readIds(app: CoreApp, { sql, values }: Statement): string[] {
  const rows = arrayOf(new DynamicModel({ id: "" })) as unknown as { id: string }[];
  app.db().newQuery(sql).bind(values).all(rows);
  return [...rows].map(({ id }) => id);
}

/** The caller's id; null where nobody is signed in, which is answered. */
function signedIn(e: core.RequestEvent): string | null {
  const me = callerId(e);
  if (me) return me;
  refuse(e, NOT_SIGNED_IN);
  return null;
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/;

/** Null where it is invalid, which is answered. */
function parseQuery(e: core.RequestEvent): Query | null {
  const me = signedIn(e);
  if (me === null) return null;
  const parameters = e.request?.url?.query();
  const text = (name: string) => parameters?.get(name) ?? "";
  const [before, beforeId, limit] = [text("before"), text("beforeId"), text("limit")];
  const isFirst = before === "" && beforeId === "";
  const isPlace = isFirst || (TIME.test(before) && isId(beforeId));
  if (!isPlace || !/^\d{0,4}$/.test(limit)) {
    refuse(e, refusalOf("invalid", "Invalid page."));
    return null;
  }
  const most = Math.min(Math.max(1, Number(limit || LIMIT_DEFAULT)), LIMIT_MAX);
  return { me, before, beforeId, limit: most, withTags: text("tags") === "1" };
}
