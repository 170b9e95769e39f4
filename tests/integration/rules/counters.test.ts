/** Counters equal the rows that they count at every moment, whatever path the rows or the counters take. */
import { signUp } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { conversationIdOf, must, type Stage, setStage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const preview = `(SELECT CASE WHEN m.deleted THEN 'This message was deleted' WHEN m.type = 'photo' THEN 'Photo'
  ELSE substr(m.message, 1, 200) END FROM messages m WHERE m.conversationId = t.id ORDER BY m.ord DESC LIMIT 1)`;
const type = `(SELECT iif(m.deleted, '', m.type) FROM messages m WHERE m.conversationId = t.id
  ORDER BY m.ord DESC LIMIT 1)`;
/** How many rows of each table do not hold what their rows say. */
const BENT: Record<string, string> = {
  likes:
    "SELECT count(*) FROM media t WHERE likes != (SELECT count(*) FROM likes WHERE mediaId = t.id)",
  comments:
    "SELECT count(*) FROM media t WHERE comments != (SELECT count(*) FROM comments WHERE mediaId = t.id)",
  reports:
    "SELECT count(*) FROM media t WHERE reports != (SELECT count(*) FROM reports WHERE mediaId = t.id)",
  followers:
    "SELECT count(*) FROM users t WHERE followers != (SELECT count(*) FROM follows WHERE followingId = t.id)",
  following:
    "SELECT count(*) FROM users t WHERE following != (SELECT count(*) FROM follows WHERE followerId = t.id)",
  mediaCount:
    "SELECT count(*) FROM users t WHERE mediaCount != (SELECT count(*) FROM media WHERE userId = t.id)",
  messageCount:
    "SELECT count(*) FROM conversations t WHERE messageCount != (SELECT count(*) FROM messages WHERE conversationId = t.id)",
  unreadA: `SELECT count(*) FROM conversations t WHERE unreadA != (SELECT count(*) FROM messages
    WHERE conversationId = t.id AND recipientId = t.userA AND read = FALSE AND deleted = FALSE)`,
  unreadB: `SELECT count(*) FROM conversations t WHERE unreadB != (SELECT count(*) FROM messages
    WHERE conversationId = t.id AND recipientId = t.userB AND read = FALSE AND deleted = FALSE)`,
  lastMessage: `SELECT count(*) FROM conversations t WHERE lastMessage != COALESCE(${preview}, '')`,
  lastMessageType: `SELECT count(*) FROM conversations t WHERE lastMessageType != COALESCE(${type}, '')`,
  usernames: `SELECT (SELECT count(*) FROM media t WHERE username != (SELECT username FROM users WHERE id = t.userId))
    + (SELECT count(*) FROM comments t WHERE username != (SELECT username FROM users WHERE id = t.userId))`,
  guard: "SELECT guard FROM _seq",
};

async function bent(): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, query] of Object.entries(BENT)) {
    const { status, rows } = await stage.sql(query);
    if (status !== 200 || Number(rows[0]?.[0]) !== 0)
      wrong.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return wrong;
}
afterEach(async () => {
  expect(await bent()).toEqual([]);
});

test("many people at once move every counter, and none is lost", async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => signUp(stage.server)));
  const media = await Promise.all(Array.from({ length: 4 }, () => stage.media(stage.ann)));
  const [target = ""] = media;
  await Promise.all(
    people.map(async (who) => {
      for (const mediaId of media) {
        must(await stage.create("likes", { mediaId, userId: who.id }, who));
        must(await stage.create("comments", { mediaId, userId: who.id, text: "Hi" }, who));
        // The owner writes the same rows meanwhile: a PATCH must not write stale counters back.
        must(await stage.update("media", mediaId, { caption: who.id }, stage.ann));
      }
      must(await stage.create("reports", { mediaId: target, userId: who.id, reason: "R" }, who));
      const follow = { followerId: who.id, followingId: stage.ann.id };
      must(await stage.create("follows", follow, who));
      must(await stage.update("users", who.id, { bio: "Moved" }, who));
      must(await stage.remove("likes", `${target}_${who.id}`, who));
      must(await stage.create("likes", { mediaId: target, userId: who.id }, who));
    }),
  );
  expect(await stage.row("media", target)).toMatchObject({ likes: 8, comments: 8, reports: 8 });
  expect(await stage.row("users", stage.ann.id)).toMatchObject({ followers: 8, mediaCount: 4 });
});

