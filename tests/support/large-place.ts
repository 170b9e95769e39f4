/**
 * A large community. Its rows are made by SQL with the triggers off, which takes a minute for a
 * million media, and its counters filled afterwards.
 */
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "./pocketbase";
import { sql } from "./sql";

/** One statement is one transaction, and the console gives it three minutes. */
const CHUNK = 50_000;
const PER_CHAT = 50;

export interface Place {
  server: PocketBase;
  /** Of the server's superuser, and of an admin. */
  superuser: string;
  admin: SignedIn;
  users: number;
  rows: number;
  get: (path: string) => Promise<number>;
  /** Of one medium. */
  row: string;
}

export const id = (prefix: string, number: string) =>
  `printf('${prefix}%0${15 - prefix.length}d', ${number})`;
/** Days before a fixed one, so that every chart has bars and no index is one value. */
export const instant = (number: string) =>
  `strftime('%Y-%m-%d %H:%M:%S.', 1795000000 - (${number}) * 13, 'unixepoch') || printf('%03dZ', (${number}) % 1000)`;

/** Inserts `count` rows in pieces; `columns` are of a row numbered `i`, from 1 on. */
export type Fill = (count: number, into: string, columns: string) => Promise<void>;

export interface More {
  /** The media are in the search too. */
  searchable?: boolean;
  /** Adds rows while the triggers are off. */
  add?: (server: PocketBase, fill: Fill) => Promise<void>;
}

/** `rows` media and as many messages. */
export async function openPlace(
  users: number,
  rows: number,
  { searchable = false, add }: More = {},
): Promise<Place> {
  const server = await startPocketBase();
  const { token } = await createSuperuser(server);
  const admin = await signUp(server);
  const run = (query: string) => sql(server, token, query);
  const triggers = (await run(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql IS NOT NULL",
  )) as { name: string; sql: string }[];
  for (const { name } of triggers) await run(`DROP TRIGGER ${name}`);
  await run(`UPDATE users SET isAdmin = TRUE WHERE id = '${admin.id}'`);
  const fill: Fill = async (count, into, columns) => {
    for (let from = 1; from <= count; from += CHUNK) {
      const until = Math.min(count, from + CHUNK - 1);
      await run(`INSERT INTO ${into} WITH RECURSIVE n(i) AS
        (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${until}) SELECT ${columns} FROM n`);
    }
  };
  const owner = id("user", `1 + i % ${users}`);
  const dates = `${instant("i")}, ${instant("i")}`;
  await fill(
    users,
    "users (id, username, email, tokenKey, password, followers, following, mediaCount, createdAt, updatedAt, seq)",
    `${id("user", "i")}, 'person' || i, 'person' || i || '@example.com', ${id("tokenkey", "i")}, 'x', i % 977, i % 31, 10, ${dates}, i`,
  );
  await fill(
    rows,
    "media (id, userId, username, caption, tags, type, file, thumbnail, width, height, likes, comments, reports, createdAt, updatedAt, seq)",
    `${id("pic", "i")}, ${owner}, 'person' || (1 + i % ${users}), 'A caption of moderate length ' || i, '[]',
     iif(i % 9, 'photo', 'video'), 'p' || i || '.jpg', 't' || i || '.jpg', 4032, 3024, i % 50, i % 20, iif(i % 100, 0, 1), ${dates}, i`,
  );
  const chats = rows / PER_CHAT;
  const [a, b] = [id("user", `1 + i % ${users}`), id("user", `1 + (i * 7 + 1) % ${users}`)];
  await fill(
    chats,
    "conversations (id, participants, userA, userB, lastMessage, lastMessageTime, lastMessageBy, messageCount, createdAt, updatedAt, seq)",
    `${id("chat", "i")} || '_' || ${id("chat", "i")}, '[]', ${a}, ${b}, 'The last one', 1790000000 - i * 7, ${a}, ${PER_CHAT}, ${dates}, i`,
  );
  const chat = id("chat", `1 + i % ${chats}`);
  await fill(
    rows,
    "messages (id, conversationId, senderId, recipientId, message, type, timestamp, ord, createdAt, updatedAt, seq)",
    `${id("msg", "i")}, ${chat} || '_' || ${chat}, ${owner}, '', 'A message of some words, number ' || i, 'text', 1790000000 - i, i, ${dates}, i`,
  );
  await fill(
    rows / 100,
    "reports (id, mediaId, userId, reason, status, snapshot, number, createdAt, updatedAt)",
    `${id("pic", "i * 100")} || '_' || ${owner}, ${id("pic", "i * 100")}, ${owner}, 'A reason', iif(i % 3, 'resolved', 'open'), '{}', i, ${dates}`,
  );
  await fill(
    users,
    "audit (id, actor, action, target, details, createdAt)",
    `${id("act", "i")}, '${admin.id}', 'media.delete', ${id("pic", "i")}, '{}', ${instant("i")}`,
  );
  await add?.(server, fill);
  for (const [name, from] of [
    ["users", "users"],
    ["photos", "media WHERE type = 'photo'"],
    ["videos", "media WHERE type = 'video'"],
    ["messages", "messages"],
    ["conversations", "conversations"],
    ["reports", "reports"],
  ]) {
    await run(`UPDATE _counts SET n = (SELECT count(*) FROM ${from}) WHERE name = '${name}'`);
  }
  for (const name of ["photos", "videos", "messages", "users"]) {
    await run(`INSERT INTO _daily WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 365)
      SELECT date('now', '-' || i || ' days'), '${name}', 1 + i FROM n WHERE TRUE ON CONFLICT DO NOTHING`);
  }
  await run("INSERT OR IGNORE INTO _user_numbers (id) SELECT id FROM users");
  await run(`INSERT INTO _user_search (rowid, username, email) SELECT n, username, email FROM users JOIN _user_numbers USING (id)
    WHERE n NOT IN (SELECT rowid FROM _user_search)`);
  await run(`UPDATE _seq SET v = ${rows + 1}`);
  if (searchable) {
    const search = triggers.find(({ name }) => name === "media_search_update");
    await run(search?.sql ?? "");
    for (let from = 1; from <= rows; from += CHUNK) {
      const [first, last] = [id("pic", String(from)), id("pic", String(from + CHUNK - 1))];
      await run(`UPDATE media SET caption = caption WHERE id BETWEEN ${first} AND ${last}`);
    }
    await run("DROP TRIGGER media_search_update");
  }
  for (const trigger of triggers) await run(trigger.sql);
  const get = async (path: string) => {
    const begun = performance.now();
    const answer = await fetch(server.url + path, { headers: { authorization: admin.token } });
    await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return performance.now() - begun;
  };
  const row = `/api/collections/media/records/pic${String(rows / 2).padStart(12, "0")}`;
  return { server, superuser: token, admin, users, rows, get, row };
}
