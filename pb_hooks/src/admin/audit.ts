/**
 * The audit book of administrative acts. It is append-only (a trigger refuses changes). An act and
 * its entry are written in one transaction; the panel reads the book.
 */
import { dropBadFields, refusalError, refusalOf, refuse } from "@hooks/http/refusals";
import {
  collectionOfPath,
  findRecord,
  inTransaction,
  isSuperuser,
  requestOf,
  userIdOf,
} from "@hooks/http/request";
import { isId } from "@/domain/ids";
import { admitAdmin, answerPage, likeText, type PagedList, queryOf, searchOf } from "./pages";

export const auditHandlers = {
  /** Audits changes of the schema, which the dashboard makes. */
  auditCollectionChange(e: core.CollectionRequestEvent): void {
    e.next();
    writeAudit(e.app, e, { action: "collections.change", target: e.collection?.name ?? "" });
  },

  auditSettingsChange(e: core.SettingsUpdateRequestEvent): void {
    e.next();
    writeAudit(e.app, e, { action: "server-settings.update", target: "" });
  },

  auditCollectionImport(e: core.CollectionsImportRequestEvent): void {
    e.next();
    const names = Array.from(e.collectionsData ?? [], (one) => String(one?.["name"] ?? ""));
    writeAudit(e.app, e, { action: "collections.import", target: "", details: { names } });
  },

  /** Before it is made, so that the backup has the row too. Nobody's name: a schedule may do it. */
  auditBackup(e: core.BackupEvent): void {
    saveAudit(e.app, "", { action: "backups.create", target: e.name });
    e.next();
  },

  /** `DELETE /api/collections/{name}/truncate`: PocketBase's, which calls no hook, audited. */
  truncateCollection(e: core.RequestEvent): void {
    if (!e.hasSuperuserAuth()) {
      refuse(e, refusalOf(e.auth ? "forbidden" : "unauthenticated"));
      return;
    }
    const collection = collectionOfPath(e);
    inTransaction(e, (tx) => {
      tx.truncateCollection(collection);
      writeAudit(tx, e, { action: "collections.truncate", target: collection.name });
    });
    e.noContent(204);
  },

  /**
   * Audits sign-ins of admins and superusers, and a superuser who creates a token for somebody
   * else's account.
   */
  auditSignIn(e: core.RecordAuthRequestEvent): void {
    dropBadFields(requestOf(e));
    e.next();
    const { record } = e;
    if (isSuperuser(e) && e.authMethod === "") {
      const isOwn = e.auth?.id === record?.id;
      if (!isOwn) writeAudit(e.app, e, { action: "users.impersonate", target: record?.id ?? "" });
    } else if (record && e.authMethod !== "") {
      auditOwnAct(e, record, "sign-in");
    }
  },

  /**
   * `GET /api/admin/audit?actor=&action=&target=&from=&to=&after=&limit=`, newest first. `from` and
   * `to` in milliseconds.
   */
  adminAudit(e: core.RequestEvent) {
    if (!admitAdmin(e)) return;
    const condition = auditWhere(e);
    if (condition === null) return refuse(e, refusalOf("invalid"));
    const list: PagedList = {
      from: AUDIT_FROM,
      row: AUDIT_ROW,
      sort: "a.createdAt",
      id: "a.id",
      descending: true,
      ...condition,
      most: AUDIT_MOST,
    };
    answerPage(e, list, "audit");
  },
};

interface AuditEntry {
  /** `media.delete`, `users.update`, `users.impersonate`, … */
  action: string;
  /** Id of the row concerned. */
  target: string;
  details?: Record<string, unknown>;
}

/** Who acted: a user's id, or `superuser:` and the address. */
function actorName(e: core.RequestEvent): string {
  const { auth } = e;
  if (!auth) return "";
  return isSuperuser(e) ? `superuser:${auth.email()}` : auth.id;
}

/** Writes `entry` through `app`: the act's own transaction, where there is one. */
export function writeAudit(app: CoreApp, e: core.RequestEvent, entry: AuditEntry): void {
  saveAudit(app, actorName(e), entry);
}

/** `actor`: "" for the server itself. */
export function saveAudit(app: CoreApp, actor: string, entry: AuditEntry): void {
  const row = new Record(app.findCollectionByNameOrId("audit"));
  row.set("actor", actor);
  row.set("action", entry.action);
  row.set("target", entry.target);
  row.set("details", entry.details ?? {});
  app.save(row);
}

/** What admins and superusers do with their own account; nothing for everybody else. */
export function auditOwnAct(
  e: core.RequestEvent,
  record: core.Record,
  act: "sign-in" | "sign-in-failed" | "password" | "email",
): void {
  const entry = { action: `admins.${act}`, target: record.id };
  if (record.isSuperuser()) saveAudit(e.app, `superuser:${record.email()}`, entry);
  if (record.isSuperuser() || !record.getBool("isAdmin")) return;
  // Who was demoted since the request came is no admin any more.
  e.app.runInTransaction((tx) => {
    if (findRecord(tx, "users", record.id)?.getBool("isAdmin")) saveAudit(tx, record.id, entry);
  });
}

