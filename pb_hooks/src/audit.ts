/** The book of administrative acts: append only (a trigger sees to that), read by admins. */
import { findRecord, inTransaction, isSuperuser, requestOf, userIdOf } from "./acting";
import { dropBadFields } from "./refuse";
import { refused } from "./refused";

export interface AuditEntry {
  /** `media.delete`, `users.update`, `users.impersonate`, … */
  action: string;
  /** Id of what was acted on. */
  target: string;
  details?: Record<string, unknown>;
}

/** Who acted: a user's id, or `superuser:` and the address. */
function actorName(e: core.RequestEvent): string {
  const { auth } = e;
  if (!auth) return "";
  return isSuperuser(e) ? `superuser:${auth.email()}` : auth.id;
}

/** Writes `entry` through `app`, which is the act's own transaction where there is one. */
export function writeAudit(app: CoreApp, e: core.RequestEvent, entry: AuditEntry): void {
  const row = new Record(app.findCollectionByNameOrId("audit"));
  row.set("actor", actorName(e));
  row.set("action", entry.action);
  row.set("target", entry.target);
  row.set("details", entry.details ?? {});
  app.save(row);
}

/** Asked again inside the act's transaction: whoever was demoted or suspended since the request began does nothing more. */
export function mustStillBeAdmin(tx: CoreApp, e: core.RequestEvent): void {
  const actor = findRecord(tx, "users", userIdOf(e));
  if (actor?.getBool("isBlocked")) throw refused("suspended");
  if (!actor?.getBool("isAdmin")) throw refused("forbidden");
}

/** Does the rest of an administrative request and writes it down, both or neither. */
export function nextAudited(e: core.RecordRequestEvent, entry: () => AuditEntry): void {
  inTransaction(e, (tx) => {
    if (!isSuperuser(e)) mustStillBeAdmin(tx, e);
    const written = entry();
    e.next();
    // A create knows its id only now.
    writeAudit(tx, e, { ...written, target: written.target || (e.record?.id ?? "") });
  });
}

/** Long texts and secrets stay out of the book: names of the changed fields, and values only of switches. */
export function changesOf(record: core.Record): Record<string, unknown> {
  const original = record.original();
  const changed: string[] = [];
  const values: Record<string, unknown> = {};
  for (const name of record.collection().fields.fieldNames()) {
    if (String(record.get(name)) === String(original.get(name))) continue;
    changed.push(name);
    const value: unknown = record.get(name);
    if (typeof value === "boolean") values[name] = value;
  }
  return { changed, ...values };
}

/** Acts of the dashboard that are not about records. */
export function auditCollectionChange(e: core.CollectionRequestEvent): void {
  e.next();
  writeAudit(e.app, e, { action: "collections.change", target: e.collection?.name ?? "" });
}

export function auditSettingsChange(e: core.SettingsUpdateRequestEvent): void {
  e.next();
  writeAudit(e.app, e, { action: "server-settings.update", target: "" });
}

/** A token for somebody else's account, made by a superuser. */
export function auditImpersonation(e: core.RecordAuthRequestEvent): void {
  dropBadFields(requestOf(e));
  e.next();
  if (isSuperuser(e) && e.authMethod === "") {
    writeAudit(e.app, e, { action: "users.impersonate", target: e.record?.id ?? "" });
  }
}
