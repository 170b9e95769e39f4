import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import { settledRows } from "@/data/engine/keep";
import type { Intent } from "@/data/engine/noun";
import { outboxRow } from "./rows";

const ids = { commentId: "c00000000000001", mediaId: "m00000000000001" };
const comment = outboxRow(
  {
    kind: "comment.create",
    body: { ...ids, userId: "me0000000000000", username: "me", text: "Lovely" },
  } satisfies Intent,
  { state: "acked" },
);
const undone = outboxRow({ kind: "comment.delete", body: ids }, { state: "acked" });
const gone = async () => ({ state: "gone" }) as const;
const failing = async () => ({ state: "failed", code: "network" }) as const;

test("what was made stays in the overlay until the server has told of it", async () => {
  const { replica } = await openTestReplica();
  expect(await settledRows({ replica, ask: failing }, [comment])).toMatchObject({ rows: [] });
  expect(await settledRows({ replica, ask: gone }, [comment])).toEqual({
    rows: [comment],
    undone: new Set([comment.id]),
  });
});

test("what was taken back and its taking back leave the overlay together", async () => {
  const { replica } = await openTestReplica();
  const rows = [comment, undone];
  expect(await settledRows({ replica, ask: failing }, rows)).toMatchObject({ rows: [] });
  expect(await settledRows({ replica, ask: gone }, rows)).toMatchObject({ rows });
});
