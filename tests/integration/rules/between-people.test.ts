/** Follows, blocks and chats: who is refused what, in the specification's words. */
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationIdOf, must, type Stage, setStage } from "./stage";

type Person = Stage["ann"];
let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const two = () => Promise.all([signUp(stage.server), signUp(stage.server)]);
const follow = (a: Person, b: Person) =>
  stage.create("follows", { followerId: a.id, followingId: b.id }, a);
const block = (a: Person, b: Person) =>
  stage.create("blocks", { blockerId: a.id, blockedId: b.id }, a);
const start = (a: Person, b: Person) =>
  stage.create("conversations", { participants: [a.id, b.id] }, a);
const send = (a: Person, b: Person, message: unknown = "Hi") =>
  stage.create("messages", { conversationId: conversationIdOf(a, b), senderId: a.id, message }, a);

describe("a block", () => {
  test("ends the blocker's own follow with the same write, and leaves the other's", async () => {
    const [a, b] = await two();
    must(await follow(a, b));
    must(await follow(b, a));
    must(await block(a, b));
    const rows = await stage.sql(
      `SELECT followerId FROM follows WHERE followerId IN ('${a.id}', '${b.id}')`,
    );
    expect(rows.rows).toEqual([[b.id]]);
    expect(await stage.row("users", b.id)).toMatchObject({ followers: 0, following: 1 });
  });

  test.each(["blocker", "blocked"] as const)(
    "stops the %s from everything between the two",
    async (side) => {
      const [a, b] = await two();
      must(await start(a, b));
      must(await (side === "blocker" ? block(a, b) : block(b, a)));
      const mediaId = await stage.media(b);
      const answers = {
        follow: await follow(a, b),
        like: await stage.create("likes", { mediaId, userId: a.id }, a),
        comment: await stage.create("comments", { mediaId, userId: a.id, text: "Hi" }, a),
        start: await start(a, b),
        send: await send(a, b),
      };
      const codes = Object.entries(answers).map(([name, one]) => [name, one.status, one.body.code]);
      expect(codes).toEqual([
        ["follow", 403, "blocked"],
        ["like", 403, "blocked"],
        ["comment", 403, "blocked"],
        ["start", 400, "duplicate"],
        ["send", 403, "blocked"],
      ]);
      expect(answers.send.body.message).toBe("Chat mit blockiertem Benutzer nicht möglich");
    },
  );

  test("stops the start of a chat, in either direction and with the same sentence", async () => {
    const [a, b] = await two();
    must(await block(a, b));
    for (const answer of [await start(a, b), await start(b, a)]) {
      expect(answer).toMatchObject({
        status: 403,
        body: { code: "blocked", message: "Chat mit blockiertem Benutzer nicht möglich" },
      });
    }
    must(await stage.remove("blocks", `${a.id}_${b.id}`, a));
    expect((await start(b, a)).status).toBe(200);
  });

  test("leaves what was sent before it as it stands: its repeat is told so", async () => {
    const [a, b] = await two();
    must(await start(a, b));
    const mediaId = await stage.media(b);
    const message = { conversationId: conversationIdOf(a, b), senderId: a.id, message: "Hi" };
    const asks = [
      ["messages", { id: "sentbeforeblock", ...message }],
      ["comments", { id: "saidbeforeblock", mediaId, userId: a.id, text: "Hi" }],
      ["likes", { id: `${mediaId}_${a.id}`, mediaId, userId: a.id }],
      ["follows", { id: `${a.id}_${b.id}`, followerId: a.id, followingId: b.id }],
    ] as const;
    for (const [collection, body] of asks) must(await stage.create(collection, body, a));
    must(await block(b, a));
    const codes = asks.map(async ([collection, body]) => {
      const { status, body: answer } = await stage.create(collection, body, a);
      return [collection, status, answer.code];
    });
    expect(await Promise.all(codes)).toEqual(
      asks.map(([collection]) => [collection, 400, "duplicate"]),
    );
    // Somebody else learns nothing of it.
    const stranger = await stage.create("messages", asks[0][1], b);
    expect(stranger).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  test("that comes while a hundred messages are sent lets none in after it", async () => {
    const [a, b] = await two();
    must(await start(a, b));
    const sent = Array.from({ length: 60 }, () => send(b, a));
    const blocked = block(a, b);
    const late = Array.from({ length: 40 }, () => send(b, a));
    must(await blocked);
    const answers = await Promise.all([...sent, ...late]);
    const codes = new Set(answers.map((one) => one.body.code ?? one.status));
    // Most of a hundred at once are told to come again.
    const others = [...codes].filter((code) => code !== 200 && code !== "rate_limited");
    expect(["", "blocked"]).toContain(others.join());
    expect(codes).toContain(200);
    expect((await send(b, a)).body.code).toBe("blocked");
    const { rows } = await stage.sql(
      `SELECT count(*) FROM messages WHERE senderId = '${b.id}'
       AND seq > (SELECT seq FROM blocks WHERE blockerId = '${a.id}')`,
    );
    expect(Number(rows[0]?.[0])).toBe(0);
  });
});

test("nobody follows, blocks or chats with himself, or with somebody who is not there", async () => {
  const { ann } = stage;
  const nobody = { ...ann, id: "n".repeat(15) };
  expect((await follow(ann, ann)).body.code).toBe("self");
  expect((await block(ann, ann)).body.code).toBe("self");
  expect((await start(ann, ann)).body).toMatchObject({
    code: "self",
    message: "Sie können nicht mit sich selbst chatten",
  });
  expect(await follow(ann, nobody)).toMatchObject({ status: 404, body: { code: "gone" } });
  expect(await block(ann, nobody)).toMatchObject({ status: 404, body: { code: "gone" } });
  expect(await start(ann, nobody)).toMatchObject({
    status: 404,
    body: { message: "Benutzer nicht gefunden" },
  });
});

test("what is said about media that is gone is refused as gone", async () => {
  const mediaId = "g".repeat(15);
  const userId = stage.ann.id;
  for (const [collection, more] of [
    ["likes", {}],
    ["comments", { text: "Hi" }],
    ["reports", { reason: "Why" }],
  ] as const) {
    const answer = await stage.create(collection, { mediaId, userId, ...more }, stage.ann);
    expect({ collection, status: answer.status, code: answer.body.code }).toEqual({
      collection,
      status: 404,
      code: "gone",
    });
  }
});

test.each([
  ["nothing but spaces", "  \n ", "text_empty"],
  ["what nobody sees", "\u200b \u2060\u3164\u{e0020}", "text_empty"],
  ["2001 characters", "x".repeat(2001), "text_long"],
])("a comment of %s is refused", async (_, text, code) => {
  const body = { mediaId: await stage.media(stage.bob), userId: stage.ann.id, text };
  const answer = await stage.create("comments", body, stage.ann);
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code });
});

