/** Holding an intent back until the person lets it go on. Whichever tab sends it notices by its row. */
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";

/** Nothing happens to what has arrived, or was refused. */
export async function pauseIntent(
  { outbox }: Pick<Replica, "outbox">,
  intentId: string,
): Promise<void> {
  const doc = await outbox.findOne(intentId).exec();
  await doc?.incrementalModify((row: OutboxRow) => {
    if (row.state !== "pending" && row.state !== "sending") return row;
    // The server may have heard of one that was on its way.
    return { ...row, state: "paused", attempts: row.attempts + Number(row.state === "sending") };
  });
}
