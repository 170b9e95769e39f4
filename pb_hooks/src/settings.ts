/** Settings and legal texts: who edits what, against which revision, and in which HTML. */
import { changesOf, mustStillBeAdmin, writeAudit } from "@hooks/admin/audit";
import { admitAdmin } from "@hooks/admin/pages";
import { answer, refusalError, refusalOf, refuse } from "@hooks/http/refusals";
import {
  bodyOf,
  inTransaction,
  isSuperuser,
  keepOnly,
  limitsOf,
  requestOf,
} from "@hooks/http/request";
import { sanitizeHtml } from "@hooks/http/sanitize-html";
import { isLanguage } from "@/domain/languages";
import { SETTINGS_CONTENT_MAX_BYTES } from "@/domain/limits";
import { exceedsBytes } from "@/domain/texts";
import { DEFAULT_LIMITS } from "./limits";
import { isMailSet } from "./mail";

export const settingsHandlers = {
  /** `GET /api/admin/settings`: the app's settings, each limit with default and minimum. */
  adminSettings(e: core.RequestEvent): void {
    if (!admitAdmin(e)) return;
    const row = e.app.findRecordById("settings", "app");
    const own = limitsOf(row);
    const limits = Object.entries(DEFAULT_LIMITS).map(([name, standard]) => ({
      name,
      value: typeof own[name] === "number" ? own[name] : null,
      default: standard,
      min: AT_LEAST_ONE.includes(name) ? 1 : 0,
    }));
    answer(e, 200, {
      productName: row.getString("productName"),
      defaultLanguage: row.getString("defaultLanguage"),
      requireMutualFollow: row.getBool("requireMutualFollow"),
      requireVerified: row.getBool("requireVerified"),
      adminCodes: row.getBool("adminCodes"),
      mail: isMailSet(e.app as CoreApp),
      appUrl: e.app.settings().meta.appURL,
      limits,
      revision: row.getInt("revision"),
    });
  },

  updateSettings(e: core.RecordRequestEvent) {
    const record = e.record as core.Record;
    const seen = seenRevision(e);
    if (!isSuperuser(e)) keepOnly(record, record.id === "app" ? APP_FIELDS : TEXT_FIELDS);
    const content = record.getString("content");
    if (exceedsBytes(content, SETTINGS_CONTENT_MAX_BYTES)) {
      return refuse(requestOf(e), refusalOf("text_long"));
    }
    const language = record.getString("defaultLanguage");
    const isKnown = language === "" || isLanguage(language);
    if (!isKnown || !areLimits(record.getString("limits"))) {
      return refuse(requestOf(e), refusalOf("invalid"));
    }
    inTransaction(e, (tx) => {
      if (!isSuperuser(e)) mustStillBeAdmin(tx, e);
      const current = tx.findRecordById("settings", record.id).getInt("revision");
      if (seen !== null && seen !== current) throw refusalError("conflict");
      record.set("revision", current + 1);
      const details = { ...changesOf(record), ...limitChanges(record) };
      e.next();
      // The guard around every write audits superusers.
      if (!isSuperuser(e))
        writeAudit(tx, e, { action: "settings.update", target: record.id, details });
    });
  },

  /** Sanitises a legal text at every save, by panel, dashboard or import. */
  sanitizeSettings(e: core.RecordEvent) {
    const record = e.record as core.Record;
    const content = record.getString("content");
    if (content !== record.original().getString("content")) {
      record.set("content", sanitizeHtml(content));
      record.set("lastUpdated", new DateTime());
    }
    e.next();
  },
};

/** The limits that change and their new numbers, null for the built-in ones. */
function limitChanges(record: core.Record): { limits?: Record<string, unknown> } {
  const [before, now] = [limitsOf(record.original()), limitsOf(record)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = names.filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return {};
  return { limits: Object.fromEntries(changed.map((name) => [name, now[name] ?? null])) };
}

const TEXT_FIELDS = ["content"];
const APP_FIELDS = [
  "productName",
  "defaultLanguage",
  "requireMutualFollow",
  "requireVerified",
  "adminCodes",
  "limits",
];

/** Zero on one of these would lock out everybody who could raise it again. */
const AT_LEAST_ONE = [
  "wrongLoginsPer5MinIp",
  "wrongLoginsPer5MinAccount",
  "writesPerMinute",
  "signInsPerMinute",
  "writesPer10Sec",
  "requestsPer10Sec",
  "listsPer10Sec",
  "syncsPer10Sec",
  "listRowsPer10Sec",
  "syncRowsPer10Sec",
  "filesPer10Sec",
  "pagesPer10Sec",
  "guestWritesPer10Sec",
  "readsAtOnce",
  "mailRequestsPer10Min",
  "mailsPerHour",
];

/** Whether every limit has a known name and a number that keeps the app usable. */
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

/** The revision that the editor saw, or null where the request names none. */
function seenRevision(e: core.RecordRequestEvent): number | null {
  const given = bodyOf(e)["revision"];
  return given === undefined || given === null || given === "" ? null : Number(given);
}
