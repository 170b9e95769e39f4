/**
 * The panel on a large place: 100,000 accounts, 1,000,000 media and 1,000,000 messages, beside a place of a hundredth of that.
 * Statistics and the first page of each tab against the record API's read of one row by its id, on the same server and at
 * the same time; and each against itself on the small place.
 */
import { openPlace, type Place } from "@tests/support/large-place";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROUNDS = 41;

const places: Place[] = [];
beforeAll(async () => {
  for (const users of [1_000, 100_000]) places.push(await openPlace(users, users * 10));
}, 1_800_000);
afterAll(async () => {
  for (const { server } of places) await server.stop();
});

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
