import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import type { Intent } from "@/data/outbox/intents";
import { beginOffer } from "@/data/outbox/offer-again";
import { readIds } from "@/data/sync/pull-everything";
import { outboxRow } from "./rows";

const like = (on: boolean): Intent => ({
  kind: "like.set",
  body: { mediaId: "m00000000000001", userId: "me0000000000000", on },
});

test.each(["acked", "sending", "pending"] as const)(
  "a like that was taken back is not taken back once more after a later one, %s by then",
  async (state) => {
    const { replica } = await openTestReplica();
    const off = outboxRow(like(false), { state: "kept" });
    const on = outboxRow(like(true), { state });
    await replica.outbox.bulkInsert([off, on]);
    const had = await readIds(replica);
    // The restored server has the like.
    const ask = async () => ({ state: "pulled" }) as const;
    const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
    const offer = await beginOffer(deps, had);
    await offer(await readIds(replica));
    expect((await replica.outbox.findOne(off.id).exec())?.state).toBe("kept");
  },
);
