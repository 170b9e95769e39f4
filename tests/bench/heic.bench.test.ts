/** A phone's HEIC of 12 megapixels, from the choice to all that is sent, while the page answers. */
import { readFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import { openLastingProfile, type Profile } from "@tests/support/browser";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import { afterAll, beforeAll, expect, test } from "vitest";

const RUNS = 7;

const SOURCE = `
import { prepareMedia } from "@/data/files/prepare";

const tasks: number[] = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask" });

Object.assign(window, {
  async run() {
    const photo = new File([await (await fetch("/photo")).blob()], "photo.heic");
    await new Promise((resolve) => requestIdleCallback(resolve));
    tasks.length = 0;
    const start = performance.now();
    const made = await prepareMedia(photo);
    const ms = performance.now() - start;
    if (!made.success || made.value.preview === null || made.value.thumbhash === "") throw new Error("not made");
    // Entries arrive with the next task.
    await new Promise((resolve) => setTimeout(resolve));
    const { width, height, file } = made.value;
    return { ms, longest: Math.max(0, ...tasks), width, height, size: file.size };
  },
});
document.title = "ready";
`;

interface Run {
  ms: number;
  longest: number;
  width: number;
  height: number;
  size: number;
}

let site: TestPage;
let browser: Profile;

beforeAll(async () => {
  site = await serveTestPage(SOURCE);
  site.files["photo"] = await readFile(inRoot("tests/files/twelve-megapixels.heic"));
  browser = await openLastingProfile();
  await browser.page.goto(site.url);
  await browser.page.waitForFunction(() => document.title === "ready");
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test("a HEIC of 12 megapixels is ready within 2.5 seconds, off the main thread", async () => {
  const runs: Run[] = [];
  for (let i = 0; i < RUNS; i++) runs.push(await browser.page.evaluate<Run>("run()"));
  const times = runs.map(({ ms }) => ms);
  const longest = Math.max(...runs.map((one) => one.longest));
  process.stdout.write(
    `heic: first ${times[0]?.toFixed(0)} ms, fastest ${Math.min(...times).toFixed(0)} ms, longest task ${longest.toFixed(0)} ms\n`,
  );
  for (const { width, height, size } of runs) {
    expect([width, height]).toEqual([3024, 4032]);
    expect(size).toBeLessThanOrEqual(5 * 1_048_576);
  }
  // The fastest run is the one that the machine disturbed least.
  expect(Math.min(...times)).toBeLessThanOrEqual(2_500);
  expect(longest).toBeLessThanOrEqual(50);
});
