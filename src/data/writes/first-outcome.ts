/** What becomes of an intent while the person looks on. */
import { combineLatest, filter, firstValueFrom, map } from "rxjs";
import { dropIntents } from "@/data/outbox/drop-intents";
import type { OverlayContext } from "@/data/outbox/read-overlay";
import type { OutboxRow } from "@/data/schema/outbox";
import { failed, ok, type Result } from "@/domain/result";
import type { WritesDeps } from "./create-writes";

/** Longer than that nobody looks on: it is queued like anything else. */
const PATIENCE_MS = 10_000;

/** Success: the server has it, or it waits. What is refused in that time is told here and leaves the queue. */
export async function firstOutcome(
  { shared, scope }: WritesDeps,
  intentId: string,
): Promise<Result<null>> {
  const { replica, device, context$ } = await scope();
  const patience = new AbortController();
  const settled = firstValueFrom(
    combineLatest([replica.outbox.findOne(intentId).$, context$]).pipe(
      map(([doc, context]) => ({
        row: doc === null ? null : (doc.toJSON() as OutboxRow),
        context,
      })),
      filter(({ row, context }) => row === null || isSettled(row, context)),
    ),
  );
  const waited = shared.deps.delay(PATIENCE_MS, patience.signal).then(() => ({ row: null }));
  const { row } = await Promise.race([settled, waited]);
  patience.abort();
  if (row?.state !== "refused") return ok(null);
  await dropIntents(replica, device, [row]);
  return failed(row.code === "" ? "invalid" : row.code, row.message);
}

/** It has left the device, was refused, or will not be tried for a while. */
function isSettled(row: OutboxRow, { offline, needsLogin }: OverlayContext): boolean {
  if (row.state === "sending") return false;
  return row.state !== "pending" || offline || needsLogin || row.attempts > 0;
}
