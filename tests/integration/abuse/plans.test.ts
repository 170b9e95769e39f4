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
}, 60_000);
afterAll(() => Promise.all([young.server.stop(), fresh.server.stop()]));

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
}, 300_000);
