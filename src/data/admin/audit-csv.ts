/** The audit book as a file for other programs: RFC 4180, UTF-8, instants as ISO 8601. */

import { ok, type Result } from "@/domain/result";
import type { AdminClient, AuditQuery, AuditRow } from "./admin-client";

const PAGE = 1_000;
const HEAD = "time,actor,actorUsername,action,target,targetLabel,details";

/** A text that a spreadsheet would run as a formula becomes a text. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const cell = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`;

export const csvLine = (row: AuditRow): string =>
  [
    new Date(row.createdAt).toISOString(),
    row.actor,
    row.actorUsername,
    row.action,
    row.target,
    row.targetLabel,
    JSON.stringify(row.details),
  ]
    .map(cell)
    .join(",");

/** Every row that `query` finds, or the first failure: half a book is none. */
export async function auditCsv(
  read: AdminClient["audit"],
  query: Omit<AuditQuery, "after" | "limit">,
  onProgress?: (rows: number) => void,
): Promise<Result<Blob>> {
  const lines = [HEAD];
  let after: string | undefined;
  do {
    const page = await read({ ...query, limit: PAGE, ...(after === undefined ? {} : { after }) });
    if (!page.success) return page;
    lines.push(...page.value.items.map(csvLine));
    onProgress?.(lines.length - 1);
    after = page.value.next ?? undefined;
  } while (after !== undefined);
  return ok(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv;charset=utf-8" }));
}
