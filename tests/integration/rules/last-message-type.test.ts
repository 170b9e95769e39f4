import {
  newFolder,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { conversationIdOf, migrationsBefore, must, type Stage, setStage } from "./stage";

const MIGRATION = "1795000030-last-message-type.js";

let stage: Stage;
let a: SignedIn;
let b: SignedIn;
let chat: string;
beforeAll(async () => {
  stage = await setStage();
});
beforeEach(async () => {
  [a, b] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
  chat = await stage.conversation(a, b);
});
afterAll(() => stage.server.stop());

const sendPhoto = async (caption = ""): Promise<string> => {
  const body = { conversationId: chat, senderId: a.id, message: caption, type: "photo" };
  return must(await stage.create("messages", body, stage.superuser)).body.id;
};
const last = async () => {
  const { lastMessage, lastMessageType } = await stage.row("conversations", chat);
  return [lastMessage, lastMessageType];
};

test("a conversation without messages has none", async () => {
  expect(await last()).toEqual(["", ""]);
});

test.each(["Photo", "This message was deleted", "Hello"])("the text %j is a text", async (text) => {
  await stage.message(a, b, text);
  expect(await last()).toEqual([text, "text"]);
});

test("a photo is a photo, with words and without", async () => {
  await sendPhoto();
  expect(await last()).toEqual(["Photo", "photo"]);
  await stage.message(b, a, "Photo");
  expect(await last()).toEqual(["Photo", "text"]);
  await sendPhoto("Some words");
  expect(await last()).toEqual(["Photo", "photo"]);
});

test.each(["text", "photo"])("a deleted %s leaves the kind empty", async (kind) => {
  const id = kind === "photo" ? await sendPhoto() : await stage.message(a, b);
  must(await stage.update("messages", id, { deleted: true }, a));
  expect(await last()).toEqual(["This message was deleted", ""]);
});

test("the deletion of an earlier message leaves the last one's kind", async () => {
  const first = await stage.message(a, b);
  await sendPhoto();
  must(await stage.update("messages", first, { deleted: true }, a));
  expect(await last()).toEqual(["Photo", "photo"]);
});

test("when the last row goes, the one before it gives the kind", async () => {
  await sendPhoto();
  const id = await stage.message(a, b, "Photo");
  must(await stage.remove("messages", id, stage.superuser));
  expect(await last()).toEqual(["Photo", "photo"]);
});

test("the feed and the panel's list bring the kind", async () => {
  await sendPhoto();
  const feed = must(await stage.server.api("GET", "/api/sync?since=0", undefined, b.token)).body;
  expect(feed.changes.conversations.documents).toMatchObject([
    { id: chat, lastMessageType: "photo" },
  ]);
  const query = `/api/admin/conversations?userId=${a.id}`;
  const list = must(await stage.server.api("GET", query, undefined, stage.admin.token)).body;
  expect(list.items).toMatchObject([{ id: chat, lastMessageType: "photo" }]);
});

test("another kind under the same preview is a change in the feed", async () => {
  await stage.message(a, b, "Photo");
  const { seq } = await stage.row("conversations", chat);
  await stage.sql(`UPDATE messages SET type = 'photo' WHERE conversationId = '${chat}'`);
  expect(await last()).toEqual(["Photo", "photo"]);
  expect(Number((await stage.row("conversations", chat))["seq"])).toBeGreaterThan(Number(seq));
});

test("no participant writes the kind", async () => {
  await stage.message(a, b);
  const forged = await stage.update("conversations", chat, { lastMessageType: "photo" }, a);
  expect([forged.status, await last()]).toEqual([403, ["Hello", "text"]]);
});

test("the migration fills the rows of an older database, and the feed brings them again", async () => {
  const dataDir = newFolder();
  const older = await setStage({ dataDir, flags: migrationsBefore(MIGRATION) });
  const [x, y, z] = [older.ann, older.bob, older.admin];
  await Promise.all([older.conversation(x, y), older.conversation(x, z), older.conversation(y, z)]);
  await older.message(x, y, "Photo");
  const photo = { conversationId: conversationIdOf(x, z), senderId: x.id, type: "photo" };
  const { id } = must(await older.create("messages", photo, older.superuser)).body;
  expect(await older.row("conversations", conversationIdOf(x, z))).not.toHaveProperty(
    "lastMessageType",
  );
  const sync = async (server: PocketBase, since: string) =>
    must(await server.api("GET", `/api/sync?since=${since}`, undefined, x.token)).body;
  // Today's feed asks for columns that came later.
  const [head] = await sql(older.server, older.superuser.token, "SELECT v FROM _seq");
  await older.server.stop();

  const server = await startPocketBase({ dataDir });
  const kinds = async () => {
    const where = "/api/collections/conversations/records";
    const { body } = must(await server.api("GET", where, undefined, older.superuser.token));
    const rows = body.items as { id: string; lastMessageType: string }[];
    return Object.fromEntries(rows.map((row) => [row.id, row.lastMessageType]));
  };
  const [text, other, empty] = [
    conversationIdOf(x, y),
    conversationIdOf(x, z),
    conversationIdOf(y, z),
  ] as const;
  expect(await kinds()).toEqual({ [text]: "text", [other]: "photo", [empty]: "" });
  const { documents } = (await sync(server, String(head?.["v"]))).changes.conversations;
  expect(documents.map((row: { id: string }) => row.id).sort()).toEqual([text, other].sort());
  const message = `/api/collections/messages/records/${id}`;
  must(await server.api("PATCH", message, { deleted: true }, x.token));
  expect(await kinds()).toMatchObject({ [other]: "" });
  await server.stop();
});
