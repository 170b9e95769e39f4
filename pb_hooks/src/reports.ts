/**
 * Reports of media, comments, messages and people: one per reporter and thing, with a snapshot that
 * outlives the thing. A message takes those before it along, which admins read by an audited route.
 */

import { changesOf, nextAudited, writeAudit } from "@hooks/admin/audit";
import { admitAdmin } from "@hooks/admin/pages";
import { answer, refusalOf, refuse } from "@hooks/http/refusals";
import {
  bodyOf,
  findRecord,
  isSuperuser,
  keepOnly,
  requestOf,
  textOf,
  userIdOf,
} from "@hooks/http/request";
import { peopleOf } from "@/domain/chats";
import type { ErrorCode } from "@/domain/error-codes";
import { isId, pairId } from "@/domain/ids";
import { REASON_MAX } from "@/domain/limits";
import { isReportTopic, REPORT_CONTEXT, REPORT_KINDS, type ReportKind } from "@/domain/reports";
import { isBlank } from "@/domain/texts";
import { refuseTooMany, takeOne } from "./limits";

export const reportHandlers = {
  createReport(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    const request = requestOf(e);
    const me = userIdOf(e);
    keepOnly(record, ["kind", "targetId", "mediaId", "userId", "reason", "topic"]);
    nameTarget(record);
    const reason = record.getString("reason").trim();
    const fault = faultOf(e, reason);
    if (fault !== null) return refuse(request, refusalOf(fault));
    const target = findTarget(e.app, record, me);
    if (typeof target === "string") return refuse(request, refusalOf(target));
    const wait = takeOne(e.app, "reportsPerHour", me);
    if (wait > 0) return refuseTooMany(request, wait);
    const id = pairId(record.getString("targetId"), me);
    const existing = findRecord(e.app, "reports", id);
    if (existing) return replaceReason(e, existing, reason);
    record.set("id", id);
    record.set("reason", reason);
    record.set("status", "open");
    const reporter = e.auth?.getString("username") ?? "";
    record.set("snapshot", { ...KINDS[kindOf(record)].snapshot(e.app, target), reporter });
    if (kindOf(record) === "message") record.set("context", contextOf(e.app, target));
    e.next();
  },

  /** Admins change the status and nothing else. */
  updateReport(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    if (textOf(bodyOf(e)["status"]) === "") return refuse(requestOf(e), refusalOf("invalid"));
    keepOnly(record, ["status"]);
    nextAudited(e, () => ({
      action: "reports.update",
      target: record.id,
      details: { ...changesOf(record), status: record.getString("status") },
    }));
  },

  /** `GET /api/admin/reports/{id}/context`: the messages up to a reported one. Audited. */
  adminReportContext(e: core.RequestEvent) {
    if (!admitAdmin(e)) return;
    const report = findRecord(e.app, "reports", e.request?.pathValue("id") ?? "");
    if (report?.getString("kind") !== "message") return refuse(e, refusalOf("not_found"));
    const items = storedContext(report);
    writeAudit(e.app, e, {
      action: "reports.read",
      target: report.id,
      details: { messages: items.length },
    });
    answer(e, 200, { items });
  },
};

type Row = core.Record;

/** Rows of earlier versions, and of superusers, may not say it. */
const kindOf = (report: Row): ReportKind => (report.getString("kind") as ReportKind) || "media";

/** Earlier clients know media alone, and name them by `mediaId`. */
function nameTarget(record: Row): void {
  if (record.getString("kind") === "") record.set("kind", "media");
  const isMedium = record.getString("kind") === "media";
  if (isMedium && record.getString("targetId") === "")
    record.set("targetId", record.getString("mediaId"));
  record.set("mediaId", isMedium ? record.getString("targetId") : "");
}

interface KindOfThing {
  collection: string;
  /** The field of whose it is. */
  by: string;
  /** What is there for this person. */
  isThere?: (target: Row, me: string) => boolean;
  ofOneself: ErrorCode;
  /** The facts by which admins can judge the report after the thing is gone. */
  snapshot: (app: CoreApp, target: Row) => Record<string, unknown>;
}

const SNAPSHOT_TEXT = 2_000;

/** `caption`: the words of it, whatever it is. */
const said = (app: CoreApp, target: Row, words: string, by: string) => ({
  caption: words.slice(0, SNAPSHOT_TEXT),
  userId: by,
  username: findRecord(app, "users", by)?.getString("username") ?? "",
  createdAt: target.getString("createdAt"),
});

