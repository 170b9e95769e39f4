/**
 * What people are told of: one row for each event, made by triggers in the event's own transaction
 * (pb_migrations/1795000400-notifications.js). Here are what no trigger knows, an admin who removes
 * a medium or warns somebody, and people whom a text names; the marks of what was read; and what
 * happens when rows grow old.
 */
import { mustStillBeAdmin, writeAudit } from "@hooks/admin/audit";
import { admitAdmin } from "@hooks/admin/pages";
import { hintConcerned, hintPeople } from "@hooks/feed/hints";
import { answer, refusalOf, refuse } from "@hooks/http/refusals";
import {
  bodyOf,
  findRecord,
  hasBadToken,
  inTransaction,
  isSuspended,
  TRUSTED,
  textOf,
  userIdOf,
} from "@hooks/http/request";
import { newId } from "@/domain/ids";
import { REASON_MAX } from "@/domain/limits";
import { NOTIFICATION_DAYS } from "@/domain/notifications";
import { isBlank } from "@/domain/texts";
import { mentionsOf } from "@/domain/words";
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

  /** `POST /api/admin/users/{id}/warning` `{text}`: tells somebody what is not welcome. Audited. */
  warnUser(e: core.RequestEvent) {
    if (!admitAdmin(e)) return;
    const id = e.request?.pathValue("id") ?? "";
    const text = textOf(bodyOf(e)["text"]).trim();
    if (isBlank(text)) return refuse(e, refusalOf("text_empty"));
    if (text.length > REASON_MAX) return refuse(e, refusalOf("text_long"));
    if (id === userIdOf(e)) return refuse(e, refusalOf("self"));
    if (!findRecord(e.app, "users", id)) return refuse(e, refusalOf("gone"));
    const key = `warning_${newId(Math.random)}`;
    (e.app as CoreApp).runInTransaction((tx) => {
      mustStillBeAdmin(tx, e);
      change(
        tx,
        `INSERT INTO notifications
          (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
          VALUES ({:key}, {:id}, 'warning', '', '', '', '', '', {:text}, {:now}, '', 0)`,
        { key, id, text, now: instant(0) },
      );
      writeAudit(tx, e, { action: "users.warn", target: id, details: { reason: text } });
    });
    hintPeople(e.app, [id]);
    answer(e, 200, { id: key });
  },

  /** Tells those whom a comment or a caption names, in the transaction that writes it. */
  saveMentions(e: core.ModelEvent): void {
    const record = e.model as unknown as core.Record;
    const names = mentionsOf(textIn(record));
    const before = record.isNew() ? [] : mentionsOf(textIn(record.original()));
    // What is imported is no news.
    if (names.join() === before.join() || record.get(TRUSTED)) {
      e.next();
      return;
    }
    inTransaction(e as { app: CoreApp }, (tx) => {
      e.next();
      tellNamed(tx, record, names);
    });
  },

  /** Runs after what people may be told of: an act, a decision about a report, a caption. */
  hintNotified(e: core.RecordEvent): void {
    e.next();
    const { record } = e;
    if (!record) return;
    const kinds = KINDS[record.collection().name] ?? [];
    const told = (kind = "") => `${kind}_${record.id}`;
    const rows = arrayOf(new DynamicModel({ userId: "" })) as unknown as { userId: string }[];
    e.app
      .db()
      .newQuery(
        `SELECT userId FROM notifications WHERE id IN ({:first}, {:second})
          UNION SELECT userId FROM notifications WHERE ${OF_MENTIONS}`,
      )
      .bind({ first: told(kinds[0]), second: told(kinds[1]), of: record.id })
      .all(rows);
    for (const { userId } of rows) hintConcerned(e.app, userId);
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
const KINDS: Record<string, readonly string[]> = {
  likes: ["like"],
  comments: ["comment", "reply"],
  follows: ["follow"],
  reports: ["report"],
};

/** As PocketBase stores it, which is also what devices hold. */
const INSTANT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const STEP_ROWS = 1_000;
const DAY_MS = 24 * 3_600_000;

const instant = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * DAY_MS).toISOString().replace("T", " ");

const change = (app: CoreApp, sql: string, binds: Record<string, string>): number =>
  Number(app.nonconcurrentDB().newQuery(sql).bind(binds).execute().rowsAffected());

/**
 * Whatever the statistics say: by the person, who has a thousand rows at most, and few beside. What
 * was taken back is read as well, because it may return.
 */
function markRead(app: CoreApp, me: string, until: string): number {
  const binds = { me, until, now: instant(0) };
  const read = (table: string): number =>
    change(
      app,
      `UPDATE ${table} SET readAt = {:now}
        WHERE userId = {:me} AND +readAt = '' AND +createdAt <= {:until}`,
      binds,
    );
  read("_told");
  return read("notifications");
}

/** Of one comment or caption. Ids are letters and figures, which all come before a grave accent. */
const OF_MENTIONS = "id > 'mention_' || {:of} || '_' AND id < 'mention_' || {:of} || char(96)";

const textIn = (record: core.Record): string =>
  record.getString("text") || record.getString("caption");

/** Whoever hears of a comment anyway, on his medium or as an answer to his, is not told twice. */
function tellNamed(tx: CoreApp, record: core.Record, names: readonly string[]): void {
  const isComment = record.collection().name === "comments";
  const values = Object.fromEntries(names.map((name, i) => [`name${i}`, name]));
  const named = names.map((_, i) => `{:name${i}}`).join(", ");
  const people = `SELECT id FROM users WHERE username COLLATE NOCASE IN (${named})`;
  change(tx, `DELETE FROM notifications WHERE ${OF_MENTIONS} AND userId NOT IN (${people})`, {
    ...values,
    of: record.id,
  });
  change(
    tx,
    `INSERT OR IGNORE INTO notifications
      (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
      SELECT 'mention_' || {:of} || '_' || u.id, u.id, 'mention', {:who}, {:mediaId}, {:commentId},
        '', '', '', COALESCE(t.createdAt, {:now}), COALESCE(t.readAt, ''), 0
      FROM users u INDEXED BY idx_users_username
      LEFT JOIN _told t ON t.id = 'mention_' || {:of} || '_' || u.id AND t.createdAt > {:yesterday}
      WHERE u.username COLLATE NOCASE IN (${named}) AND u.id != {:who} AND instr(u.notificationsOff, '"mention"') = 0
        AND NOT EXISTS (SELECT 1 FROM blocks
          WHERE id IN (u.id || '_' || {:who}, {:who} || '_' || u.id))
        AND NOT EXISTS (SELECT 1 FROM notifications
          WHERE id IN ('comment_' || {:of}, 'reply_' || {:of}) AND userId = u.id)`,
    {
      ...values,
      of: record.id,
      who: record.getString("userId"),
      mediaId: isComment ? record.getString("mediaId") : record.id,
      commentId: isComment ? record.id : "",
      now: instant(0),
      yesterday: instant(1),
    },
  );
}

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
