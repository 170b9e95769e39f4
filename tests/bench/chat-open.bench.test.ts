/** Opening a conversation: its newest 50 messages out of the replica, whether it has 100 or 10,000. */
import { openLastingProfile, type Profile } from "@tests/support/browser";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import { afterAll, beforeAll, expect, test } from "vitest";

const SOURCE = `
import { foldMessages, messagesQuery } from "@/data/chat/messages";
import { messageRow } from "@/data/chat/row";
import { readOverlay } from "@/data/engine/overlay";
import { openReplica } from "@/data/engine/store";
import { NOUNS } from "@/data/nouns";

const id = (i: number) => i.toString(36).padStart(15, "0");
const chats = { small: id(1) + "_" + id(2), large: id(1) + "_" + id(3) };
const row = (conversationId: string, i: number) => messageRow({
  id: id(i), conversationId, senderId: id(1), recipientId: id(2), type: "text",
  message: "Message number " + i + ", of the length that people write", timestamp: 1.7e9 + i, ord: i, seq: i,
});
const overlay = readOverlay(NOUNS, [], { offline: false, needsLogin: false, progress: new Map() });
const context = { me: id(1), overlay, address: (path: string) => path, blobUrl: () => "" };
let replica: Awaited<ReturnType<typeof openReplica>>;

async function fill(conversationId: string, first: number, count: number) {
  for (let from = 0; from < count; from += 1000) {
    const size = Math.min(1000, count - from);
    const rows = Array.from({ length: size }, (_, i) => row(conversationId, first + from + i));
    await replica.messages.bulkInsert(rows as never);
  }
}

async function open(conversationId: string, round: number) {
  // Another deepest key each time: RxDB answers a query that it knows from memory.
  const query = messagesQuery({ conversationId, deepest: 9_999_999_999_999 - (round % 50), limit: 50 });
  const start = performance.now();
  const docs = await replica.messages.find(query).exec();
  const rows = docs.map((doc) => doc.toJSON());
  const page = foldMessages(conversationId, { rows: rows as never, hasOlder: true }, context);
  if (page.items.length !== 50) throw new Error("the chat has " + page.items.length);
  return performance.now() - start;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

Object.assign(window, {
  bench: async () => {
    replica = await openReplica(NOUNS, { indexedDB, IDBKeyRange, name: "bench" } as never, null, false);
    await fill(chats.small, 100, 100);
    await fill(chats.large, 1000, 10_000);
    const times = { small: [] as number[], large: [] as number[] };
    for (let i = 0; i < 60; i++) {
      for (const name of ["small", "large"] as const) {
        const took = await open(chats[name], i);
        if (i >= 10) times[name].push(took);
      }
    }
    return { small: median(times.small), large: median(times.large) };
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

test("the newest 50 of 10,000 messages take at most twice as long as of 100", async () => {
  await browser.page.goto(site.url);
  await browser.page.waitForFunction(() => document.title === "ready");
  const { small, large } = await browser.page.evaluate(() =>
    (window as unknown as { bench: () => Promise<{ small: number; large: number }> }).bench(),
  );
  const ratio = large / small;
  process.stdout.write(
    `chat of 100: ${small.toFixed(2)} ms, of 10,000: ${large.toFixed(2)} ms, ratio ${ratio.toFixed(2)} (<= 2)\n`,
  );
  expect(ratio).toBeLessThanOrEqual(2);
});
