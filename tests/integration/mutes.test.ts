/** What one mutes: one's own, in one's own feed, and no block of anybody. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { muteId, pairId } from "@/domain/ids";
import { MUTES_MAX, WORD_MAX } from "@/domain/limits";
import { codeOf, must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  stage = await setStage();
});
beforeEach(async () => {
  [ann, bob] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
});
afterAll(() => stage.server.stop());

const mute = (who: SignedIn, fields: object) =>
  stage.create("blocks", { blockerId: who.id, ...fields }, who);
const blocksSince = async (since: number, who: SignedIn) =>
  (await stage.server.api("GET", `/api/sync?since=${since}`, undefined, who.token)).body.changes
    .blocks;

test("a mute stands once, in the feed of whoever made it, and forbids nobody anything", async () => {
  const mediaId = await stage.media(bob);
  must(await stage.create("follows", { followerId: bob.id, followingId: ann.id }, bob));
  must(await stage.create("follows", { followerId: ann.id, followingId: bob.id }, ann));
  const since = await stage.head();
  const { body } = must(await mute(ann, { mutedId: bob.id }));
  expect(body).toMatchObject({
    id: muteId(ann.id, bob.id),
    blockedId: "",
    mutedId: bob.id,
    word: "",
  });
  expect(await codeOf(mute(ann, { mutedId: bob.id }))).toBe("400 duplicate");
  expect((await blocksSince(since, ann)).documents).toEqual([
    expect.objectContaining({ id: body.id, mutedId: bob.id }),
  ]);
  expect(await blocksSince(since, bob)).toBeUndefined();
  for (const who of [bob, stage.admin, undefined]) {
    expect((await stage.view("blocks", body.id, who)).status).toBe(404);
    expect((await stage.remove("blocks", body.id, who)).status).toBe(404);
  }
  // The follow stays, and both may say to each other what they like.
  expect((await stage.view("follows", pairId(ann.id, bob.id), ann)).status).toBe(200);
  must(await stage.create("comments", { mediaId, userId: ann.id, text: "Hi" }, ann));
  must(await stage.remove("blocks", body.id, ann));
  expect((await blocksSince(since, ann)).deleted).toEqual([body.id]);
});

test("a word is muted as it was written, once whatever its case and accents", async () => {
  const { body } = must(await mute(ann, { word: " Café " }));
  expect(body).toMatchObject({ id: muteId(ann.id, '"cafe'), mutedId: "", word: "Café" });
  expect(await codeOf(mute(ann, { word: "CAFE" }))).toBe("400 duplicate");
  must(await mute(bob, { word: "cafe" }));
});

test("what is no mute is refused", async () => {
  expect(await codeOf(mute(ann, { mutedId: ann.id }))).toBe("400 self");
  expect(await codeOf(mute(ann, { mutedId: "a".repeat(15) }))).toBe("404 gone");
  expect(await codeOf(mute(ann, { mutedId: bob.id, word: "x" }))).toBe("400 invalid");
  expect(await codeOf(mute(ann, { word: "  " }))).toBe("400 text_empty");
  expect(await codeOf(mute(ann, { word: "x".repeat(WORD_MAX + 1) }))).toBe("400 text_long");
  expect(await codeOf(mute(ann, { id: pairId(ann.id, bob.id), word: "x" }))).toBe("400 invalid");
  const foreign = { blockerId: bob.id, mutedId: stage.admin.id };
  expect(await codeOf(stage.create("blocks", foreign, ann))).toBe("403 forbidden");
  // A block takes no mute along.
  const block = { blockerId: ann.id, blockedId: bob.id, mutedId: bob.id, word: "x" };
  expect(must(await stage.create("blocks", block, ann)).body).toMatchObject({
    id: pairId(ann.id, bob.id),
    mutedId: "",
    word: "",
  });
});

test("a mute changes into nothing else, also by a superuser", async () => {
  const { id } = must(await mute(ann, { mutedId: bob.id })).body;
  await stage.update("blocks", id, { blockedId: bob.id, mutedId: "", word: "x" }, stage.superuser);
  expect(await stage.row("blocks", id)).toMatchObject({
    blockedId: "",
    mutedId: bob.id,
    word: "",
  });
});

test("so many are enough", async () => {
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MUTES_MAX})
    INSERT INTO blocks (id, blockerId, blockedId, mutedId, word, createdAt, seq)
    SELECT '${ann.id}_' || printf('%015d', i), '${ann.id}', '', '', 'w' || i, '2026-01-01 00:00:00.000Z', 0 FROM n`;
  expect((await stage.sql(rows)).status).toBe(200);
  expect(await codeOf(mute(ann, { word: "more" }))).toBe("400 mutes_many");
  must(await stage.create("blocks", { blockerId: ann.id, blockedId: bob.id }, ann));
  must(await stage.remove("blocks", `${ann.id}_${"1".padStart(15, "0")}`, ann));
  must(await mute(ann, { word: "more" }));
});

test("who is muted is not suggested, and goes out of the list with the account", async () => {
  await stage.media(bob);
  const suggested = async () =>
    must(
      await stage.server.api("GET", "/api/following/suggested", undefined, ann.token),
    ).body.items.map(({ id }: { id: string }) => id);
  expect(await suggested()).toContain(bob.id);
  const { id } = must(await mute(ann, { mutedId: bob.id })).body;
  expect(await suggested()).not.toContain(bob.id);
  const since = await stage.head();
  must(await stage.remove("users", bob.id, stage.superuser));
  expect((await blocksSince(since, ann)).deleted).toEqual([id]);
});

test("a mute takes nothing away of what an admin has told", async () => {
  const warn = (who: SignedIn) =>
    stage.server.api(
      "POST",
      `/api/admin/users/${who.id}/warning`,
      { text: "Please be kind" },
      stage.admin.token,
    );
  must(await warn(ann));
  must(await mute(ann, { mutedId: bob.id }));
  const told = must(await stage.list("notifications", "perPage=50", ann)).body.items;
  expect(told.map(({ kind }: { kind: string }) => kind)).toContain("warning");
});
