/**
 * The search of the gallery among 10,000 media, in a real browser: the components and the replica of the app on a page of
 * their own.
 */
import { openProfile, type Profile } from "@tests/support/browser";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import { traceDuring } from "@tests/support/trace-page";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const MINUTE = 60_000;
const CARDS = 10_000;
const KEY_TASK_MAX_MS = 16;

const COMMON = `
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { startTexts } from "@/i18n/setup";
import { MediaGrid } from "@/features/media/media-grid";
import { mediaRow } from "@/data/schema/media";
import "@/app/first-paint/tokens.css";
import "@/app/first-paint/shell.css";
import "@/app/first-paint/grid.css";

const WORDS = ["harbour", "evening", "birch", "forest", "winter", "market", "train", "summer", "bridge", "lantern"];
const id = (i) => i.toString(36).padStart(15, "0");
const record = (i) => ({
  id: id(i), userId: id(i % 40), username: "person" + (i % 40), type: i % 10 === 0 ? "video" : "photo",
  caption: WORDS[i % 10] + " and " + WORDS[(i * 7) % 10] + " number " + i, tags: [WORDS[(i * 3) % 10]],
  file: "/picture.svg?" + (i % 50), width: 900, height: 600 + (i % 7) * 100, likes: i % 40, comments: i % 5, views: i,
  createdAt: new Date(1.7e12 + i * 60_000).toISOString(), seq: i,
});
const view = (i) => {
  const { sortKey, popularKey, seq, ...row } = mediaRow(record(i));
  return { ...row, thumbnailUrl: "", previewUrl: row.url, liked: false, pending: null };
};
startTexts("en");
const place = document.body.appendChild(document.createElement("div"));
`;

const SEARCHING = `${COMMON}
import { openReplica } from "@/data/replica/open-replica";
import { createSearchIndex } from "@/data/search/search-index";
import { findMedia } from "@/data/search/find-matches";
import { searchTerms } from "@/domain/search-terms";

const pause = () => new Promise((resolve) => setTimeout(resolve));
Object.assign(window, {
  prepare: async () => {
    const replica = await openReplica({ indexedDB, IDBKeyRange, name: "search" }, null, false);
    for (let from = 0; from < ${CARDS}; from += 500)
      await replica.media.bulkInsert(Array.from({ length: 500 }, (_, i) => mediaRow(record(from + i))));
    window.index = createSearchIndex(replica, pause);
    window.views = new Map(Array.from({ length: ${CARDS} }, (_, i) => [id(i), view(i)]));
  },
  load: () => window.index.load(),
  mount: () => {
    const none = new Set();
    function Results() {
      const [text, setText] = useState("");
      window.type = setText;
      const match = { terms: searchTerms(text), filter: "all", found: none, hiddenPeople: none, hiddenMedia: none };
      const ids = text === "" ? [] : findMedia(window.index.media(), match);
      window.count = ids.length;
      const items = ids.slice(0, 30).map((one) => window.views.get(one));
      return createElement(MediaGrid, { items, columns: 2 });
    }
    createRoot(place).render(createElement(MemoryRouter, null, createElement(Results)));
  },
});
document.title = "ready";
`;

let profile: Profile;
const pages: TestPage[] = [];
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="#7a9"/></svg>`;

beforeAll(async () => {
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
}, MINUTE);
afterAll(async () => {
  await profile?.close();
  await Promise.all(pages.map((page) => page.close()));
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function open(source: string): Promise<Page> {
  const site = await serveTestPage(source);
  pages.push(site);
  const { page } = profile;
  await page.route("**/picture.svg*", (route) =>
    route.fulfill({ body: PICTURE, contentType: "image/svg+xml" }),
  );
  await page.goto(site.url);
  await page.waitForFunction(() => document.title === "ready");
  return page;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions that the page put on its window.
const call = (page: Page, name: string, ...args: unknown[]): Promise<any> =>
  page.evaluate(
    ([fn, values]) =>
      (window as unknown as Record<string, (...all: unknown[]) => unknown>)[fn]?.(...values),
    [name, args] as const,
  );

test(
  "a key in the search among 10,000 media costs no task over 16 ms",
  async () => {
    const page = await open(SEARCHING);
    await call(page, "prepare");
    const loading = (await traceDuring(page, () => call(page, "load"))).tasks;
    await call(page, "mount");
    const longest: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (const text of ["h", "har", "harbour 99", "zzz", ""]) {
        const { tasks } = await traceDuring(page, async () => {
          await call(page, "type", text);
          await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
        });
        if (round > 0) longest.push(tasks[0] ?? 0);
      }
    }
    const key = median(longest);
    print(
      `search among 10,000: longest task of a key ${key.toFixed(1)} ms in the middle, ${Math.max(...longest).toFixed(1)} ms at worst (<= ${KEY_TASK_MAX_MS}); reading the index ${(loading[0] ?? 0).toFixed(1)} ms`,
    );
    expect(key).toBeLessThanOrEqual(KEY_TASK_MAX_MS);
  },
  6 * MINUTE,
);
