/** No client writes what is the server's: every such field is tried by everybody, on create and on update. */
import { createHash } from "node:crypto";
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SUBTITLES_MAX, subtitlesName } from "@/domain/subtitles";
import { conversationIdOf, must, type Stage, setStage } from "./stage";

type Row = Record<string, unknown>;

/** A value that each of the server's fields does not have by itself. */
const FORGED: Record<string, Row> = {
  users: {
    followers: 99,
    following: 99,
    mediaCount: 99,
    isAdmin: true,
    isBlocked: true,
    chatDisabled: true,
    termsAccepted: false,
    termsAcceptedDate: "2001-01-01 00:00:00.000Z",
    verified: true,
    emailVisibility: true,
    email: "forged@example.com",
    tokenKey: "f".repeat(40),
    seq: 999_999,
    createdAt: "2001-01-01 00:00:00.000Z",
    updatedAt: "2001-01-01 00:00:00.000Z",
  },
  media: {
    username: "forged",
    type: "video",
    file: "forged.jpg",
    thumbnail: "forged.jpg",
    preview: "forged.jpg",
    width: 99,
    height: 99,
    duration: 99,
    thumbhash: "forged",
    originalFilename: "forged",
    fileSize: 99,
    subtitlesSize: 99,
    post: "forgedforged000",
    postIndex: 9,
    contentType: "text/html",
    likes: 99,
    comments: 99,
    views: 99,
    reports: 99,
    seq: 999_999,
    createdAt: "2001-01-01 00:00:00.000Z",
    updatedAt: "2001-01-01 00:00:00.000Z",
  },
  likes: { seq: 999_999, createdAt: "2001-01-01 00:00:00.000Z" },
  saves: { seq: 999_999, createdAt: "2001-01-01 00:00:00.000Z" },
  comments: {
    username: "forged",
    replies: 99,
    likes: 99,
    editedAt: "2001-01-01 00:00:00.000Z",
    seq: 999_999,
    createdAt: "2001-01-01 00:00:00.000Z",
    updatedAt: "2001-01-01 00:00:00.000Z",
  },
  reports: {
    status: "dismissed",
    snapshot: { forged: true },
    createdAt: "2001-01-01 00:00:00.000Z",
    updatedAt: "2001-01-01 00:00:00.000Z",
  },
  follows: { seq: 999_999, createdAt: "2001-01-01 00:00:00.000Z" },
  blocks: { seq: 999_999, createdAt: "2001-01-01 00:00:00.000Z" },
  conversations: {
    userA: "f".repeat(15),
    userB: "f".repeat(15),
    lastMessage: "forged",
    lastMessageType: "photo",
    lastMessageTime: 99,
    lastMessageBy: "f".repeat(15),
    messageCount: 99,
    unreadA: 99,
    unreadB: 99,
    seq: 999_999,
    createdAt: "2001-01-01 00:00:00.000Z",
    updatedAt: "2001-01-01 00:00:00.000Z",
  },
  messages: {
    recipientId: "f".repeat(15),
    type: "photo",
    image: "forged.jpg",
    thumbnail: "forged.jpg",
    photoSize: 99,
    read: true,
    readAt: "2001-01-01 00:00:00.000Z",
    deleted: true,
    deletedAt: "2001-01-01 00:00:00.000Z",
    timestamp: 99,
    ord: 999_999,
    seq: 999_999,
    createdAt: "2001-01-01 00:00:00.000Z",
    updatedAt: "2001-01-01 00:00:00.000Z",
  },
  settings: {
    revision: 7,
    lastUpdated: "2001-01-01 00:00:00.000Z",
    seq: 999_999,
    createdAt: "2001-01-01 00:00:00.000Z",
    updatedAt: "2001-01-01 00:00:00.000Z",
  },
};

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.conversation(stage.ann, stage.bob);
});
afterAll(() => stage.server.stop());

/** The stored row, with what no API shows. */
async function stored(collection: string, id: string): Promise<Row> {
  const columns = Object.keys(FORGED[collection] ?? {});
  const quoted = columns.map((name) => `[${name}]`).join(", ");
  const { rows } = await stage.sql(`SELECT ${quoted} FROM ${collection} WHERE id = '${id}'`);
  return Object.fromEntries(columns.map((name, at) => [name, rows[0]?.[at]]));
}

const same = (a: unknown, b: unknown): boolean =>
  String(typeof b === "object" ? JSON.stringify(b) : b) === String(a) ||
  (typeof b === "boolean" && Number(a) === Number(b));

/** The forged fields that reached the database. */
function taken(collection: string, row: Row): string[] {
  return Object.entries(FORGED[collection] ?? {})
    .filter(([name, value]) => same(row[name], value))
    .map(([name]) => name);
}

