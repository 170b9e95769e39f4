/** Replies to comments: where they may stand, who is told, what they are counted as, and how they go. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "@/domain/ids";
import { REPLIES_MAX } from "@/domain/limits";
import { must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
/** Ann's. */
let mediaId: string;
/** Bob's comment on it. */
let parentId: string;

beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob } = stage);
  eve = await signUp(stage.server);
});
beforeEach(async () => {
  mediaId = await stage.media(ann);
  parentId = must(await comment(bob, { text: "Wo ist das?", parentId: "" })).body.id;
});
afterAll(() => stage.server.stop());

const comment = (who: SignedIn, fields: Record<string, unknown> = {}) =>
  stage.create(
    "comments",
    { id: newId(Math.random), mediaId, userId: who.id, text: "Auf Amrum", parentId, ...fields },
    who,
  );
const replyOf = async (who: SignedIn, fields = {}): Promise<string> =>
  must(await comment(who, fields)).body.id;
const row = (id: string) => stage.row("comments", id);
const told = async (who: SignedIn): Promise<string[]> => {
  const { items } = must(await stage.list("notifications", "perPage=500", who)).body;
  return items
    .filter((one: { mediaId: string }) => one.mediaId === mediaId)
    .map(({ kind, commentId }: Record<string, string>) => `${kind} ${commentId}`)
    .sort();
};
const listed = async (filter: string): Promise<string[]> => {
  const query = `sort=-createdAt,-id&perPage=30&filter=${encodeURIComponent(filter)}`;
  return must(await stage.list("comments", query)).body.items.map(({ id }: { id: string }) => id);
};

test("a reply stands under its comment, is counted there and on the medium, and is in the feed with it", async () => {
  const since = await stage.head();
  const reply = await replyOf(ann);
  expect(await row(reply)).toMatchObject({
    parentId,
    replies: 0,
    username: ann.record["username"],
  });
  expect(await row(parentId)).toMatchObject({ parentId: "", replies: 1 });
  expect(await stage.row("media", mediaId)).toMatchObject({ comments: 2 });
  expect(await listed(`mediaId = "${mediaId}" && parentId = ""`)).toEqual([parentId]);
  expect(await listed(`mediaId = "${mediaId}" && parentId = "${parentId}"`)).toEqual([reply]);
  expect(await listed(`mediaId = "${mediaId}"`)).toEqual([reply, parentId]);
  const { changes } = (await stage.server.api("GET", `/api/sync?since=${since}`)).body;
  const rows = changes.comments.documents.map((each: Record<string, unknown>) => each["id"]);
  expect(rows.sort()).toEqual([parentId, reply].sort());
});

test("whoever wrote the comment is told of a reply, once, and nobody else", async () => {
  const reply = await replyOf(eve, { text: `Ja, @${bob.record["username"]}, wo?` });
  expect(await told(bob)).toEqual([`reply ${reply}`]);
  expect(await told(ann)).toEqual([`comment ${parentId}`, `comment ${reply}`].sort());
  await replyOf(bob);
  expect(await told(bob)).toEqual([`reply ${reply}`]);
  must(await stage.remove("comments", reply, eve));
  expect(await told(bob)).toEqual([]);
});

test("who owns the medium is told of a reply to him as of any comment, or as of a reply where he wants no comments", async () => {
  const mine = must(await comment(ann, { parentId: "" })).body.id;
  const first = await replyOf(bob, { parentId: mine });
  expect(await told(ann)).toEqual([`comment ${parentId}`, `comment ${first}`].sort());
  await stage.sql(`UPDATE users SET notificationsOff = '["comment"]' WHERE id = '${ann.id}'`);
  const second = await replyOf(bob, { parentId: mine });
  expect(await told(ann)).toContain(`reply ${second}`);
  await stage.sql(
    `UPDATE users SET notificationsOff = '["comment","reply"]' WHERE id = '${ann.id}'`,
  );
  const third = await replyOf(bob, { parentId: mine });
  expect((await told(ann)).filter((one) => one.includes(third))).toEqual([]);
  await stage.sql(`UPDATE users SET notificationsOff = '[]' WHERE id = '${ann.id}'`);
});

test("a comment takes its replies along, by whomever: rows, counts, what was told, and each in the feed", async () => {
  const replies = [await replyOf(ann), await replyOf(eve), await replyOf(bob)];
  const other = await replyOf(eve, { parentId: "" });
  const since = await stage.head();
  must(await stage.remove("comments", parentId, bob));
  expect(await listed(`mediaId = "${mediaId}"`)).toEqual([other]);
  expect(await stage.row("media", mediaId)).toMatchObject({ comments: 1 });
  expect(await told(bob)).toEqual([]);
  expect(await told(ann)).toEqual([`comment ${other}`]);
  const { changes } = (await stage.server.api("GET", `/api/sync?since=${since}`)).body;
  expect(changes.comments.deleted.sort()).toEqual([parentId, ...replies].sort());
});

