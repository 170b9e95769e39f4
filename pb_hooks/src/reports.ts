/** Reports of media: one per reporter and medium, with a snapshot that outlives the medium. */
import { changesOf, nextAudited } from "@hooks/admin/audit";
import { refusalOf, refuse } from "@hooks/http/refusals";
import {
  bodyOf,
  findRecord,
  isSuperuser,
  keepOnly,
  requestOf,
  textOf,
  userIdOf,
} from "@hooks/http/request";
import type { ErrorCode } from "@/domain/error-codes";
import { pairId } from "@/domain/ids";
import { REASON_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { refuseTooMany, takeOne } from "./limits";

export const reportHandlers = {
  createReport(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    const request = requestOf(e);
    const me = userIdOf(e);
    keepOnly(record, ["mediaId", "userId", "reason"]);
    const reason = record.getString("reason").trim();
    const media = findRecord(e.app, "media", record.getString("mediaId"));
    const fault = faultOf(e, reason, media);
    if (fault !== null) return refuse(request, refusalOf(fault));
    const wait = takeOne(e.app, "reportsPerHour", me);
    if (wait > 0) return refuseTooMany(request, wait);
    const id = pairId(record.getString("mediaId"), me);
    const existing = findRecord(e.app, "reports", id);
    if (existing) return replaceReason(e, existing, reason);
    record.set("id", id);
    record.set("reason", reason);
    record.set("status", "open");
    record.set("snapshot", snapshotOf(media as core.Record, e.auth?.getString("username") ?? ""));
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
};

function faultOf(
  e: core.RecordRequestEvent,
  reason: string,
  media: core.Record | null,
): ErrorCode | null {
  const record = e.record as core.Record;
  const me = userIdOf(e);
  if (record.getString("userId") !== me) return "forbidden";
  if (reason.length > REASON_MAX) return "text_long";
  if (isBlank(reason)) return "text_empty";
  if (!media) return "gone";
  if (media.getString("userId") === me) return "own_media";
  const id = pairId(record.getString("mediaId"), me);
  return record.id === "" || record.id === id ? null : "invalid";
}

/** The facts about the medium by which admins can judge the report after it is gone. */
function snapshotOf(media: core.Record, reporter: string): Record<string, unknown> {
  return {
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
    reporter,
  };
}

/**
 * Resolves the open reports of a medium that an admin deletes: that is the decision about them.
 * Those of a medium that its owner deletes stay open. Answers how many, for the audit book.
 */
export function closeReports(app: CoreApp, mediaId: string): { reportsResolved?: number } {
  const closed = app
    .db()
    .newQuery(
      `UPDATE reports SET status = 'resolved', updatedAt = strftime('%Y-%m-%d %H:%M:%fZ', 'now')
       WHERE mediaId = {:mediaId} AND status = 'open'`,
    )
    .bind({ mediaId })
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
  e.app.save(existing);
  requestOf(e).json(200, existing);
}
