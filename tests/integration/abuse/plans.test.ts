/**
 * SQLite plans by statistics that PocketBase takes once a day, and a young database has few rows then. What a search, an
 * upload and a new name cost must not depend on it.
 */
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { cpuOf } from "@tests/support/cpu";
import { afterAll, beforeAll, expect, test } from "vitest";

const MEDIA = 20_000;
let young: Stage;
let fresh: Stage;
beforeAll(async () => {
  [young, fresh] = await Promise.all([setStage(), setStage()]);
  for (const stage of [young, fresh]) await stage.media(stage.ann);
  expect((await young.sql("ANALYZE")).status).toBe(200);
  await young.server.restart();
});
afterAll(() => Promise.all([young.server.stop(), fresh.server.stop()]));

test("a new name of somebody with 5,000 comments and 300 media is one row for everybody, and soon written", async () => {
  const { ann, bob, server } = fresh;
  const counter = "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i <";
  const [mediaId] =
    (await fresh.sql(`SELECT id FROM media WHERE userId = '${ann.id}'`)).rows[0] ?? [];
  const filled = [
    await fresh.sql(`${counter} 5000) INSERT INTO comments (id, mediaId, userId, text, createdAt, updatedAt)
      SELECT 'c' || substr('00000000000000' || i, -14), '${mediaId}', '${ann.id}', 'Words', '', '' FROM k`),
    await fresh.sql(`${counter} 300) INSERT INTO media (id, userId, caption, tags, type, createdAt, updatedAt)
      SELECT 'n' || substr('00000000000000' || i, -14), '${ann.id}', 'Picture', '[]', 'photo', '', '' FROM k`),
  ];
  expect(filled.map(({ status }) => status)).toEqual([200, 200]);
  const { checkpoint } = (await server.api("GET", "/api/sync?since=head")).body;
  const username = "one.row.for.all";
  const cost = await cpuOf(server.pid, async () => {
    must(await fresh.update("users", ann.id, { username }, ann));
  });
  const feed = await server.api("GET", `/api/sync?since=${checkpoint}`, undefined, bob.token);
  expect(feed.body.more).toBe(false);
  expect(Object.keys(feed.body.changes)).toEqual(["profiles"]);
  expect(feed.body.changes.profiles.documents).toMatchObject([{ id: ann.id, username }]);
  const named = `SELECT count(*) FROM comments WHERE username = '${username}'`;
  expect(await fresh.number(named)).toBe(5_000);
  expect(cost).toBeLessThan(0.5);
});

const costs = async (work: (stage: Stage) => Promise<unknown>): Promise<[number, number]> => [
  await cpuOf(young.server.pid, () => work(young)),
  await cpuOf(fresh.server.pid, () => work(fresh)),
];

test("statistics of the first day do no harm later", async () => {
  const fill = async (stage: Stage) => {
    for (let from = 1; from < MEDIA; from += 2_000) {
      const { status } = await stage.sql(`WITH RECURSIVE k(i) AS
        (SELECT ${from} UNION ALL SELECT i + 1 FROM k WHERE i < ${from + 1_999})
        INSERT INTO media (id, userId, username, caption, tags, type, createdAt, updatedAt)
        SELECT 'm' || substr('00000000000000' || i, -14), '${stage.bob.id}', 'bob', 'Picture ' || i, '[]', 'photo',
          strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i, 'unixepoch'), '' FROM k`);
      expect(status).toBe(200);
    }
  };
  const search = async (stage: Stage) => {
    for (let i = 0; i < 20; i += 1) {
      const { body } = must(await stage.server.api("GET", "/api/search?q=picture"));
      expect(body.media).toHaveLength(30);
    }
  };
  const people = async (stage: Stage) => {
    for (let i = 0; i < 20; i += 1) must(await stage.server.api("GET", "/api/search?q=user"));
  };
  const rename = async (stage: Stage) =>
    must(await stage.update("users", stage.bob.id, { username: "another.name" }, stage.bob));
  for (const [name, work] of Object.entries({ fill, search, people, rename })) {
    const [old, now] = await costs(work);
    expect({ name, isAlike: old < now * 3 + 0.3, old, now }).toEqual({
      name,
      isAlike: true,
      old,
      now,
    });
  }
});
