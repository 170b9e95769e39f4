/**
 * The two questions that are asked of the outbox again and again. RxDB keeps the answer to a question in step with each
 * write while somebody watches it; each wording of its own would be looked up on the disk anew.
 */
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";

type Outbox = Replica["outbox"];
type Rows = ReturnType<Outbox["find"]>;

/** All that waits, is sent, was refused, or has not come back yet. */
export const queueOf = (outbox: Outbox): Rows =>
  outbox.find({ selector: { state: { $ne: "kept" } } });

/** What the server has had for less than a day. */
export const keptOf = (outbox: Outbox): Rows => outbox.find({ selector: { state: "kept" } });

/** Rows in one of `states`, in the order of their places. */
export async function readRows(
  { outbox }: Pick<Replica, "outbox">,
  ...states: OutboxRow["state"][]
): Promise<OutboxRow[]> {
  const queued = states.every((state) => state === "kept") ? [] : await queueOf(outbox).exec();
  const kept = states.includes("kept") ? await keptOf(outbox).exec() : [];
  return [...queued, ...kept]
    .filter((doc) => states.includes(doc.state))
    .map((doc) => doc.toJSON() as OutboxRow)
    .sort((a, b) => a.place - b.place);
}
