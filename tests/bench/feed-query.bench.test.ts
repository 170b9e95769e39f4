/** The gallery's query of 30 rows: it must not care how many media the device holds. */
import { openLastingProfile, type Profile } from "@tests/support/browser";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import { afterAll, beforeAll, expect, test } from "vitest";

const SOURCE = `
import { openReplica } from "@/data/engine/store";
import { mediaRow } from "@/data/media/row";
import { feedQuery } from "@/data/media/windows";
import { NOUNS } from "@/data/nouns";

const id = (i: number) => i.toString(36).padStart(15, "0");
const row = (i: number) => mediaRow({
  id: id(i), userId: id(i % 12), username: "ada", caption: "Picture " + i, type: "photo",
  file: "a.jpg", createdAt: new Date(1.7e12 + i * 60_000).toISOString(), likes: i % 40, seq: i,
});
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function open(count: number) {
  const replica = await openReplica(NOUNS, { indexedDB, IDBKeyRange, name: "bench-" + count } as never, null, false);
  const there = await replica.media.findOne(id(0)).exec();
  for (let from = 0; there === null && from < count; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - from) }, (_, i) => row(from + i));
    await replica.media.bulkInsert(rows as never);
  }
  return replica;
}

Object.assign(window, {
  bench: async (count: number) => {
    const replica = await open(count);
    const times: number[] = [];
    for (let i = 0; i < 60; i++) {
      // A new query each time: RxDB answers one that it knows from memory.
      const hidden = { people: [], media: ["none" + i] };
      const query = feedQuery({ filter: "all", sort: "latest", limit: 30 }, hidden);
      const start = performance.now();
      const docs = await replica.media.find(query).exec();
      times.push(performance.now() - start);
      if (docs.length !== 30) throw new Error("the feed has " + docs.length);
    }
    return median(times.slice(10));
  },
});
document.title = "ready";
`;

let site: TestPage;
let browser: Profile;

beforeAll(async () => {
  site = await serveTestPage(SOURCE);
  browser = await openLastingProfile();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Milliseconds of one query, the median of many. RxDB opens 13 collections in a page at most, so each size has its own. */
async function measure(count: number): Promise<number> {
  await browser.page.goto(site.url);
  await browser.page.waitForFunction(() => document.title === "ready");
  return browser.page.evaluate(
    (size) => (window as unknown as { bench: (size: number) => Promise<number> }).bench(size),
    count,
  );
}

test("30 of 10,000 media cost at most twice 30 of 100", async () => {
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) {
    const small = await measure(100);
    ratios.push((await measure(10_000)) / small);
  }
  const ratio = ratios.sort((a, b) => a - b)[2] ?? Number.NaN;
  process.stdout.write(`feed query, 30 of 10,000 against 30 of 100: ${ratio.toFixed(2)} (<= 2)\n`);
  expect(ratio).toBeLessThanOrEqual(2);
});
