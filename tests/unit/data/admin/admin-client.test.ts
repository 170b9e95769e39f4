import { expect, test } from "vitest";
import { type AuditRow, auditCsv, csvLine } from "@/data/admin/admin-client";
import { failed, ok } from "@/domain/result";

const row = (more: Partial<AuditRow> = {}): AuditRow => ({
  id: "a",
  actor: "u1",
  actorUsername: "ann",
  action: "media.delete",
  target: "m1",
  targetLabel: "",
  aboutUsername: "",
  details: {},
  createdAt: 0,
  ...more,
});

test.each(["=1+1", "+1", "-1", "@x", "\tx"])(
  "%j is no formula in a spreadsheet",
  (actorUsername) => {
    expect(csvLine(row({ actorUsername }))).toContain(`,"'${actorUsername}",`);
  },
);

test("quotation marks, commas and line breaks stay inside their cell", () => {
  expect(csvLine(row({ target: 'a,"b"\nc' }))).toContain(',"a,""b""\nc",');
});

test("half a book is none: the first page that fails is the answer", async () => {
  const pages = [ok({ items: [row()], next: "x", total: 2 }), failed("network")];
  const seen: number[] = [];
  const answer = await auditCsv(
    async () => pages.shift() ?? failed("server"),
    {},
    (rows) => seen.push(rows),
  );
  expect(answer).toEqual(failed("network"));
  expect(seen).toEqual([1]);
});
