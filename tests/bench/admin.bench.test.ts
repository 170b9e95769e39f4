/**
 * The panel on a large place: 100,000 accounts, 1,000,000 media and 1,000,000 messages, beside a place of a hundredth of that.
 * Statistics and the first page of each tab against the record API's read of one row by its id, on the same server and at
 * the same time; and each against itself on the small place. Rows are made by SQL, with the triggers off and their
 * counters filled afterwards.
 */
import {
  createSuperuser,
  type PocketBase,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROUNDS = 41;
/** One statement is one transaction, and the console gives it three minutes. */
const CHUNK = 50_000;
const PER_CHAT = 50;

interface Place {
  server: PocketBase;
  users: number;
  rows: number;
  get: (path: string) => Promise<number>;
  /** Of one medium. */
  row: string;
}

const places: Place[] = [];
beforeAll(async () => {
  for (const users of [1_000, 100_000]) places.push(await openPlace(users, users * 10));
}, 1_800_000);
afterAll(async () => {
  for (const { server } of places) await server.stop();
});

const id = (prefix: string, number: string) =>
  `printf('${prefix}%0${15 - prefix.length}d', ${number})`;
/** Days before a fixed one, so that every chart has bars and no index is one value. */
const instant = (number: string) =>
  `strftime('%Y-%m-%d %H:%M:%S.', 1795000000 - (${number}) * 13, 'unixepoch') || printf('%03dZ', (${number}) % 1000)`;

async function openPlace(users: number, rows: number): Promise<Place> {
  const server = await startPocketBase();
  const { token } = await createSuperuser(server);
  const admin = await signUp(server);
  const run = (query: string) => sql(server, token, query);
  const triggers = (await run(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql IS NOT NULL",
  )) as { name: string; sql: string }[];
  for (const { name } of triggers) await run(`DROP TRIGGER ${name}`);
  await run(`UPDATE users SET isAdmin = TRUE WHERE id = '${admin.id}'`);
  const fill = async (count: number, into: string, columns: string) => {
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
  for (const trigger of triggers) await run(trigger.sql);
  const get = async (path: string) => {
    const begun = performance.now();
    const answer = await fetch(server.url + path, { headers: { authorization: admin.token } });
    await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return performance.now() - begun;
  };
  const row = `/api/collections/media/records/pic${String(rows / 2).padStart(12, "0")}`;
  return { server, users, rows, get, row };
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** What is asked, and how many times a read by id it may take. */
const ASKED: [name: string, path: string, most: number][] = [
  ["statistics", "/api/admin/stats", 10],
  ["users", "/api/admin/users?limit=30", 30],
  ["users by name", "/api/admin/users?limit=30&sort=username", 30],
  ["users by followers", "/api/admin/users?limit=30&sort=followers", 30],
  ["suspended users", "/api/admin/users?limit=30&filter=suspended", 30],
  ["chats", "/api/admin/conversations?limit=30", 30],
  ["media", "/api/admin/media?limit=20", 30],
  ["reported media", "/api/admin/media?limit=20&filter=reported", 30],
  ["reports", "/api/admin/reports?limit=30", 30],
  ["open reports", "/api/admin/reports?limit=30&status=open", 30],
  ["audit", "/api/admin/audit?limit=30", 30],
];

/** Medians of a read by id and of `path`, on the small and on the large place, asked in turns. */
async function measure(path: string): Promise<{ row: number; asked: number }[]> {
  const times = places.map(() => ({ row: [] as number[], asked: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, place] of places.entries()) {
      times[i]?.row.push(await place.get(place.row));
      times[i]?.asked.push(await place.get(path));
    }
  }
  return times.map(({ row, asked }) => ({ row: median(row), asked: median(asked) }));
}

test("statistics and the first page of every tab cost the same on a large place as on a small one", async () => {
  const figures: string[] = [];
  for (const [name, path, most] of ASKED) {
    const [small, large] = await measure(path);
    const share = (large?.asked ?? 0) / (large?.row ?? 1);
    const growth = (large?.asked ?? 0) / (small?.asked ?? 1);
    figures.push(
      `${name}: ${large?.asked.toFixed(2)} ms, ${share.toFixed(1)} × a read by id (<= ${most}), ${growth.toFixed(2)} × a hundredth of the size (<= 2)`,
    );
    expect.soft(share, `${name} against a read by id`).toBeLessThanOrEqual(most);
    expect.soft(growth, `${name} against a hundredth of the size`).toBeLessThanOrEqual(2);
  }
  process.stdout.write(`${figures.join("\n")}\n`);
});

test.each([
  ["one name", "person4242"],
  ["part of an address", "42@exam"],
  ["what everybody has", "person"],
  ["two letters", "pe"],
  ["nobody", "zzzzzz"],
])("a search for %s among 100,000 accounts stays within 60 reads by id", async (name, search) => {
  const [, large] = await measure(`/api/admin/users?limit=30&q=${encodeURIComponent(search)}`);
  const share = (large?.asked ?? 0) / (large?.row ?? 1);
  process.stdout.write(
    `a search for ${name}: ${large?.asked.toFixed(2)} ms, ${share.toFixed(1)} × a read by id (<= 60)\n`,
  );
  expect(share).toBeLessThanOrEqual(60);
});