test("views counted while the owner edits are all there", async () => {
  const id = await stage.media(stage.ann);
  const view = (at: number) =>
    stage.server.api("POST", `/api/media/${id}/view`, { session: `visitor-session-${at}` });
  // As many at once as one address and one account may have waiting.
  const inRow = async (first: number) => {
    for (let at = first; at < 120; at += 12) {
      must(await view(at));
      must(await stage.update("media", id, { caption: `Take ${at}` }, stage.ann));
    }
  };
  await Promise.all(Array.from({ length: 12 }, (_, first) => inRow(first)));
  expect(await stage.row("media", id)).toMatchObject({ views: 120 });
});

test("a like sent twice at the same time counts once", async () => {
  const mediaId = await stage.media(stage.ann);
  const body = { mediaId, userId: stage.bob.id };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => stage.create("likes", body, stage.bob)),
  );
  const refused = answers.filter((one) => one.status !== 200);
  expect(refused.map((one) => [one.status, one.body.code])).toEqual(
    Array(9).fill([400, "duplicate"]),
  );
  expect(await stage.row("media", mediaId)).toMatchObject({ likes: 1 });
});

test("a comment that was deleted is not there again when its creation comes late", async () => {
  const mediaId = await stage.media(stage.ann);
  const body = { id: "latecommentlate", mediaId, userId: stage.bob.id, text: "Was it here?" };
  must(await stage.create("comments", body, stage.bob));
  must(await stage.remove("comments", body.id, stage.bob));
  const late = await stage.create("comments", body, stage.bob);
  expect([late.status, late.body.code]).toEqual([404, "gone"]);
  expect(await stage.row("media", mediaId)).toMatchObject({ comments: 0 });
  // What is done to somebody may be done again under the same id.
  const like = { id: `${mediaId}_${stage.bob.id}`, mediaId, userId: stage.bob.id };
  for (let time = 0; time < 2; time += 1) {
    must(await stage.create("likes", like, stage.bob));
    must(await stage.remove("likes", like.id, stage.bob));
  }
});

test("messages, their reading and their deletion keep a chat's numbers and preview", async () => {
  const [a, b] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
  const id = await stage.conversation(a, b);
  const first = await stage.message(a, b, "one");
  await Promise.all(
    Array.from({ length: 10 }, (_, at) => stage.message(at % 2 ? a : b, at % 2 ? b : a)),
  );
  const last = await stage.message(b, a, "the last");
  const mine = id.startsWith(a.id) ? "unreadA" : "unreadB";
  expect(await stage.row("conversations", id)).toMatchObject({
    messageCount: 12,
    lastMessage: "the last",
    lastMessageType: "text",
    lastMessageBy: b.id,
    [mine]: 6,
  });
  must(await stage.update("messages", last, { deleted: true }, b));
  expect(await stage.row("conversations", id)).toMatchObject({
    messageCount: 12,
    lastMessage: "This message was deleted",
    lastMessageType: "",
    [mine]: 5,
  });
  must(await stage.update("messages", first, { deleted: true }, a));
  expect((await stage.row("conversations", id))["lastMessage"]).toBe("This message was deleted");
  const read = await stage.server.api("POST", `/api/conversations/${id}/read`, {}, a.token);
  expect(read).toMatchObject({ status: 200, body: { read: 6 } });
  expect(await stage.row("conversations", id)).toMatchObject({ [mine]: 0 });
  must(await stage.remove("messages", last, stage.superuser));
  expect(await stage.row("conversations", id)).toMatchObject({
    messageCount: 11,
    lastMessageType: "text",
  });
});

test("a deleted medium and a deleted account take their rows out of everybody's counters", async () => {
  const [a, b] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
  const [own, other] = [await stage.media(a), await stage.media(b)];
  for (const mediaId of [own, other]) {
    for (const who of [a, b]) {
      must(await stage.create("likes", { mediaId, userId: who.id }, who));
      must(await stage.create("comments", { mediaId, userId: who.id, text: "Hi" }, who));
    }
  }
  must(await stage.create("follows", { followerId: a.id, followingId: b.id }, a));
  must(await stage.create("follows", { followerId: b.id, followingId: a.id }, b));
  must(await stage.remove("media", own, a));
  expect(await bent()).toEqual([]);
  must(await stage.server.api("POST", "/api/account/delete", { password: a.password }, a.token));
  expect(await stage.row("media", other)).toMatchObject({ likes: 1, comments: 1 });
  expect(await stage.row("users", b.id)).toMatchObject({
    followers: 0,
    following: 0,
    mediaCount: 1,
  });
});

