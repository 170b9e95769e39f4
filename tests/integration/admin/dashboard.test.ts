/**
 * The dashboard beside the panel: what a superuser does there goes through the same hooks and triggers, so it leaves the same
 * consistent place, an audit row, and devices that follow.
 */
import { createDevice } from "@tests/integration/client/device";
import { ready, until } from "@tests/integration/client/live";
import { PASSWORD } from "@tests/integration/client/people";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@/domain/ids";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

async function photoOf(owner: SignedIn): Promise<{ id: string; file: string }> {
  const form = new FormData();
  form.set("id", newId(Math.random));
  form.set("uploadId", await upload(stage.server, owner.token, mediaFixture("photo.jpg")));
  return must(await stage.server.api("POST", "/api/media", form, owner.token)).body;
}
const acts = async (target: string) => {
  const where = `SELECT action, details FROM audit WHERE target = '${target}' ORDER BY createdAt, rowid`;
  const { rows } = await stage.sql(
    where.replace("WHERE", `WHERE actor = 'superuser:${stage.superuser.email}' AND`),
  );
  return rows.map(([action, details]) => [action, JSON.parse(String(details))]);
};
/** How many kept numbers differ from the rows that they count. */
const bent = () =>
  stage.number(`SELECT
    (SELECT count(*) FROM media m WHERE likes != (SELECT count(*) FROM likes WHERE mediaId = m.id)
      OR comments != (SELECT count(*) FROM comments WHERE mediaId = m.id)
      OR reports != (SELECT count(*) FROM reports WHERE mediaId = m.id))
    + (SELECT count(*) FROM users u WHERE followers != (SELECT count(*) FROM follows WHERE followingId = u.id)
      OR following != (SELECT count(*) FROM follows WHERE followerId = u.id)
      OR mediaCount != (SELECT count(*) FROM media WHERE userId = u.id))
    + (SELECT count(*) FROM conversations c WHERE messageCount != (SELECT count(*) FROM messages WHERE conversationId = c.id))
    + (SELECT n != (SELECT count(*) FROM users) FROM _counts WHERE name = 'users')
    + (SELECT n != (SELECT count(*) FROM users WHERE isAdmin) FROM _counts WHERE name = 'admins')
    + (SELECT sum(n) != (SELECT count(*) FROM media) FROM _counts WHERE name IN ('photos', 'videos'))
    + (SELECT n != (SELECT count(*) FROM likes) FROM _counts WHERE name = 'likes')
    + (SELECT n != (SELECT count(*) FROM comments) FROM _counts WHERE name = 'comments')`);

async function busyPlace() {
  const [owner, fan] = [await signUp(stage.server), await signUp(stage.server)];
  const medium = await photoOf(owner);
  const others = await photoOf(fan);
  must(await stage.create("likes", { mediaId: medium.id, userId: fan.id }, fan));
  must(await stage.create("likes", { mediaId: others.id, userId: owner.id }, owner));
  for (const [who, mediaId] of [
    [owner, others.id],
    [fan, medium.id],
  ] as const) {
    must(await stage.create("comments", { mediaId, userId: who.id, text: "Hi" }, who));
    must(await stage.create("reports", { mediaId, userId: who.id, reason: "Why" }, who));
  }
  must(await stage.create("follows", { followerId: owner.id, followingId: fan.id }, owner));
  must(await stage.create("follows", { followerId: fan.id, followingId: owner.id }, fan));
  const chat = await stage.conversation(owner, fan);
  await stage.message(owner, fan);
  return { owner, fan, medium, others, chat };
}

test("a deleted user takes along what is his, and the chat and the reports stay", async () => {
  const { owner, fan, medium, others, chat } = await busyPlace();
  must(await stage.remove("users", owner.id, stage.superuser));
  expect(await bent()).toBe(0);
  expect(await stage.row("media", others.id)).toMatchObject({ likes: 0, comments: 0, reports: 1 });
  expect(await stage.row("users", fan.id)).toMatchObject({
    followers: 0,
    following: 0,
    mediaCount: 1,
  });
  expect(await stage.row("conversations", chat)).toMatchObject({ messageCount: 1 });
  expect((await stage.view("media", medium.id)).status).toBe(404);
  const address = `/api/files/media/${medium.id}/${medium.file}`;
  await expect.poll(async () => (await stage.server.api("GET", address)).status).toBe(404);
  expect(await stage.number(`SELECT count(*) FROM reports WHERE mediaId = '${medium.id}'`)).toBe(1);
  expect(await acts(owner.id)).toEqual([["users.delete", {}]]);
});

