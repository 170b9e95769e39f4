import { media } from "@tests/unit/data/engine/rows";
import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test, vi } from "vitest";
import { createSearchIndex } from "@/data/media/search-index";

const ROWS = 450;
const idOf = (i: number) => `m${String(i).padStart(14, "0")}`;

test("everything is read in portions, of which none reads more than its own rows", async () => {
  const { replica } = await openTestReplica();
  const rows = Array.from({ length: ROWS }, (_, i) => media(idOf(i), { caption: `Number ${i}` }));
  await replica.media.bulkInsert(rows);
  const query = vi.spyOn(replica.media.storageInstance, "query");
  const pause = vi.fn(async () => {});
  const index = createSearchIndex(replica, pause);
  await index.load();
  expect(index.media().map(({ id }) => id)).toHaveLength(ROWS);
  expect(index.version$.value.whole).toBe(true);
  expect(pause).toHaveBeenCalledTimes(4);
  expect(query).toHaveBeenCalledTimes(5);
  for (const [{ queryPlan }] of query.mock.calls) {
    expect(queryPlan).toMatchObject({ sortSatisfiedByIndex: true, selectorSatisfiedByIndex: true });
  }
});

test("what could not be read is read when it is next asked for", async () => {
  const { replica } = await openTestReplica();
  await replica.media.bulkInsert([media(idOf(1), { caption: "Only one" })]);
  const index = createSearchIndex(replica, async () => {});
  vi.spyOn(replica.profiles, "find").mockImplementationOnce(() => {
    throw new Error("closed");
  });
  await expect(index.load()).rejects.toThrow("closed");
  expect(index.version$.value.whole).toBe(false);
  await index.load();
  expect(index.version$.value.whole).toBe(true);
  expect(index.media()).toHaveLength(1);
});
