/**
 * What the place talks about: the tags and the people of the last seven days. Both are counted by
 * different people, so that nobody brings up his own. Of each person the newest are counted, so
 * that nobody crowds the others out, and of a bounded number of people, so that a million media
 * cost no more than a thousand. What was counted is kept for some minutes.
 */
import { readDocumentsById } from "@hooks/http/records";
import { refusalOf, refuse } from "@hooks/http/refusals";
import { callerId } from "@hooks/http/request";
import { answerInTurn } from "@hooks/turns";

export const exploreHandlers = {
  /**
   * `GET /api/explore`: `{tags, people}`. A tag is `{tag, people, media}`: as its newest medium
   * has it, and how many people put it on how many media. `people` are profiles, first those whose
   * media most others liked, without whom the caller has blocked or is blocked by.
   */
  explore(e: core.RequestEvent): void {
    const me = callerId(e);
    if (me === null) {
      refuse(e, refusalOf("unauthenticated", "The token is not valid."));
      return;
    }
    answerInTurn(e, "listsPer10Sec", () => {
      const { tags, people } = readWeek(e.app);
      const shown = me === "" ? people : withoutHidden(e.app, people, me);
      return `{"tags":${JSON.stringify(tags)},"people":${readDocumentsById(e.app, "profiles", shown)}}`;
    });
  },
};

const WEEK_MS = 7 * 24 * 3_600_000;
const TAGS_MOST = 24;
const PEOPLE_MOST = 24;
/** Counted are the newest of each person, first of those of whom something changed last. */
const COUNTED_PEOPLE = 5_000;
const COUNTED_EACH = 30;
const COUNTED = 10_000;
const KEPT = "explore";
const KEPT_MS = 5 * 60_000;

interface Week {
  tags: { tag: string; people: number; media: number }[];
  /** Ids. */
  people: string[];
}

/** In the server's memory, which all engines share. */
function readWeek(app: CoreApp): Week {
  const now = Date.now();
  const { until = 0, week } = JSON.parse(String(app.store().get(KEPT) ?? "{}"));
  if (until > now) return week;
  const since = new Date(now - WEEK_MS).toISOString().replace("T", " ");
  const counted = { tags: countTags(app, since), people: countPeople(app, since) };
  app.store().set(KEPT, JSON.stringify({ until: now + KEPT_MS, week: counted }));
  return counted;
}

const COUNTED_USERS = `(SELECT id FROM (SELECT id, isBlocked FROM users INDEXED BY idx_users_seq
    ORDER BY seq DESC LIMIT ${COUNTED_PEOPLE}) WHERE isBlocked = FALSE)`;

/** SQLite takes `written` from the row that has the newest time. */
function countTags(app: CoreApp, since: string): Week["tags"] {
  const model = { tag: "", people: 0, media: 0 };
  const rows = arrayOf(new DynamicModel(model)) as unknown as Week["tags"];
  app
    .db()
    .newQuery(
      `SELECT written AS tag, people, media FROM (
        SELECT tag, written, max(createdAt), count(*) AS media, count(DISTINCT userId) AS people
        FROM (SELECT t.* FROM ${COUNTED_USERS} u CROSS JOIN _media_tags t
            ON (t.tag, t.createdAt, t.mediaId) IN (SELECT n.tag, n.createdAt, n.mediaId
              FROM media m INDEXED BY idx_media_user
              CROSS JOIN _media_tags n INDEXED BY idx_media_tags_media ON n.mediaId = m.id
              WHERE m.userId = u.id AND m.createdAt > {:since}
              ORDER BY m.createdAt DESC LIMIT ${COUNTED_EACH})
          LIMIT ${COUNTED})
        GROUP BY tag ORDER BY people DESC, media DESC, tag LIMIT ${TAGS_MOST})`,
    )
    .bind({ since })
    .all(rows);
  return [...rows].map(({ tag, people, media }) => ({ tag, people, media }));
}

function countPeople(app: CoreApp, since: string): string[] {
  return readIds(
    app,
    `SELECT m.userId AS id
      FROM (SELECT l.mediaId, l.userId FROM ${COUNTED_USERS} u CROSS JOIN likes l
          ON l.rowid IN (SELECT rowid FROM likes INDEXED BY idx_likes_user
            WHERE userId = u.id ORDER BY seq DESC LIMIT ${COUNTED_EACH})
          AND l.createdAt > {:since}
        LIMIT ${COUNTED}) l
      CROSS JOIN media m INDEXED BY sqlite_autoindex_media_1
        ON m.id = l.mediaId AND m.userId != l.userId
      CROSS JOIN users a INDEXED BY sqlite_autoindex_users_1
        ON a.id = m.userId AND a.isBlocked = FALSE
      GROUP BY m.userId ORDER BY count(DISTINCT l.userId) DESC, m.userId LIMIT ${PEOPLE_MOST}`,
    { since },
  );
}

const withoutHidden = (app: CoreApp, people: readonly string[], me: string): string[] =>
  readIds(
    app,
    `SELECT p.value AS id FROM json_each({:people}) p WHERE NOT EXISTS (SELECT 1 FROM blocks
        WHERE id IN ({:me} || '_' || p.value, p.value || '_' || {:me})
          OR (mutedId = p.value AND mutedId != '' AND blockerId = {:me}))
      ORDER BY p.key`,
    { people: JSON.stringify(people), me },
  );

function readIds(app: CoreApp, sql: string, values: Record<string, string>): string[] {
  const rows = arrayOf(new DynamicModel({ id: "" })) as unknown as { id: string }[];
  app.db().newQuery(sql).bind(values).all(rows);
  return [...rows].map(({ id }) => id);
}