test("an edited counter stays what the rows make it, and the attempt is written down", async () => {
  const { owner, medium, chat } = await busyPlace();
  must(
    await stage.update(
      "media",
      medium.id,
      { likes: 999, comments: 7, reports: 0 },
      stage.superuser,
    ),
  );
  must(await stage.update("users", owner.id, { followers: 999, mediaCount: 0 }, stage.superuser));
  must(
    await stage.update("conversations", chat, { messageCount: 50, unreadA: 3 }, stage.superuser),
  );
  expect(await bent()).toBe(0);
  expect(await stage.row("media", medium.id)).toMatchObject({ likes: 1, comments: 1 });
  expect(await acts(owner.id)).toEqual([
    ["users.update", { changed: ["followers", "mediaCount"] }],
  ]);
  expect(await acts(medium.id)).toMatchObject([["media.update", {}]]);
});

test("a flipped isAdmin counts at the next request, reaches the device and is written down", async () => {
  const client = createDevice(stage.server.url).start();
  const who = await signUp(stage.server, { password: PASSWORD });
  await client.auth.signIn(who.email, PASSWORD);
  await client.sync();
  const stats = async () =>
    (await stage.server.api("GET", "/api/admin/stats", undefined, who.token)).status;
  const shown = (on: boolean) =>
    until(client.auth.session, (now) => now.state === "signed-in" && now.user.isAdmin === on);
  expect(await stats()).toBe(403);
  must(await stage.update("users", who.id, { isAdmin: true }, stage.superuser));
  expect(await stats()).toBe(200);
  await shown(true);
  must(await stage.update("users", who.id, { isAdmin: false }, stage.superuser));
  expect(await stats()).toBe(403);
  await shown(false);
  expect(await bent()).toBe(0);
  expect(await acts(who.id)).toEqual([
    ["users.update", { changed: ["isAdmin"], isAdmin: true }],
    ["users.update", { changed: ["isAdmin"], isAdmin: false }],
  ]);
  await client.close();
});

test("a removed medium leaves open screens, its counters and its files, and is written down", async () => {
  const { owner, medium } = await busyPlace();
  const client = createDevice(stage.server.url).start();
  const feed = client.reads.watchFeed({ filter: "all", sort: "latest", limit: 30 });
  const holds = (items: { id: string }[]) => items.some(({ id }) => id === medium.id);
  await ready(feed, ({ items }) => holds(items));
  must(await stage.remove("media", medium.id, stage.superuser));
  await ready(feed, ({ items }) => !holds(items));
  expect(await bent()).toBe(0);
  expect(await stage.row("users", owner.id)).toMatchObject({ mediaCount: 0 });
  expect(await stage.number(`SELECT count(*) FROM likes WHERE mediaId = '${medium.id}'`)).toBe(0);
  expect(await acts(medium.id)).toEqual([["media.delete", {}]]);
  await client.close();
});

test("the last admin stays, in the dashboard and in its console", async () => {
  for (const body of [{ isAdmin: false }, { isBlocked: true }]) {
    const { status, body: answer } = await stage.update(
      "users",
      stage.admin.id,
      body,
      stage.superuser,
    );
    expect([status, answer.code]).toEqual([403, "last_admin"]);
  }
  expect((await stage.remove("users", stage.admin.id, stage.superuser)).status).toBe(403);
  expect(
    (await stage.sql(`UPDATE users SET isAdmin = FALSE WHERE id = '${stage.admin.id}'`)).status,
  ).toBe(400);
  expect((await stage.sql(`DELETE FROM users WHERE id = '${stage.admin.id}'`)).status).toBe(400);
});
