/** Settings and legal texts: who edits what, against which revision, and in which HTML. */
import { SETTINGS_CONTENT_MAX_BYTES } from "@/domain/limits";
import { byteLength } from "@/domain/texts";
import { bodyOf, inTransaction, isSuperuser, keepOnly, requestOf } from "./acting";
import { admitAdmin } from "./admin-request";
import { changesOf, mustStillBeAdmin, writeAudit } from "./audit";
import { DEFAULT_LIMITS } from "./limits";
import { answer, refuse } from "./refuse";
import { refusalOf, refused } from "./refused";
import { sanitizeHtml } from "./sanitize-html";

const TEXT_FIELDS = ["content"];
const APP_FIELDS = ["productName", "requireMutualFollow", "limits"];

/** A limit of zero on these would lock out those who could raise it again. */
const AT_LEAST_ONE = ["wrongLoginsPer5MinIp", "wrongLoginsPer5MinAccount", "writesPerMinute"];

/** Whether every limit named is one of ours and a number that leaves the place in use. */
function areLimits(stored: string): boolean {
  const limits: unknown = JSON.parse(stored || "{}");
  if (limits === null) return true;
  if (typeof limits !== "object" || Array.isArray(limits)) return false;
  return Object.entries(limits).every(
    ([name, value]) =>
      Object.keys(DEFAULT_LIMITS).includes(name) &&
      typeof value === "number" &&
      value >= (AT_LEAST_ONE.includes(name) ? 1 : 0),
  );
}

/** `GET /api/admin/settings`: what may be changed of the place, with each limit's default and its smallest value. */
export function adminSettings(e: core.RequestEvent): void {
  if (!admitAdmin(e)) return;
  const row = e.app.findRecordById("settings", "app");
  const own = (JSON.parse(row.getString("limits") || "{}") ?? {}) as Record<string, unknown>;
  const limits = Object.entries(DEFAULT_LIMITS).map(([name, standard]) => ({
    name,
    value: typeof own[name] === "number" ? own[name] : null,
    default: standard,
    min: AT_LEAST_ONE.includes(name) ? 1 : 0,
  }));
  answer(e, 200, {
    productName: row.getString("productName"),
    requireMutualFollow: row.getBool("requireMutualFollow"),
    limits,
    revision: row.getInt("revision"),
  });
}

/** The revision that the editor saw, or null when none was given. */
function seenRevision(e: core.RecordRequestEvent): number | null {
  const given = bodyOf(e)["revision"];
  return given === undefined || given === null || given === "" ? null : Number(given);
}

export function updateSettings(e: core.RecordRequestEvent) {
  const record = e.record as core.Record;
  const seen = seenRevision(e);
  if (!isSuperuser(e)) keepOnly(record, record.id === "app" ? APP_FIELDS : TEXT_FIELDS);
  const content = record.getString("content");
  const isLong = content.length > SETTINGS_CONTENT_MAX_BYTES;
  if (isLong || byteLength(content) > SETTINGS_CONTENT_MAX_BYTES) {
    return refuse(requestOf(e), refusalOf("text_long"));
  }
  if (!areLimits(record.getString("limits"))) return refuse(requestOf(e), refusalOf("invalid"));
  inTransaction(e, (tx) => {
    if (!isSuperuser(e)) mustStillBeAdmin(tx, e);
    const current = tx.findRecordById("settings", record.id).getInt("revision");
    if (seen !== null && seen !== current) throw refused("conflict");
    record.set("revision", current + 1);
    const details = changesOf(record);
    e.next();
    // A superuser's row is written by the guard around every write.
    if (!isSuperuser(e))
      writeAudit(tx, e, { action: "settings.update", target: record.id, details });
  });
}

/** Whoever saves a legal text, panel, dashboard or import: it is sanitised first, outside any transaction of ours. */
export function sanitizeSettings(e: core.RecordEvent) {
  const record = e.record as core.Record;
  const content = record.getString("content");
  if (content !== record.original().getString("content")) {
    record.set("content", sanitizeHtml(content));
    record.set("lastUpdated", new DateTime());
  }
  e.next();
}