describe("nobody bends them", () => {
  test("the dashboard's edit of a counter changes nothing", async () => {
    const id = await stage.media(stage.ann);
    const forged = { likes: 50, comments: 50, reports: 50, username: "forged" };
    must(await stage.update("media", id, forged, stage.superuser));
    const user = { followers: 50, following: 50, mediaCount: 50 };
    must(await stage.update("users", stage.bob.id, user, stage.superuser));
    const chat = await stage.conversation(stage.ann, stage.bob);
    const numbers = {
      messageCount: 9,
      unreadA: 9,
      unreadB: 9,
      lastMessage: "forged",
      lastMessageType: "photo",
    };
    must(await stage.update("conversations", chat, numbers, stage.superuser));
    expect(await stage.row("conversations", chat)).toMatchObject({ messageCount: 0, unreadA: 0 });
  });

  test("the dashboard's console cannot bend, move, replace or rename", async () => {
    const mediaId = await stage.media(stage.ann);
    const other = await stage.media(stage.bob);
    const like = `${mediaId}_${stage.bob.id}`;
    must(await stage.create("likes", { mediaId, userId: stage.bob.id }, stage.bob));
    await stage.message(stage.ann, stage.bob);
    for (const query of [
      "UPDATE media SET likes = 7, comments = 7, reports = 7, username = 'x'",
      "UPDATE users SET followers = 7, following = 7, mediaCount = 7",
      "UPDATE conversations SET unreadA = 7, unreadB = 7, messageCount = 7, lastMessage = 'x', lastMessageType = 'photo'",
      `UPDATE likes SET mediaId = '${other}'`,
      `UPDATE media SET userId = '${stage.bob.id}'`,
      `REPLACE INTO likes (id, mediaId, userId) VALUES ('${like}', '${mediaId}', '${stage.bob.id}')`,
      `UPDATE OR REPLACE likes SET id = 'x' WHERE id = '${like}'`,
      "UPDATE messages SET ord = 1, recipientId = 'x', conversationId = 'x'",
    ]) {
      const { status } = await stage.sql(query);
      // A statement that never ran would bend nothing: only those that replace rows are refused as a whole.
      const expected = query.includes("REPLACE") ? 400 : 200;
      expect([query, status, await bent()]).toEqual([query, expected, []]);
    }
    expect((await stage.sql("DELETE FROM likes")).status).toBe(200);
    expect(await stage.row("media", mediaId)).toMatchObject({ likes: 0 });
    must(await stage.create("likes", { mediaId, userId: stage.bob.id }, stage.bob));
    const truncate = "/api/collections/likes/truncate";
    must(await stage.server.api("DELETE", truncate, undefined, stage.superuser.token));
    expect(await stage.row("media", mediaId)).toMatchObject({ likes: 0 });
  });

  test("a row inserted with counters starts with what there is", async () => {
    const id = await stage.media(stage.ann, { likes: 9, comments: 9, reports: 9, username: "x" });
    expect(await stage.row("media", id)).toMatchObject({
      likes: 0,
      comments: 0,
      reports: 0,
      username: stage.ann.record.username,
    });
  });

  test("the order of messages is that of their writing and stays so", async () => {
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) {
      ids.push(await stage.message(stage.ann, stage.bob, text));
    }
    must(await stage.update("messages", ids[0] ?? "", { deleted: true }, stage.ann));
    must(await stage.update("messages", ids[1] ?? "", { ord: 1 }, stage.superuser));
    const chat = conversationIdOf(stage.ann, stage.bob);
    const { body } = await stage.list(
      "messages",
      `filter=conversationId='${chat}'&sort=-ord&perPage=3`,
      stage.bob,
    );
    expect(body.items.map((one: { id: string }) => one.id)).toEqual(ids.reverse());
  });
});

test("another name is on every medium and comment with the account, and is one change of the feed", async () => {
  const who = await signUp(stage.server);
  const mediaId = await stage.media(who);
  const comment = { mediaId, userId: who.id, text: "Mine" };
  const { id } = must(await stage.create("comments", comment, who)).body;
  const username = `renamed-${who.id}`;
  const { checkpoint } = (await stage.server.api("GET", "/api/sync?since=head")).body;
  must(await stage.update("users", who.id, { username }, who));
  expect(await stage.row("media", mediaId)).toMatchObject({ username });
  expect(await stage.row("comments", id)).toMatchObject({ username });
  const feed = await stage.server.api("GET", `/api/sync?since=${checkpoint}`);
  expect(Object.keys(feed.body.changes)).toEqual(["profiles"]);
  expect(feed.body.changes.profiles.documents).toMatchObject([{ id: who.id, username }]);
});
