import { afterEach, expect, test, vi } from "vitest";
import { answerRange, letGo, load } from "@/sw/answer-media";

// Workbox expects a worker's globals when it is imported.
vi.hoisted(() => {
  vi.stubGlobal("self", globalThis);
  vi.stubGlobal("__WB_DISABLE_DEV_LOGS", true);
  vi.stubGlobal("location", { href: "https://app.example/sw.js" });
});

const ALL = Uint8Array.from({ length: 100 }, (_, i) => i);
const whole = () => new Response(ALL, { headers: { "Content-Type": "video/mp4" } });

test.each([
  ["bytes=0-", 0, 99],
  ["bytes=0-9", 0, 9],
  ["bytes=90-200", 90, 99],
  ["bytes=-10", 90, 99],
  ["bytes=-500", 0, 99],
  ["bytes=99-99", 99, 99],
])("%s of 100 bytes is %i to %i", async (header, first, last) => {
  const part = await answerRange(whole(), header);
  expect([part.status, part.headers.get("Content-Range")]).toEqual([
    206,
    `bytes ${first}-${last}/100`,
  ]);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(ALL.slice(first, last + 1));
});

test.each([
  "bytes=100-",
  "bytes=200-300",
  "bytes=9-3",
  "bytes=-",
  "bytes=-0",
  "lines=0-9",
  "bytes=0-1,5-6",
])("%s of 100 bytes is nothing", async (header) => {
  const part = await answerRange(whole(), header);
  expect([part.status, part.headers.get("Content-Range")]).toEqual([416, "bytes */100"]);
  expect(await part.text()).toBe("");
});

test("a part says which one it is, and keeps the type", async () => {
  const part = await answerRange(whole(), "bytes=1-2");
  expect(part.status).toBe(206);
  expect(Object.fromEntries(part.headers)).toMatchObject({
    "content-type": "video/mp4",
    "content-range": "bytes 1-2/100",
    "content-length": "2",
  });
  expect([...new Uint8Array(await part.arrayBuffer())]).toEqual([1, 2]);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The signal with which `load` asks, and the page's own. */
function signalsOf() {
  const page = new AbortController();
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response());
  void load(new Request("https://app.example/api/files/media/m/a.jpg", { signal: page.signal }));
  return { page, asked: fetched.mock.lastCall?.[1]?.signal };
}

test("what is loaded ends with the page that asked, or when the worker lets go", () => {
  const [first, second] = [signalsOf(), signalsOf()];
  first.page.abort();
  expect([first.asked?.aborted, second.asked?.aborted]).toEqual([true, false]);
  letGo();
  expect(second.asked?.aborted).toBe(true);
  expect(signalsOf().asked?.aborted).toBe(false);
});

test("a browser that cannot join two signals still loads, and ends with the page", () => {
  const { any } = AbortSignal;
  AbortSignal.any = undefined as never;
  const { page, asked } = signalsOf();
  AbortSignal.any = any;
  expect(asked?.aborted).toBe(false);
  page.abort();
  expect(asked?.aborted).toBe(true);
});