describe("a message", () => {
  let a: Person;
  let b: Person;
  beforeAll(async () => {
    [a, b] = await two();
    must(await start(a, b));
  });

  test("is trimmed, dated and addressed by the server", async () => {
    const { body } = must(await send(a, b, "  Hello \n"));
    expect(await stage.row("messages", body.id)).toMatchObject({
      message: "Hello",
      type: "text",
      recipientId: b.id,
      read: false,
      deleted: false,
      timestamp: expect.closeTo(Date.now() / 1000, -2),
    });
  });

  test.each([
    ["nothing", "  ", "text_empty"],
    ["what nobody sees", "\u200b \u2060\u3164\u{e0020}", "text_empty"],
    ["4001 characters", "x".repeat(4001), "text_long"],
  ])("of %s is refused", async (_, message, code) => {
    const answer = await send(a, b, message);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code });
  });

  test("into a chat of others is refused, whether or not that chat exists", async () => {
    const [c, d] = await two();
    for (const conversationId of [conversationIdOf(a, b), conversationIdOf(a, d)]) {
      const body = { conversationId, senderId: c.id, message: "Hi" };
      expect(await stage.create("messages", body, c)).toMatchObject({
        status: 403,
        body: { code: "not_participant", message: "User not part of this conversation" },
      });
    }
    const own = { conversationId: conversationIdOf(c, d), senderId: c.id, message: "Hi" };
    expect(await stage.create("messages", own, c)).toMatchObject({
      status: 404,
      body: { code: "no_conversation", message: "Conversation not found" },
    });
  });

  test("is deleted by its sender or an admin alone, and its text is gone for good", async () => {
    const { id } = must(await send(a, b, "Regret")).body;
    expect(await stage.update("messages", id, { deleted: true }, b)).toMatchObject({
      status: 403,
      body: { code: "not_sender", message: "Can only delete your own messages" },
    });
    expect((await stage.update("messages", id, { message: "Other" }, a)).body.code).toBe("invalid");
    must(await stage.update("messages", id, { deleted: true }, a));
    expect(await stage.row("messages", id)).toMatchObject({ deleted: true, message: "" });
    const again = await stage.update("messages", id, { deleted: true }, a);
    expect(again.status).toBe(200);
    expect((await stage.update("messages", id, { deleted: false }, a)).body.code).toBe("invalid");
    const other = must(await send(b, a, "Rude")).body.id;
    must(await stage.update("messages", other, { deleted: true }, stage.admin));
    const { rows } = await stage.sql(
      "SELECT count(*) FROM messages WHERE message IN ('Rude', 'Regret')",
    );
    expect(Number(rows[0]?.[0])).toBe(0);
  });

  test("stays in its chat and its sender's, whatever a change says of where it belongs", async () => {
    const [c] = await two();
    must(await start(a, c));
    const { id } = must(await send(a, b, "Here")).body;
    const elsewhere = { conversationId: conversationIdOf(a, c), senderId: c.id, recipientId: c.id };
    const here = { conversationId: conversationIdOf(a, b), senderId: a.id, recipientId: b.id };
    for (const who of [a, b, c, stage.admin]) {
      expect((await stage.update("messages", id, elsewhere, who)).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    expect(await stage.row("messages", id)).toMatchObject({ ...here, message: "Here" });
    for (const who of [b, c]) {
      const taken = { deleted: true, senderId: who.id, recipientId: a.id };
      expect((await stage.update("messages", id, taken, who)).status).toBeGreaterThanOrEqual(400);
    }
    expect(await stage.row("messages", id)).toMatchObject({ ...here, message: "Here" });
    must(await stage.update("messages", id, { ...elsewhere, deleted: true }, a));
    expect(await stage.row("messages", id)).toMatchObject({ ...here, deleted: true });
    expect((await stage.list("messages", "", c)).body.items).toEqual([]);
  });

  test("is marked read by its recipient alone", async () => {
    const { id } = must(await send(a, b)).body;
    const read = (who?: Person) =>
      stage.server.api("POST", `/api/conversations/${conversationIdOf(a, b)}/read`, {}, who?.token);
    expect((await read(undefined)).status).toBe(404);
    expect((await read(stage.ann)).status).toBe(404);
    expect((await read(stage.admin)).status).toBe(404);
    expect((await read(a)).status).toBe(200);
    expect(await stage.row("messages", id)).toMatchObject({ read: false });
    expect((await read(b)).body.read).toBeGreaterThan(0);
    const row = await stage.row("messages", id);
    expect(row).toMatchObject({ read: true, readAt: expect.stringMatching(/^20.*Z$/) });
    expect((await read(b)).body.read).toBe(0);
  });
});

