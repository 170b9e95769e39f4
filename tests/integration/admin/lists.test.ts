/** What the panel reads: statistics and lists by pages, as an admin's client sees them. */
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { afterAll, beforeAll, expect, test } from "vitest";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const get = (path: string) =>
  stage.server.api("GET", `/api/admin/${path}`, undefined, stage.admin.token);

test("smoke", async () => {
  const { ann, bob } = stage;
  const mediaId = await stage.media(ann);
  await stage.conversation(ann, bob);
  await stage.message(ann, bob);
  must(await stage.create("reports", { mediaId, userId: bob.id, reason: "Why" }, bob));
  for (const path of [
    "stats",
    "users",
    "users?q=user",
    "users?q=us",
    "users?sort=followers&filter=admins",
    "conversations",
    `conversations/${[ann.id, bob.id].sort().join("_")}/messages`,
    "media",
    "media?filter=reported",
    "reports",
    "reports?status=open",
    "audit",
    "audit?actor=super&action=users",
    "settings",
    "cleanup/orphaned-files",
    "cleanup/expired-uploads",
    "cleanup/old-tombstones",
  ]) {
    const a = await get(path);
    console.log(path, a.status, JSON.stringify(a.body).slice(0, 700));
  }
  expect(1).toBe(1);
});