const HONEST: Record<string, () => Promise<Row>> = {
  users: async () => {
    const name = `forger-${Math.random().toString(36).slice(2, 10)}`;
    const password = "Kirschkuchen-7";
    const body = { username: name, password, passwordConfirm: password, termsAccepted: true };
    return { ...body, email: `${name}@example.com` };
  },
  likes: async () => ({ mediaId: await stage.media(stage.bob), userId: stage.ann.id }),
  saves: async () => ({ mediaId: await stage.media(stage.bob), userId: stage.ann.id }),
  comments: async () => ({
    mediaId: await stage.media(stage.bob),
    userId: stage.ann.id,
    text: "Hm",
  }),
  reports: async () => ({
    mediaId: await stage.media(stage.bob),
    userId: stage.ann.id,
    reason: "Why",
  }),
  follows: async () => ({
    followerId: stage.ann.id,
    followingId: (await signUp(stage.server)).id,
  }),
  blocks: async () => ({ blockerId: stage.ann.id, blockedId: (await signUp(stage.server)).id }),
  conversations: async () => ({ participants: [stage.ann.id, (await signUp(stage.server)).id] }),
  messages: async () => ({
    conversationId: conversationIdOf(stage.ann, stage.bob),
    senderId: stage.ann.id,
    message: "Hi",
  }),
};

