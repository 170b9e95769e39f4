/**
 * A community that has grown for years, as one of its members sees it: media with pictures of real sizes, people, chats and their
 * messages, written into the database and the storage of a server whose triggers stand.
 */
import { link, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { BrowserContext } from "playwright-core";
import { drawPhoto } from "./draw-photo";
import { createSuperuser, type PocketBase } from "./pocketbase";
import { sql } from "./sql";

export interface Grown {
  media: number;
  chats: number;
  messagesPerChat: number;
}

/** Pictures that differ; the media share their files. */
const PICTURES = 12;
const FILES = [
  { name: "a.jpg", size: { width: 2400, height: 1800 } },
  { name: "p.jpg", size: { width: 1200, height: 900 } },
  { name: "t.jpg", size: { width: 300, height: 225 } },
];
const THUMBHASH = "3OcRJYB4d3h/iIeHeEh3eIhw+j2w";

const series = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
const before = (unit: string) => `strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-' || i || ' ${unit}')`;
export const mediumId = (i: number): string => `grown${String(i).padStart(10, "0")}`;

/** The first medium is the newest. `context` is any browser's: it draws the pictures. */
export async function growCommunity(
  server: PocketBase,
  context: BrowserContext,
  memberName: string,
  { media, chats, messagesPerChat }: Grown,
): Promise<void> {
  const { token } = await createSuperuser(server);
  const run = (query: string) => sql(server, token, query);
  const [member] = await run(`SELECT id FROM users WHERE username = '${memberName}'`);
  const me = String(member?.["id"]);
  const other = "printf('friend%09d', i)";
  const chat = `min(${other}, '${me}') || '_' || max(${other}, '${me}')`;
  const now = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";
  await run(`INSERT INTO users (id, username, email, tokenKey, password, createdAt, updatedAt, seq) ${series(chats)}
    SELECT ${other}, 'friend' || i, 'friend' || i || '@example.com', ${other}, 'x', ${now}, ${now}, 0 FROM n`);
  await run(`INSERT INTO media (id, userId, username, caption, tags, type, file, preview, thumbnail, width, height, thumbhash,
      originalFilename, fileSize, contentType, views, createdAt, updatedAt, seq) ${series(media)}
    SELECT printf('grown%010d', i), printf('friend%09d', i % ${chats}), 'friend' || (i % ${chats}),
      'A caption of moderate length, number ' || i, '["lake","summer"]', 'photo', 'a.jpg', 'p.jpg', 't.jpg', 2400,
      1200 + (i % 7) * 200, '${THUMBHASH}', 'IMG_' || i || '.jpg', 900000, 'image/jpeg', i % 50, ${before("minutes")}, ${now}, 0 FROM n`);
  await run(`INSERT INTO conversations (id, participants, userA, userB, createdAt, updatedAt, seq) ${series(chats)}
    SELECT ${chat}, json_array(min(${other}, '${me}'), max(${other}, '${me}')), min(${other}, '${me}'), max(${other}, '${me}'), ${now}, ${now}, 0 FROM n`);
  const of = (text: string) => text.replaceAll("i)", `i / ${messagesPerChat})`);
  const [sender, recipient] = [
    `iif(i % 3, ${of(other)}, '${me}')`,
    `iif(i % 3, '${me}', ${of(other)})`,
  ];
  await run(`INSERT INTO messages (id, conversationId, senderId, recipientId, message, type, timestamp, ord, read, createdAt, updatedAt, seq)
    ${series(chats * messagesPerChat)}
    SELECT printf('words%010d', i), ${of(chat)}, ${sender}, ${recipient}, 'A message of the length that people write, number ' || i, 'text',
      unixepoch() - 3600 + (i % ${messagesPerChat}), i % ${messagesPerChat} + 1, TRUE, ${now}, ${now}, 0 FROM n`);
  await putPictures(
    server,
    context,
    await run("SELECT id FROM _collections WHERE name = 'media'"),
    media,
  );
}

/** Each medium has a folder of its own; its files are links to the few that were drawn. */
async function putPictures(
  server: PocketBase,
  context: BrowserContext,
  [collection]: Record<string, unknown>[],
  media: number,
): Promise<void> {
  const drawn = path.join(server.dataDir, "drawn");
  await mkdir(drawn, { recursive: true });
  for (let i = 0; i < PICTURES; i++) {
    for (const { name, size } of FILES) {
      await writeFile(path.join(drawn, `${i}${name}`), await drawPhoto(context, i * 15, size));
    }
  }
  for (let i = 0; i < media; i++) {
    const folder = path.join(server.dataDir, "storage", String(collection?.["id"]), mediumId(i));
    await mkdir(folder, { recursive: true });
    for (const { name } of FILES) {
      await link(path.join(drawn, `${i % PICTURES}${name}`), path.join(folder, name));
    }
  }
}
