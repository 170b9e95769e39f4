/**
 * Runs around every write through the record API, in any collection: the rate limit per user, the
 * answer when something inside throws, and for superusers the audit row. The collections' own
 * handlers run inside it.
 */
import { changesOf, nextAudited } from "@hooks/admin/audit";
import { refuseTooMany, takeOne } from "@hooks/limits";
import { whileNotHeld } from "@hooks/storage";
import { asOneWriter } from "@hooks/turns";
import { dropBadFields, refusalFromError, refusalOf, refuse } from "./refusals";
import { bodyOf, isSuperuser, isSuspended, requestOf, TRUSTED, userIdOf } from "./request";

export const guardHandlers = {
  guardCreate: (e: core.RecordRequestEvent): void => guard(e, "create"),

  guardUpdate: (e: core.RecordRequestEvent): void => guard(e, "update"),

  guardDelete: (e: core.RecordRequestEvent): void => guard(e, "delete"),

  /**
   * [Note: Stale columns] Without this, a PATCH writes every column back, and with them the old
   * values of counters that have changed since the row was read.
   */
  writeOnlyChanges(e: core.RecordEvent) {
    e.record?.ignoreUnchangedFields(true);
    e.next();
  },
};

type Verb = "create" | "update" | "delete";

/** Superusers may set the dates, because imported and demo records are older than their rows. */
function takeDates(e: core.RecordRequestEvent) {
  // Read from the request again: a record ignores these two fields, and the parsed body holds the
  // record's values.
  const sent = new DynamicModel({ createdAt: "", updatedAt: "" });
  requestOf(e).bindBody(sent);
  for (const name of ["createdAt", "updatedAt"]) {
    const wanted: unknown = sent[name];
    if (typeof wanted === "string" && wanted !== "" && wanted !== e.record?.getString(name)) {
      e.record?.setRaw(name, new DateTime(wanted));
    }
  }
}

function nextAsSuperuser(e: core.RecordRequestEvent, verb: Verb) {
  const { record } = e;
  if (verb !== "delete") takeDates(e);
  record?.set(TRUSTED, true);
  nextAudited(e, () => ({
    action: `${e.collection?.name}.${verb}`,
    target: record?.id ?? "",
    details: record && verb === "update" ? changesOf(record) : {},
  }));
}

/** Pictures come as files; subtitles come as a text and become one. */
function bringsFiles(e: core.RecordRequestEvent): boolean {
  if (e.collection?.name === "media" && "subtitles" in bodyOf(e)) return true;
  for (const field of e.collection?.fields ?? []) {
    if (field?.type() !== "file") continue;
    if ((e.record?.getUnsavedFiles(field.getName()).length ?? 0) > 0) return true;
  }
  return false;
}

function guard(e: core.RecordRequestEvent, verb: Verb) {
  const request = requestOf(e);
  dropBadFields(request);
  const userId = userIdOf(e);
  if (isSuspended(e)) return refuse(request, refusalOf("suspended"));
  const wait = userId === "" ? 0 : takeOne(e.app, "writesPerMinute", userId);
  if (wait > 0) return refuseTooMany(request, wait);
  if (userId === "" || isSuperuser(e)) return write(e, verb);
  asOneWriter(request, userId, () => write(e, verb));
}

function write(e: core.RecordRequestEvent, verb: Verb) {
  const request = requestOf(e);
  const next = () => (isSuperuser(e) ? nextAsSuperuser(e, verb) : e.next());
  try {
    if (verb === "delete" || !bringsFiles(e)) return next();
    const fault = whileNotHeld(e.app as CoreApp, () => {
      next();
      return null;
    });
    if (fault !== null) refuse(request, fault);
  } catch (error) {
    const refusal = refusalFromError(error, e.collection?.name ?? "");
    if (refusal === null) throw error;
    refuse(request, refusal);
  }
}
