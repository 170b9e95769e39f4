/**
 * Around every write through the record API, whatever the collection: the limit per user, the answer when something
 * inside throws, and for superusers the audit row. The collections' own handlers run inside.
 */
import { isSuperuser, isSuspended, requestOf, TRUSTED, userIdOf } from "./acting";
import { changesOf, nextAudited } from "./audit";
import { refuseTooMany, takeOne } from "./limits";
import { dropBadFields, refuse } from "./refuse";
import { refusalFromError, refusalOf } from "./refused";

type Verb = "create" | "update" | "delete";

/** Superusers may set the dates that are otherwise the server's: imports and demo records are older than they are. */
function takeDates(e: core.RecordRequestEvent) {
  // Read from the request again: the parsed body holds what the record has, and a record ignores these two.
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

function guard(e: core.RecordRequestEvent, verb: Verb) {
  const request = requestOf(e);
  dropBadFields(request);
  const userId = userIdOf(e);
  if (isSuspended(e)) return refuse(request, refusalOf("suspended"));
  const wait = userId === "" ? 0 : takeOne(e.app, "writesPerMinute", userId);
  if (wait > 0) return refuseTooMany(request, wait);
  try {
    if (isSuperuser(e)) nextAsSuperuser(e, verb);
    else e.next();
  } catch (error) {
    const refusal = refusalFromError(error, e.collection?.name ?? "");
    if (refusal === null) throw error;
    refuse(request, refusal);
  }
}

export const guardCreate = (e: core.RecordRequestEvent): void => guard(e, "create");
export const guardUpdate = (e: core.RecordRequestEvent): void => guard(e, "update");
export const guardDelete = (e: core.RecordRequestEvent): void => guard(e, "delete");

/** [Note: Stale columns] Without this a PATCH writes every column back, and counters that moved meanwhile with it. */
export function writeOnlyChanges(e: core.RecordEvent) {
  e.record?.ignoreUnchangedFields(true);
  e.next();
}
