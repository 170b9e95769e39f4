/** Likes on comments: counted there and nowhere else, told to the author, read most liked first. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId, pairId } from "@/domain/ids";
import { must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
/** Ann's. */
let mediaId: string;
/** Bob's comment on it. */
let commentId: string;

beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob } = stage);
  eve = await signUp(stage.server);
});
beforeEach(async () => {
  mediaId = await stage.media(ann);
  commentId = await say("Wo ist das?");
});
afterAll(() => stage.server.stop());

const say = async (text: string, parentId = ""): Promise<string> =>
  must(await stage.create("comments", { mediaId, userId: bob.id, text, parentId }, bob)).body.id;
const like = (who: SignedIn | undefined, id = commentId, fields: object = {}) =>
  stage.create(
    "likes",
    { id: pairId(id, who?.id ?? eve.id), commentId: id, userId: who?.id ?? eve.id, ...fields },
    who,
  );
const unlike = (who: SignedIn, id = commentId) => stage.remove("likes", pairId(id, who.id), who);
const likesOf = async (id = commentId) => (await stage.row("comments", id))["likes"];
const changesSince = async (since: number, who?: SignedIn) =>
  (await stage.server.api("GET", `/api/sync?since=${since}`, undefined, who?.token)).body.changes;
const told = async (who: SignedIn): Promise<string[]> =>
  must(await stage.list("notifications", "perPage=500", who))
    .body.items.filter((one: { commentId: string }) => one.commentId === commentId)
    .map(({ kind, actorId }: Record<string, string>) => `${kind} ${actorId}`)
    .sort();

test("a like of a comment counts once, there and not on the medium, and is in the liker's feed alone", async () => {
  const since = await stage.head();
  must(await like(eve));
  expect((await like(eve)).status).toBe(400);
  must(await like(ann));
  expect(await likesOf()).toBe(2);
  expect(await stage.row("media", mediaId)).toMatchObject({ likes: 0, comments: 1 });
  const his = await changesSince(since, eve);
  expect(his.likes.documents).toMatchObject([
    { id: pairId(commentId, eve.id), commentId, mediaId: "" },
  ]);
  expect(his.comments.documents).toMatchObject([{ id: commentId, likes: 2 }]);
  expect((await changesSince(since, bob)).likes?.documents ?? []).toEqual([]);
  must(await unlike(eve));
  expect(await likesOf()).toBe(1);
  expect((await unlike(eve)).status).toBe(404);
  expect((await changesSince(since, eve)).likes.deleted).toEqual([pairId(commentId, eve.id)]);
});

test("a reply is liked as a comment is, and each takes its likes along", async () => {
  const reply = await say("Da", commentId);
  must(await like(eve, reply));
  must(await like(eve));
  expect([await likesOf(), await likesOf(reply)]).toEqual([1, 1]);
  const since = await stage.head();
  must(await stage.remove("comments", commentId, bob));
  const rows = await stage.sql("SELECT count(*) AS n FROM likes WHERE commentId != ''");
  expect(rows.rows).toEqual([["1"]]);
  expect((await changesSince(since, eve)).likes.deleted.sort()).toEqual(
    [pairId(commentId, eve.id), pairId(reply, eve.id)].sort(),
  );
});

test("who leaves takes his likes along, and those of what he wrote", async () => {
  const leaving = await signUp(stage.server);
  const body = { mediaId, userId: leaving.id, text: "Tschüs", parentId: "" };
  const theirs = must(await stage.create("comments", body, leaving)).body.id;
  must(await like(leaving));
  must(await like(eve, theirs));
  const gone = { password: leaving.password };
  must(await stage.server.api("POST", "/api/account/delete", gone, leaving.token));
  expect(await likesOf()).toBe(0);
  const left = await stage.sql(`SELECT id FROM likes WHERE commentId = '${theirs}'`);
  expect(left.rows).toEqual([]);
});

test("nobody likes for others, what is not there, or what somebody wrote who has blocked him", async () => {
  const codeOf = async (answer: ReturnType<typeof like>) => {
    const { status, body } = await answer;
    return `${status} ${body.code}`;
  };
  expect((await like(undefined)).status).toBe(400);
  expect(await codeOf(like(eve, commentId, { userId: ann.id }))).toBe("403 forbidden");
  expect(await codeOf(like(eve, newId(Math.random)))).toBe("404 gone");
  const gone = await say("Weg");
  must(await stage.remove("comments", gone, bob));
  expect(await codeOf(like(eve, gone))).toBe("404 gone");
  for (const id of ["' OR 1=1 --", "../media", "x".repeat(1_000_000)]) {
    expect((await like(eve, commentId, { commentId: id })).status).toBeGreaterThanOrEqual(400);
  }
  // One that names a medium besides is of the comment.
  must(await like(eve, commentId, { mediaId }));
  expect(await stage.row("media", mediaId)).toMatchObject({ likes: 0 });
  must(await unlike(eve));
  for (const [blocker, blocked] of [
    [bob, eve],
    [eve, bob],
    [ann, eve],
  ] as const) {
    const block = { blockerId: blocker.id, blockedId: blocked.id };
    const id = must(await stage.create("blocks", block, blocker)).body.id;
    expect(await codeOf(like(eve))).toBe("403 blocked");
    must(await stage.remove("blocks", id, blocker));
  }
  expect(await likesOf()).toBe(0);
});

test("its author is told of the like of a comment, once, where he wants to be", async () => {
  must(await like(bob));
  expect(await told(bob)).toEqual([]);
  for (let times = 0; times < 3; times += 1) {
    must(await like(eve));
    expect(await told(bob)).toEqual([`like ${eve.id}`]);
    must(await unlike(eve));
    expect(await told(bob)).toEqual([]);
  }
  await stage.sql(`UPDATE users SET notificationsOff = '["like"]' WHERE id = '${bob.id}'`);
  must(await like(ann));
  expect(await told(bob)).toEqual([]);
  await stage.sql(`UPDATE users SET notificationsOff = '[]' WHERE id = '${bob.id}'`);
});

test("comments are read most liked first, of as many the newest, page by page", async () => {
  const [second, third] = [await say("Auf Amrum"), await say("Auf Föhr")];
  must(await like(eve, second));
  must(await like(ann, second));
  must(await like(eve));
  const listed = async (more: string) => {
    const filter = encodeURIComponent(`mediaId = "${mediaId}" && parentId = ""`);
    const query = `sort=-likes,-createdAt,-id&filter=${filter}&${more}`;
    return must(await stage.list("comments", query)).body.items.map(({ id }: { id: string }) => id);
  };
  expect(await listed("perPage=30")).toEqual([second, commentId, third]);
  expect(await listed("perPage=2&page=2")).toEqual([third]);
});

test("what is imported counts in any order, and nobody writes a count by hand", async () => {
  const imported = newId(Math.random);
  const row = { id: imported, mediaId, userId: bob.id, text: "Importiert", parentId: "", likes: 9 };
  const { superuser } = stage;
  must(await stage.create("comments", row, superuser));
  must(await like(eve, imported));
  expect(await likesOf(imported)).toBe(1);
  must(await stage.update("comments", imported, { likes: 77 }, superuser));
  expect(await likesOf(imported)).toBe(1);
  must(await stage.update("comments", imported, { likes: 77, text: "Neu" }, bob));
  expect(await likesOf(imported)).toBe(1);
});