const KINDS: Record<ReportKind, KindOfThing> = {
  media: {
    collection: "media",
    by: "userId",
    ofOneself: "own_media",
    snapshot: (_app, media) => ({
      caption: media.getString("caption"),
      type: media.getString("type"),
      userId: media.getString("userId"),
      username: media.getString("username"),
      thumbnail: media.getString("thumbnail"),
      // The only part of the picture that is kept: a blur of a few bytes.
      thumbhash: media.getString("thumbhash"),
      width: media.getInt("width"),
      height: media.getInt("height"),
      createdAt: media.getString("createdAt"),
    }),
  },
  comment: {
    collection: "comments",
    by: "userId",
    ofOneself: "own_report",
    snapshot: (app, comment) => ({
      ...said(app, comment, comment.getString("text"), comment.getString("userId")),
      mediaId: comment.getString("mediaId"),
    }),
  },
  message: {
    collection: "messages",
    by: "senderId",
    // Nobody else learns that there is one.
    isThere: (message, me) =>
      !message.getBool("deleted") && peopleOf(message.getString("conversationId")).includes(me),
    ofOneself: "own_report",
    snapshot: (app, message) => ({
      ...said(app, message, message.getString("message"), message.getString("senderId")),
      type: message.getString("type"),
      conversationId: message.getString("conversationId"),
    }),
  },
  person: {
    collection: "users",
    by: "id",
    ofOneself: "own_report",
    snapshot: (app, person) => said(app, person, person.getString("bio"), person.id),
  },
};

/** What can be said without a look into the database. */
function faultOf(e: core.RecordRequestEvent, reason: string): ErrorCode | null {
  const record = e.record as Row;
  const me = userIdOf(e);
  const topic = record.getString("topic");
  if (record.getString("userId") !== me) return "forbidden";
  if (reason.length > REASON_MAX) return "text_long";
  if (topic !== "" && !isReportTopic(topic)) return "invalid";
  if (isBlank(reason) && (topic === "" || topic === "other")) return "text_empty";
  if (!REPORT_KINDS.includes(kindOf(record))) return "invalid";
  const targetId = record.getString("targetId");
  if (!isId(targetId)) return "gone";
  return record.id === "" || record.id === pairId(targetId, me) ? null : "invalid";
}

function findTarget(app: CoreApp, record: Row, me: string): Row | ErrorCode {
  const { collection, by, ofOneself, isThere = () => true } = KINDS[kindOf(record)];
  const target = findRecord(app, collection, record.getString("targetId"));
  if (!target || !isThere(target, me)) return "gone";
  return target.getString(by) === me ? ofOneself : target;
}

interface ContextMessage {
  id: string;
  senderId: string;
  username: string;
  message: string;
  type: string;
  /** Seconds. */
  timestamp: number;
  deleted: boolean;
}

/** The message with those before it, the oldest first. */
function contextOf(app: CoreApp, message: Row): ContextMessage[] {
  const row: ContextMessage = {
    id: "",
    senderId: "",
    username: "",
    message: "",
    type: "",
    timestamp: 0,
    deleted: false,
  };
  const rows = arrayOf(new DynamicModel(row)) as unknown as ContextMessage[];
  app
    .db()
    .newQuery(
      `SELECT m.id, m.senderId, COALESCE(s.username, '') AS username,
         substr(m.message, 1, ${SNAPSHOT_TEXT}) AS message, m.type, m.timestamp, m.deleted
       FROM messages m LEFT JOIN users s ON s.id = m.senderId
       WHERE m.conversationId = {:conversationId} AND m.ord <= {:ord}
       ORDER BY m.ord DESC LIMIT ${REPORT_CONTEXT}`,
    )
    .bind({ conversationId: message.getString("conversationId"), ord: message.getInt("ord") })
    .all(rows);
  return rows
    .map(({ id, senderId, username, message: text, type, timestamp, deleted }) => ({
      id,
      senderId,
      username,
      message: text,
      type,
      timestamp,
      deleted,
    }))
    .reverse();
}

function storedContext(report: Row): unknown[] {
  try {
    const items: unknown = JSON.parse(report.getString("context"));
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

/**
 * Resolves the open reports of what an admin deletes: that is the decision about them. Those of
 * what its owner deletes stay open. Answers how many, for the audit book.
 */
export function closeReports(app: CoreApp, targetId: string): { reportsResolved?: number } {
  const closed = app
    .db()
    .newQuery(
      `UPDATE reports SET status = 'resolved', updatedAt = strftime('%Y-%m-%d %H:%M:%fZ', 'now')
       WHERE (targetId = {:targetId} OR mediaId = {:targetId}) AND status = 'open'`,
    )
    .bind({ targetId })
    .execute();
  const reportsResolved = Number(closed.rowsAffected());
  return reportsResolved > 0 ? { reportsResolved } : {};
}

/** Replaces the reason of an open report; a closed one stays as it was judged. */
function replaceReason(e: core.RecordRequestEvent, existing: core.Record, reason: string) {
  if (existing.getString("status") !== "open") {
    return refuse(requestOf(e), refusalOf("conflict", "This report was dealt with already."));
  }
  existing.set("reason", reason);
  existing.set("topic", e.record?.getString("topic") ?? "");
  e.app.save(existing);
  requestOf(e).json(200, existing);
}