describe("a create", () => {
  test.each(Object.keys(HONEST))("of %s stores none of the server's fields", async (name) => {
    const honest = await (HONEST[name] as () => Promise<Row>)();
    const who = name === "users" ? undefined : stage.ann;
    // The forged row may be refused; what it leaves behind is then the honest one's.
    const first = await stage.create(name, { ...FORGED[name], ...honest }, who);
    const { body } = first.status === 200 ? first : must(await stage.create(name, honest, who));
    expect(taken(name, await stored(name, body.id))).toEqual([]);
  });

  test("of a message is text, whatever files come with it", async () => {
    const form = new FormData();
    form.set("conversationId", conversationIdOf(stage.ann, stage.bob));
    form.set("senderId", stage.ann.id);
    form.set("message", "Look");
    form.set("type", "photo");
    form.set("image", new File([new Uint8Array(2000)], "a.png", { type: "image/png" }));
    const { body } = must(await stage.create("messages", form, stage.ann));
    expect(await stage.row("messages", body.id)).toMatchObject({ type: "text", image: "" });
  });

  test("of a message has the server's time", async () => {
    const honest = await (HONEST["messages"] as () => Promise<Row>)();
    const before = Math.floor(Date.now() / 1000);
    const { body } = must(await stage.create("messages", { ...honest, timestamp: 99 }, stage.ann));
    const { timestamp } = await stage.row("messages", body.id);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test("of a user with an id of the client's is refused", async () => {
    const honest = await (HONEST["users"] as () => Promise<Row>)();
    expect((await stage.create("users", { ...honest, id: "a".repeat(15) })).status).toBe(400);
  });
});

describe("an update", () => {
  const cases = ["users", "media", "saves", "settings", "messages", "reports"].flatMap(
    (collection) =>
      (["visitor", "bob", "ann", "admin"] as const).map((actor) => [collection, actor] as const),
  );
  test.each(cases)("of %s by %s stores none of the server's fields", async (collection, actor) => {
    const owner = await signUp(stage.server);
    const make: Record<string, () => Promise<string>> = {
      users: async () => (actor === "ann" ? stage.ann.id : owner.id),
      media: () => stage.media(stage.ann),
      saves: async () => {
        const body = await (HONEST["saves"] as () => Promise<Row>)();
        return must(await stage.create("saves", body, stage.ann)).body.id;
      },
      settings: async () => "privacy",
      messages: () => stage.message(stage.ann, stage.bob),
      reports: async () => {
        const body = await (HONEST["reports"] as () => Promise<Row>)();
        return must(await stage.create("reports", body, stage.ann)).body.id;
      },
    };
    const id = await (make[collection] as () => Promise<string>)();
    const person = actor === "visitor" ? undefined : stage[actor];
    const forged = { ...FORGED[collection] };
    // These are an admin's to change; the wiping of a message is its own test.
    const allowed: Record<string, string[]> = {
      users: ["isAdmin", "isBlocked", "chatDisabled"],
      messages: ["deleted", "deletedAt"],
      reports: ["status"],
    };
    for (const name of actor === "admin" ? (allowed[collection] ?? []) : []) delete forged[name];
    if (collection === "messages") delete forged["deleted"];
    const before = await stored(collection, id);
    await stage.update(collection, id, forged, person);
    for (const [name, value] of Object.entries(forged)) {
      await stage.update(collection, id, { [name]: value }, person);
    }
    const after = await stored(collection, id);
    const moved = Object.keys(forged).filter((name) => {
      const isClock = ["seq", "updatedAt", "revision", "lastUpdated"].includes(name);
      return !isClock && String(before[name]) !== String(after[name]);
    });
    expect({ moved, taken: taken(collection, after).filter((n) => n in forged) }).toEqual({
      moved: [],
      taken: taken(collection, before).filter((n) => n in forged),
    });
  });

  test("gives nobody's row away: the owner of a medium stays", async () => {
    const id = await stage.media(stage.ann);
    await stage.update("media", id, { userId: stage.bob.id, caption: "Mine" }, stage.ann);
    expect(await stage.row("media", id)).toMatchObject({ userId: stage.ann.id, caption: "Mine" });
  });

  test("takes caption, tags and alt from the owner and nothing from an admin", async () => {
    const id = await stage.media(stage.ann);
    const change = { caption: "New", tags: ["x", " y ", ""], alt: "Words" };
    const odd = await stage.update("media", id, { tags: ["x", null, {}] }, stage.ann);
    expect(odd).toMatchObject({ status: 400, body: { code: "invalid" } });
    const same = await stage.update("media", id, { tags: "same,".repeat(5000) }, stage.ann);
    expect(same).toMatchObject({ status: 400, body: { code: "tags_many" } });
    expect((await stage.update("media", id, change, stage.admin)).status).toBe(404);
    must(await stage.update("media", id, change, stage.ann));
    expect(await stage.row("media", id)).toMatchObject({ ...change, tags: ["x", "y"] });
  });

  test("makes a file of the subtitles that a video's owner gives, and of nothing else", async () => {
    const subtitles = "WEBVTT\n\n00:01.000 --> 00:02.000\nDas Meer ist ruhig";
    const id = await stage.media(stage.ann);
    const give = (text: unknown, who = stage.ann) =>
      stage.update("media", id, { subtitles: text }, who);
    expect(await give(subtitles)).toMatchObject({ status: 400, body: { code: "invalid" } });
    must(await stage.update("media", id, { type: "video" }, stage.superuser));
    const wrong: [text: unknown, code: string][] = [
      [`<script>${subtitles}`, "file_type"],
      ["WEBVTT\n\nno cue", "file_type"],
      [`${subtitles}${"x".repeat(SUBTITLES_MAX)}`, "text_long"],
      [["a.vtt"], "file_type"],
      [7, "file_type"],
    ];
    for (const [text, code] of wrong) {
      expect(await give(text)).toMatchObject({ status: 400, body: { code } });
    }
    expect((await give(subtitles, stage.admin)).status).toBe(404);
    const form = new FormData();
    form.set("subtitles", new Blob([subtitles], { type: "text/vtt" }), "own.vtt");
    const path = `/api/collections/media/records/${id}`;
    await stage.server.api("PATCH", path, form, stage.ann.token);
    expect((await stage.row("media", id))["subtitles"]).toBe("");
    const before = await stage.row("media", id);
    const name = must(await give(subtitles)).body["subtitles"];
    expect(name).toBe(subtitlesName(createHash("sha256").update(subtitles).digest("hex")));
    expect((await stage.row("media", id))["seq"]).toBeGreaterThan(Number(before["seq"]));
    const file = await fetch(`${stage.server.url}/api/files/media/${id}/${name}`);
    expect(file.headers.get("content-type")).toMatch(/^text\/vtt/);
    expect(await file.text()).toBe(subtitles);
    // What is the same costs no file, and other texts leave it.
    expect(must(await give(subtitles)).body["subtitles"]).toBe(name);
    const other = must(await stage.update("media", id, { caption: "Sea" }, stage.ann));
    expect(other.body["subtitles"]).toBe(name);
    expect(must(await give("")).body["subtitles"]).toBe("");
    expect((await fetch(file.url)).status).toBe(404);
  });
});

describe("rows in somebody else's name", () => {
  test.each([
    ["likes", "userId"],
    ["saves", "userId"],
    ["comments", "userId"],
    ["reports", "userId"],
    ["follows", "followerId"],
    ["blocks", "blockerId"],
    ["messages", "senderId"],
  ])("%s are refused when %s is not the caller", async (collection, field) => {
    const honest = await (HONEST[collection] as () => Promise<Row>)();
    const answer = await stage.create(collection, { ...honest, [field]: stage.ann.id }, stage.bob);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 403,
      code: "forbidden",
    });
  });

  test("a composed id that does not fit its row is refused", async () => {
    const mediaId = await stage.media(stage.bob);
    const body = { id: `${mediaId}_${stage.bob.id}`, mediaId, userId: stage.ann.id };
    const answer = await stage.create("likes", body, stage.ann);
    expect(answer.body.code).toBe("invalid");
    expect(answer.status).toBe(400);
  });

  test("a conversation of two others is refused", async () => {
    const body = { participants: [stage.ann.id, stage.admin.id] };
    const answer = await stage.create("conversations", body, stage.bob);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      code: "not_participant",
      message: "User not part of this conversation",
    });
  });

  test("a conversation with the id of two others is refused, whomever it names", async () => {
    const id = conversationIdOf(stage.ann, stage.admin);
    for (const participants of [[stage.ann.id, stage.admin.id], [stage.ann.id, stage.bob.id], []]) {
      const answer = await stage.create("conversations", { id, participants }, stage.bob);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect((await stage.view("conversations", id, stage.superuser)).status).toBe(404);
  });
});
