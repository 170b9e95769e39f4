/** The one number that orders all changes: what bumps it, what does not, and who may learn of what went. */
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { must, type Stage, setStage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const head = () => stage.number("SELECT v FROM _seq");
const seqOf = (table: string, id: string) =>
  stage.number(`SELECT seq FROM ${table} WHERE id = '${id}'`);
/** [who, who, public] of the row's tombstone. */
const tombOf = async (coll: string, id: string) =>
  (
    await stage.sql(`SELECT a, b, pub FROM _tombs WHERE coll = '${coll}' AND rid = '${id}'`)
  ).rows.map(([a, b, pub]) => [a, b, Number(pub)]);

test("no two rows of one table share a number, and none lies beyond the head", async () => {
  const media = await stage.media(stage.bob);
  const people = await Promise.all(Array.from({ length: 6 }, () => signUp(stage.server)));
  await Promise.all(
    people.map(async (who) => {
      must(await stage.create("likes", { mediaId: media, userId: who.id }, who));
      must(await stage.create("follows", { followerId: who.id, followingId: stage.ann.id }, who));
    }),
  );
  for (const table of ["users", "media", "likes", "follows", "settings"]) {
    const { rows } = await stage.sql(
      `SELECT count(*), count(DISTINCT seq), max(seq), min(seq) FROM ${table}`,
    );
    const [all, distinct, max, min] = (rows[0] ?? []).map(Number);
    expect(distinct).toBe(all);
    expect(max).toBeLessThanOrEqual(await head());
    expect(min).toBeGreaterThan(0);
  }
});

describe("a profile", () => {
  test.each([
    ["bio", { bio: "Another" }],
    ["suspension", { isBlocked: true }],
    ["return", { isBlocked: false }],
  ])("is announced for its %s", async (_, change) => {
    const before = await seqOf("users", stage.bob.id);
    must(await stage.update("users", stage.bob.id, change, stage.superuser));
    expect(await seqOf("users", stage.bob.id)).toBeGreaterThan(before);
  });

  test("is not announced for sign-ins, switches that nobody sees, or a save without a change", async () => {
    const who = await signUp(stage.server);
    const before = await seqOf("users", who.id);
    must(await stage.update("users", who.id, { chatDisabled: true }, stage.admin));
    must(await stage.update("users", who.id, { bio: "" }, who));
    const email = { email: `moved-${who.id}@example.com`, password: who.password };
    must(await stage.server.api("POST", "/api/account/email", email, who.token));
    expect(await seqOf("users", who.id)).toBe(before);
  });
});

test("a medium is announced for its likes, and not for views or reports", async () => {
  const id = await stage.media(stage.bob);
  const before = await seqOf("media", id);
  const report = { mediaId: id, userId: stage.ann.id, reason: "Why" };
  must(await stage.create("reports", report, stage.ann));
  const viewed = await stage.sql(`UPDATE media SET views = views + 1 WHERE id = '${id}'`);
  expect(viewed.status).toBe(200);
  expect(await seqOf("media", id)).toBe(before);
  must(await stage.create("likes", { mediaId: id, userId: stage.ann.id }, stage.ann));
  expect(await seqOf("media", id)).toBeGreaterThan(before);
});

test("a number set by hand becomes a new one", async () => {
  const id = await stage.media(stage.bob);
  const top = await head();
  expect((await stage.sql(`UPDATE media SET seq = 1 WHERE id = '${id}'`)).status).toBe(200);
  expect(await seqOf("media", id)).toBeGreaterThan(top);
});

describe("what is deleted leaves word", () => {
  test("to everybody for media, comments and profiles", async () => {
    const who = await signUp(stage.server);
    const mediaId = await stage.media(who);
    const comment = { mediaId, userId: who.id, text: "Hi" };
    const { id } = must(await stage.create("comments", comment, who)).body;
    must(await stage.server.api("POST", "/api/account/delete", who, who.token));
    expect(await tombOf("media", mediaId)).toEqual([["", "", 1]]);
    expect(await tombOf("comments", id)).toEqual([["", "", 1]]);
    expect(await tombOf("profiles", who.id)).toEqual([["", "", 1]]);
  });

  test("to the one who liked or blocked, to both of a follow, and to both of a chat", async () => {
    const [a, b] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
    const mediaId = await stage.media(b);
    const like = must(await stage.create("likes", { mediaId, userId: a.id }, a)).body.id;
    const pair = { followerId: a.id, followingId: b.id };
    const follow = must(await stage.create("follows", pair, a)).body.id;
    const chat = await stage.conversation(a, b);
    const message = await stage.message(a, b);
    const ends = chat.split("_");
    must(await stage.remove("likes", like, a));
    must(await stage.remove("follows", follow, a));
    must(await stage.remove("conversations", chat, stage.admin));
    const two = { blockerId: a.id, blockedId: b.id };
    const block = must(await stage.create("blocks", two, a)).body.id;
    must(await stage.remove("blocks", block, a));
    expect(await tombOf("likes", like)).toEqual([[a.id, "", 0]]);
    expect(await tombOf("follows", follow)).toEqual([[a.id, b.id, 0]]);
    expect(await tombOf("blocks", block)).toEqual([[a.id, "", 0]]);
    expect(await tombOf("conversations", chat)).toEqual([[...ends, 0]]);
    expect(await tombOf("messages", message)).toEqual([[a.id, b.id, 0]]);
  });

  test("and takes it back when the row comes again", async () => {
    const mediaId = await stage.media(stage.bob);
    const body = { mediaId, userId: stage.ann.id };
    const { id } = must(await stage.create("likes", body, stage.ann)).body;
    must(await stage.remove("likes", id, stage.ann));
    expect(await tombOf("likes", id)).toHaveLength(1);
    must(await stage.create("likes", body, stage.ann));
    expect(await tombOf("likes", id)).toEqual([]);
  });
});

test("a superuser's import keeps the dates that it brings, and nobody else's does", async () => {
  const createdAt = "2019-05-06 07:08:09.000Z";
  const id = await stage.media(stage.ann, { createdAt });
  expect(await stage.row("media", id)).toMatchObject({ createdAt });
  must(await stage.update("media", id, { createdAt: "2018-01-01 00:00:00.000Z" }, stage.superuser));
  expect((await stage.row("media", id))["createdAt"]).toBe("2018-01-01 00:00:00.000Z");
  must(await stage.update("media", id, { caption: "x", createdAt }, stage.ann));
  expect((await stage.row("media", id))["createdAt"]).toBe("2018-01-01 00:00:00.000Z");
});