/** Checks again inside the act's transaction, for a demotion or suspension since the request. */
export function mustStillBeAdmin(tx: CoreApp, e: core.RequestEvent): void {
  const actor = findRecord(tx, "users", userIdOf(e));
  if (actor?.getBool("isBlocked")) throw refusalError("suspended");
  if (!actor?.getBool("isAdmin")) throw refusalError("forbidden");
}

/** Runs the rest of an administrative request and audits it, both or neither. */
export function nextAudited(e: core.RecordRequestEvent, entry: () => AuditEntry): void {
  inTransaction(e, (tx) => {
    if (!isSuperuser(e)) mustStillBeAdmin(tx, e);
    const written = entry();
    e.next();
    // A created row has its id only after that.
    writeAudit(tx, e, { ...written, target: written.target || (e.record?.id ?? "") });
  });
}

/** The names of changed fields, and the values of switches. Texts and secrets are not audited. */
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

const AUDIT_MOST = 1_000;

/** `o`: the owner or sender that the details name; `x` and `y`: the two of a conversation's id. */
const AUDIT_FROM = `audit a
  LEFT JOIN users w ON w.id = a.actor
  LEFT JOIN users t ON t.id = a.target
  LEFT JOIN media m ON m.id = a.target AND a.action LIKE 'media.%'
  LEFT JOIN reports r ON r.id = a.target
  LEFT JOIN users o
    ON o.id = COALESCE(json_extract(a.details, '$.userId'), json_extract(a.details, '$.senderId'))
  LEFT JOIN users x ON length(a.target) = 31 AND x.id = substr(a.target, 1, 15)
  LEFT JOIN users y ON length(a.target) = 31 AND y.id = substr(a.target, 17)`;

/** Whom or what an act was done to, in the words of the screens: name, caption, report, pair. */
const AUDIT_LABEL = `COALESCE(
  t.username,
  NULLIF(m.caption, ''),
  '#' || r.number || COALESCE(' ' || NULLIF(json_extract(r.snapshot, '$.caption'), ''), ''),
  x.username || ' ↔ ' || y.username,
  NULLIF(json_extract(a.details, '$.text'), ''),
  o.username,
  '')`;

const AUDIT_ROW = `'id', a.id, 'actor', a.actor, 'actorUsername', COALESCE(w.username, ''), 'action', a.action,
  'target', a.target, 'targetLabel', ${AUDIT_LABEL}, 'aboutUsername', COALESCE(o.username, ''),
  'details', json(COALESCE(NULLIF(a.details, ''), '{}')), 'createdAt', a.createdAt`;

const storedInstant = (ms: string): string => new Date(Number(ms)).toISOString().replace("T", " ");

/** Ids of the accounts whose name or address contains `text`, up to 200. */
function actorsOf(app: CoreApp, text: string): string[] {
  const search = searchOf(app, text);
  const rows = arrayOf(new DynamicModel({ id: "" })) as unknown as { id: string }[];
  app
    .db()
    .newQuery(`SELECT u.id FROM users u WHERE (${search.where.join(") AND (")}) LIMIT 200`)
    .bind(search.binds)
    .all(rows);
  return rows.map(({ id }) => id);
}

function auditWhere(e: core.RequestEvent): Pick<PagedList, "where" | "binds"> | null {
  const where: string[] = [];
  const binds: Record<string, string> = {};
  const take = (name: string, value: string, condition: string): void => {
    if (value === "") return;
    binds[name] = value;
    where.push(condition);
  };
  const [from, to] = [queryOf(e, "from"), queryOf(e, "to")];
  const action = queryOf(e, "action");
  if (![from, to].every((ms) => ms === "" || /^\d{1,14}$/.test(ms))) return null;
  if (!/^[a-z.-]{0,60}$/.test(action)) return null;
  take("target", queryOf(e, "target"), "a.target = {:target}");
  take(
    "action",
    action,
    "a.action = {:action} OR (a.action >= {:action} || '.' AND a.action < {:action} || '/')",
  );
  if (from !== "") take("from", storedInstant(from), "a.createdAt >= {:from}");
  if (to !== "") take("to", storedInstant(to), "a.createdAt < {:to}");
  const actor = queryOf(e, "actor");
  if (actor !== "") {
    const ids = isId(actor) ? [actor] : actorsOf(e.app, actor);
    const people = ids.map((id) => `'${id}'`).join(", ");
    const condition = `a.actor IN (${people}) OR a.actor LIKE {:actor} ESCAPE '\\'`;
    take("actor", `superuser:%${likeText(actor)}%`, condition);
  }
  return { where, binds };
}
