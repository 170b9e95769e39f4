/** The audit book as the panel reads it. Writing it is audit's. */
import { isId } from "@/domain/ids";
import { admitAdmin, answerPage, type PagedList, queryOf } from "./admin-request";
import { refuse } from "./refuse";
import { refusalOf } from "./refused";
import { likeText, searchOf } from "./user-search";

const AUDIT_MOST = 1_000;

const AUDIT_ROW = `'id', a.id, 'actor', a.actor, 'actorUsername', COALESCE(w.username, ''), 'action', a.action,
  'target', a.target, 'targetLabel', COALESCE(t.username, ''),
  'details', json(COALESCE(NULLIF(a.details, ''), '{}')), 'createdAt', a.createdAt`;

const storedInstant = (ms: string): string => new Date(Number(ms)).toISOString().replace("T", " ");

/** Who is meant by part of a name or an address, at most as many as a condition takes. */
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
    take("actor", `superuser:%${likeText(actor)}%`, "");
    where.pop();
    const people = ids.map((id) => `'${id}'`).join(", ");
    where.push(`a.actor IN (${people}) OR a.actor LIKE {:actor} ESCAPE '\\'`);
  }
  return { where, binds };
}

/** `GET /api/admin/audit?actor=&action=&target=&from=&to=&after=&limit=`, newest first; instants in milliseconds. */
export function adminAudit(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const condition = auditWhere(e);
  if (condition === null) return refuse(e, refusalOf("invalid"));
  const list: PagedList = {
    from: "audit a LEFT JOIN users w ON w.id = a.actor LEFT JOIN users t ON t.id = a.target",
    row: AUDIT_ROW,
    sort: "a.createdAt",
    id: "a.id",
    descending: true,
    ...condition,
    most: AUDIT_MOST,
  };
  answerPage(e, list, "audit");
}
