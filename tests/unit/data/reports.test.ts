/** What is queued of a report: as every version of the server takes it. */
import { expect, test } from "vitest";
import type { Acts } from "@/data/engine/enqueue";
import type { Intent } from "@/data/engine/noun";
import { createReportWrites, type Reported, type ReportReason } from "@/data/reports";

async function queued(what: Reported, why: ReportReason) {
  const intents: Intent[] = [];
  const enqueueAs = async (intent: (user: { id: string }) => Intent) => {
    intents.push(intent({ id: "me" }));
    return { success: true, value: { intentId: "i" } };
  };
  const answer = await createReportWrites({ enqueueAs } as unknown as Acts).report(what, why);
  return { answer, intent: intents[0] };
}

const medium: Reported = { kind: "media", id: "m", place: "" };
const comment: Reported = { kind: "comment", id: "c", place: "m" };
const spam = (words: string): ReportReason => ({ topic: "spam", said: "Spam", words });

test("of a medium there are always words, because earlier servers ask for them", async () => {
  expect((await queued(medium, spam(" "))).intent).toEqual({
    kind: "report.create",
    body: { mediaId: "m", userId: "me", reason: "Spam", topic: "spam" },
  });
  expect((await queued(medium, spam(" Look "))).intent?.body).toMatchObject({ reason: "Look" });
});

test("of everything else the topic is enough, unless it says nothing", async () => {
  expect((await queued(comment, spam(""))).intent).toEqual({
    kind: "report.send",
    body: { kind: "comment", targetId: "c", userId: "me", place: "m", reason: "", topic: "spam" },
  });
  const nothing = { topic: "other", said: "", words: " \u200b " } as const;
  expect(await queued(comment, nothing)).toEqual({
    answer: { success: false, error: "text_empty" },
    intent: undefined,
  });
  expect((await queued(comment, spam("x".repeat(1001)))).answer).toMatchObject({
    error: "text_long",
  });
});
