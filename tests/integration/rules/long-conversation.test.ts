/** The end of a conversation with more in it than one step takes. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { noisePng } from "@tests/support/noise-png";
import { afterAll, beforeAll, expect, test } from "vitest";
import { must, type Stage, setStage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const TEXTS = 1_200;
const PHOTOS = 30;

async function conversationOf(texts: number): Promise<string> {
  const { ann, bob } = stage;
  const id = await stage.conversation(ann, bob);
  const now = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";
  const { status } = await stage.sql(
    `INSERT INTO messages (id, conversationId, senderId, message, type, image, thumbnail, timestamp, createdAt, updatedAt, seq)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${texts})
     SELECT printf('m%014d', i), '${id}', '${ann.id}', 'Text ' || i, 'text', '', '', 1790000000 + i, ${now}, ${now}, 0 FROM n`,
  );
  expect(status).toBe(200);
  return id;
}

async function longConversation(): Promise<string> {
  const { ann, bob, superuser } = stage;
  const id = await conversationOf(TEXTS);
  for (let n = 0; n < PHOTOS; n++) {
    const form = new FormData();
    const fields = { conversationId: id, senderId: bob.id, recipientId: ann.id, type: "photo" };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(
      "image",
      new Blob([new Uint8Array(noisePng(8, 8))], { type: "image/png" }),
      "photo.png",
    );
    must(await stage.create("messages", form, superuser));
  }
  return id;
}

/** Whether the server has files for any of `ids`. */
function keepsFilesOf(ids: readonly string[]): boolean {
  const storage = path.join(stage.server.dataDir, "storage");
  return readdirSync(storage).some((collection) =>
    ids.some((id) => existsSync(path.join(storage, collection, id))),
  );
}

test("a long conversation goes with every message, every file and a tombstone for each, in one request", async () => {
  const id = await longConversation();
  const { rows } = await stage.sql(`SELECT id FROM messages WHERE image != ''`);
  const photos = rows.map(([one]) => String(one));
  expect(photos).toHaveLength(PHOTOS);
  expect(keepsFilesOf(photos)).toBe(true);
  const count = TEXTS + PHOTOS;
  expect(await stage.row("conversations", id)).toMatchObject({ messageCount: count });
  must(await stage.remove("conversations", id, stage.admin));
  expect(await stage.number("SELECT count(*) FROM messages")).toBe(0);
  expect(await stage.number("SELECT count(*) FROM conversations")).toBe(0);
  expect(await stage.number("SELECT count(*) FROM _tombs WHERE coll = 'messages'")).toBe(count);
  // PocketBase removes the files of deleted rows behind its answer.
  await expect.poll(() => keepsFilesOf(photos)).toBe(false);
  const { rows: booked } = await stage.sql(
    "SELECT target, details FROM audit WHERE action = 'conversations.delete'",
  );
  expect(booked).toEqual([[id, JSON.stringify({ messageCount: count })]]);
});

test("a server that is killed in between has booked it, and the rest goes the next time", async () => {
  const texts = 20_000;
  const id = await conversationOf(texts);
  const left = () => stage.number(`SELECT count(*) FROM messages WHERE conversationId = '${id}'`);
  const booked = async () => {
    const where = `action = 'conversations.delete' AND target = '${id}'`;
    const { rows } = await stage.sql(`SELECT details FROM audit WHERE ${where} ORDER BY rowid`);
    return rows.map(([details]) => JSON.parse(String(details)));
  };
  const earlier = await booked();
  const cutOff = stage.remove("conversations", id, stage.admin).catch(() => null);
  let before = texts;
  while (before === texts) before = await left();
  await stage.server.kill();
  expect(await cutOff).toBeNull();
  await stage.server.restart();
  const rest = await left();
  expect(rest).toBeGreaterThan(0);
  expect(rest).toBeLessThan(texts);
  expect(await booked()).toEqual([...earlier, { messageCount: texts }]);
  expect(await stage.row("conversations", id)).toMatchObject({ messageCount: rest });
  must(await stage.remove("conversations", id, stage.admin));
  expect(await left()).toBe(0);
  expect(await booked()).toEqual([...earlier, { messageCount: texts }, { messageCount: rest }]);
});