test("chat access taken away stops start and send, and leaves reading", async () => {
  const [a, b] = await two();
  must(await start(a, b));
  must(await send(b, a));
  must(await stage.update("users", a.id, { chatDisabled: true }, stage.admin));
  expect(await send(a, b)).toMatchObject({ status: 403, body: { code: "chat_disabled" } });
  expect(await start(a, stage.bob)).toMatchObject({ status: 403, body: { code: "chat_disabled" } });
  expect((await stage.list("messages", "", a)).body.items).toHaveLength(1);
  must(await stage.update("users", a.id, { chatDisabled: false }, stage.admin));
  must(await send(a, b));
});

test("the switch for mutual follows asks both before a chat starts", async () => {
  const [a, b] = await two();
  must(await stage.update("settings", "app", { requireMutualFollow: true }, stage.admin));
  const refusal = {
    status: 403,
    body: {
      code: "mutual_follow",
      message: "Beide Benutzer müssen sich gegenseitig folgen, um einen Chat zu starten",
    },
  };
  expect(await start(a, b)).toMatchObject(refusal);
  must(await follow(a, b));
  expect(await start(a, b)).toMatchObject(refusal);
  must(await follow(b, a));
  must(await start(a, b));
  must(await stage.update("settings", "app", { requireMutualFollow: false }, stage.admin));
});
