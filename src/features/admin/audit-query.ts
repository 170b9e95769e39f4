/** The filter of the audit log as it is typed, and as the server takes it. */
import type { AuditQuery } from "@/data/admin/admin-client";

export interface AuditChoice {
  actor: string;
  /** The first part of an action, "" for every one. */
  action: string;
  /** Days as the browser's date field writes them, "2026-11-21", or "". */
  from: string;
  to: string;
}

export const NO_AUDIT_FILTER: AuditChoice = { actor: "", action: "", from: "", to: "" };

/** Midnight at this place, milliseconds; null for none, or for a day that is not one. */
function startOfDay(day: string, later = 0): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (match === null) return null;
  return new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + later).getTime();
}

/** Both days count whole. */
export function auditQuery({ actor, action, from, to }: AuditChoice): AuditQuery {
  const first = startOfDay(from);
  const end = startOfDay(to, 1);
  return {
    ...(actor === "" ? {} : { actor }),
    ...(action === "" ? {} : { action }),
    ...(first === null ? {} : { from: first }),
    ...(end === null ? {} : { to: end }),
  };
}