test("a medium takes all with it, and an account what it wrote with the replies to that", async () => {
  const leaving = await signUp(stage.server);
  const theirs = await replyOf(leaving, { parentId: "" });
  await replyOf(eve, { parentId: theirs });
  await replyOf(leaving);
  const gone = { password: leaving.password };
  must(await stage.server.api("POST", "/api/account/delete", gone, leaving.token));
  expect(await listed(`mediaId = "${mediaId}"`)).toEqual([parentId]);
  expect(await row(parentId)).toMatchObject({ replies: 0 });
  await replyOf(eve);
  must(await stage.remove("media", mediaId, ann));
  expect(await listed(`mediaId = "${mediaId}"`)).toEqual([]);
});

test("whoever owns the medium may delete any comment on it, and nobody else's", async () => {
  const reply = await replyOf(eve);
  expect((await stage.remove("comments", reply, bob)).status).toBe(404);
  expect((await stage.remove("comments", parentId, eve)).status).toBe(404);
  expect((await stage.remove("comments", reply, undefined)).status).toBe(404);
  must(await stage.remove("comments", reply, ann));
  must(await stage.remove("comments", parentId, ann));
  const elsewhere = await stage.media(eve);
  const on = must(await comment(bob, { mediaId: elsewhere, parentId: "" })).body.id;
  expect((await stage.remove("comments", on, ann)).status).toBe(404);
});

test("a reply answers a comment on the same medium that is there, and no reply", async () => {
  const reply = await replyOf(ann);
  const elsewhere = await stage.media(ann);
  const gone = await replyOf(bob, { parentId: "" });
  must(await stage.remove("comments", gone, bob));
  const codes = async (fields: Record<string, unknown>) => {
    const { status, body } = await comment(eve, fields);
    return `${status} ${body.code}`;
  };
  expect(await codes({ parentId: reply })).toBe("400 invalid");
  expect(await codes({ mediaId: elsewhere })).toBe("400 invalid");
  expect(await codes({ parentId: gone })).toBe("404 gone");
  expect(await codes({ parentId: newId(Math.random) })).toBe("404 gone");
  const id = newId(Math.random);
  expect(await codes({ id, parentId: id })).toBe("404 gone");
  for (const parent of ["x".repeat(1_000_000), "' OR 1=1 --", "../media"]) {
    expect((await comment(eve, { parentId: parent })).status).toBeGreaterThanOrEqual(400);
  }
  for (const parent of [[parentId, reply], { id: parentId }]) {
    const answer = await comment(eve, { parentId: parent });
    if (answer.status === 200) expect(["", parentId]).toContain(answer.body.parentId);
    else expect(answer.status).toBe(404);
  }
});

test("nobody replies to whom he has blocked, or who has blocked him", async () => {
  must(await stage.create("blocks", { blockerId: bob.id, blockedId: eve.id }, bob));
  const refused = await comment(eve);
  expect([refused.status, refused.body.code]).toEqual([403, "blocked"]);
  const other = await replyOf(eve, { parentId: "" });
  expect((await comment(bob, { parentId: other })).body.code).toBe("blocked");
  await stage.sql("DELETE FROM blocks");
});

test("a comment has so many replies and no more, which all go in one step", async () => {
  const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${REPLIES_MAX})
    INSERT INTO comments (id, mediaId, userId, text, parentId, replies, createdAt, updatedAt, seq, username)
    SELECT printf('many%011d', i), '${mediaId}', '${eve.id}', 'Auch', '${parentId}', 7, '2024-01-01 00:00:00.000Z', '', 0, ''
    FROM n`;
  await stage.sql(many);
  expect(await row(parentId)).toMatchObject({ replies: REPLIES_MAX });
  expect(await row("many00000000001")).toMatchObject({ replies: 0 });
  expect((await comment(ann)).body.code).toBe("replies_many");
  must(await stage.remove("comments", parentId, bob));
  expect(await listed(`mediaId = "${mediaId}"`)).toEqual([]);
});

test("what a reply answers and how many there are is the database's alone", async () => {
  const reply = await replyOf(ann, { replies: 40 });
  expect(await row(reply)).toMatchObject({ replies: 0 });
  await stage.sql(`UPDATE comments SET parentId = '', replies = 9 WHERE id = '${reply}'`);
  await stage.sql(`UPDATE comments SET replies = 9 WHERE id = '${parentId}'`);
  expect(await row(reply)).toMatchObject({ parentId, replies: 0 });
  expect(await row(parentId)).toMatchObject({ replies: 1 });
  // Brought along by an operator, in any order.
  const late = newId(Math.random);
  const columns =
    "id, mediaId, userId, text, parentId, replies, createdAt, updatedAt, seq, username";
  const brought = (id: string, parent: string) =>
    stage.sql(`INSERT INTO comments (${columns}) VALUES ('${id}', '${mediaId}', '${bob.id}', 'Früher',
      '${parent}', 5, '2024-01-01 00:00:00.000Z', '', 0, '')`);
  await brought(newId(Math.random), late);
  await brought(late, "");
  expect(await row(late)).toMatchObject({ replies: 1 });
});
