/**
 * What people are told of: one row for each event, made by triggers in the event's own transaction
 * (pb_migrations/1795000400-notifications.js). Here are what no trigger knows, an admin who removes
 * a medium; the marks of what was read; and what happens when rows grow old.
 */
import { hintConcerned, hintPeople } from "@hooks/feed/hints";
import { refusalOf, refuse } from "@hooks/http/refusals";
import { bodyOf, hasBadToken, isSuspended, textOf, userIdOf } from "@hooks/http/request";
import { REASON_MAX } from "@/domain/limits";
import { NOTIFICATION_DAYS } from "@/domain/notifications";
import { refuseTooMany, takeOne } from "./limits";
import { NOT_SIGNED_IN } from "./sessions";
import { asOneWriter } from "./turns";

export const notificationHandlers = {
  /**
   * `POST /api/notifications/read` `{until}`: marks what was made up to that instant read, as it
   * stands in `createdAt`. Answers `{read}`, how many that were.
   */
  readNotifications(e: core.RequestEvent) {
    if (isSuspended(e)) return refuse(e, refusalOf("suspended"));
    const me = userIdOf(e);
    if (hasBadToken(e) || me === "") return refuse(e, NOT_SIGNED_IN);
    const until = textOf(bodyOf(e)["until"]);
    if (!INSTANT.test(until)) return refuse(e, refusalOf("invalid"));
    const wait = takeOne(e.app, "writesPerMinute", me);
    if (wait > 0) return refuseTooMany(e, wait);
    const marked = asOneWriter(e, me, () => markRead(e.app as CoreApp, me, until));
    if (marked === null) return;
    if (marked > 0) hintPeople(e.app, [me]);
    e.json(200, { read: marked });
  },

  /** Runs after a like, a comment, a follow or a decision about a report. */
  hintNotified(e: core.RecordEvent): void {
    e.next();
    const kind = KINDS[e.record?.collection().name ?? ""];
    if (kind === undefined || !e.record) return;
    const row = new DynamicModel({ userId: "" }) as unknown as { userId: string };
    const sql = "SELECT COALESCE(max(userId), '') AS userId FROM notifications WHERE id = {:id}";
    e.app
      .db()
      .newQuery(sql)
      .bind({ id: `${kind}_${e.record.id}` })
      .one(row);
    if (row.userId !== "") hintConcerned(e.app, row.userId);
  },

  /** Runs every day. */
  pruneNotifications(): void {
    const app = $app as CoreApp;
    pruneBefore(app, "notifications", "rowid", instant(NOTIFICATION_DAYS));
    pruneBefore(app, "_told", "id", instant(1));
  },
};

/** In steps, because everybody's writes wait for each. */
function pruneBefore(app: CoreApp, table: string, key: string, before: string): void {
  const old = `SELECT ${key} FROM ${table} WHERE createdAt < {:before} LIMIT ${STEP_ROWS}`;
  const step = `DELETE FROM ${table} WHERE ${key} IN (${old})`;
  while (change(app, step, { before }) === STEP_ROWS);
}

/** By whose rows people are told of something, and of what. */
const KINDS: Record<string, string> = {
  likes: "like",
  comments: "comment",
  follows: "follow",
  reports: "report",
};

/** As PocketBase stores it, which is also what devices hold. */
const INSTANT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const STEP_ROWS = 1_000;
const DAY_MS = 24 * 3_600_000;

const instant = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * DAY_MS).toISOString().replace("T", " ");

const change = (app: CoreApp, sql: string, binds: Record<string, string>): number =>
  Number(app.nonconcurrentDB().newQuery(sql).bind(binds).execute().rowsAffected());

/** Whatever the statistics say: by the person, who has a thousand rows at most, and few beside. */
const markRead = (app: CoreApp, me: string, until: string): number =>
  change(
    app,
    `UPDATE notifications SET readAt = {:now}
      WHERE userId = {:me} AND +readAt = '' AND +createdAt <= {:until}`,
    { me, until, now: instant(0) },
  );

/** Why an admin removes a medium, in his words; "" for no word. Null where they are too many. */
export function reasonOf(e: core.RequestEvent): string | null {
  const reason = textOf(bodyOf(e)["reason"]).trim();
  return reason.length > REASON_MAX ? null : reason;
}

/** Tells the owner of a medium that somebody who may has removed it. */
export function tellRemoval(tx: CoreApp, media: core.Record, reason: string): void {
  change(
    tx,
    `INSERT OR IGNORE INTO notifications
      (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
      SELECT {:id}, id, 'removal', '', {:mediaId}, '', '', {:caption}, {:reason}, {:now}, '', 0
      FROM users WHERE id = {:owner}`,
    {
      id: `removal_${media.id}`,
      mediaId: media.id,
      owner: media.getString("userId"),
      caption: media.getString("caption").slice(0, CAPTION_MAX),
      reason,
      now: instant(0),
    },
  );
}

const CAPTION_MAX = 200;
