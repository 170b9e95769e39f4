/** The panel's Health: what the server finds about itself, and the figures that it keeps of each day. */
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { afterAll, beforeAll, expect, test } from "vitest";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const health = async () =>
  must(await stage.server.api("GET", "/api/admin/health", undefined, stage.admin.token)).body;
const run = async (cron: string) =>
  must(await stage.server.api("POST", `/api/crons/${cron}`, undefined, stage.superuser.token));

interface Found {
  code: string;
  level: string;
  values: Record<string, unknown>;
}
const found = async (check: string): Promise<Found> =>
  (await health()).findings.find(({ code }: Found) => code.startsWith(`${check}_`));

const raised = async (query: string) => {
  for (const one of ["UPDATE _seq SET guard = 1", query, "UPDATE _seq SET guard = 0"])
    expect((await stage.sql(one)).status).toBe(200);
};

test("counters that are wrong are found, and the sequence's faults", async () => {
  expect(await found("counters")).toEqual({ code: "counters_good", level: "good", values: {} });
  await raised(`UPDATE users SET following = 2 WHERE id = '${stage.ann.id}'`);
  expect(await found("counters")).toEqual({
    code: "counters_wrong",
    level: "bad",
    values: { n: 1 },
  });
  await raised(`UPDATE users SET following = 0 WHERE id = '${stage.ann.id}'`);
  expect(await found("sequence")).toMatchObject({ code: "sequence_good" });
  await stage.sql("UPDATE _seq SET guard = 2");
  expect(await found("sequence")).toMatchObject({ code: "sequence_broken", values: { n: 1 } });
  await stage.sql("UPDATE _seq SET guard = 0");
});

test("of each day there are requests, disk and what came into being; old ones go", async () => {
  await stage.sql("INSERT INTO _health VALUES ('2020-01-01', 'requests', 5)");
  await stage.sql("INSERT INTO _health VALUES (date('now', '-3 days'), 'requests', 77)");
  const today = async () => (await health()).days.at(-1);
  const requests = async () => {
    await run("keepHealth");
    return (await today()).requests ?? 0;
  };
  // The log is written some seconds later.
  await expect.poll(requests).toBeGreaterThan(0);
  const { days } = await health();
  expect(days).toHaveLength(30);
  expect(days.at(-4)).toMatchObject({ requests: 77 });
  expect(days.at(-1)).toMatchObject({ users: 3, diskFree: expect.any(Number) });
  expect(days.at(-1).diskUsed).toBeGreaterThan(0);
  expect(await stage.number("SELECT count(*) FROM _health WHERE day < '2021'")).toBe(0);
});

test("counters of a large place are those of the last night", async () => {
  await stage.sql(`INSERT INTO media (id, userId, type, file, createdAt)
    WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 20000)
    SELECT 'many' || printf('%011d', n), '${stage.ann.id}', 'photo', 'x.jpg',
      '2026-01-01 00:00:00.000Z' FROM i`);
  expect(await found("counters")).toMatchObject({ code: "counters_later", level: "look" });
  await raised(`UPDATE users SET following = 2 WHERE id = '${stage.bob.id}'`);
  await run("keepNightlyHealth");
  const last = async () => (await found("counters")).code;
  await expect.poll(last).toBe("counters_wrong");
  await raised(`UPDATE users SET following = 0 WHERE id = '${stage.bob.id}'`);
  expect(await last()).toBe("counters_wrong");
});
