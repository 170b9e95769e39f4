/**
 * Scrolling the gallery's grid with 10,000 cards, in a real browser: the grid and the top bar of the app with its styles, on a page
 * of their own, against a plain page of HTML with the same 10,000 pictures in the same places. The browser itself turns the
 * wheel of both, in the same way.
 */
import { openLastingProfile, type Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import { traceDuring } from "@tests/support/trace-page";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const CARDS = 10_000;
const PICTURES = 50;
const ROUNDS = 5;
const NODES_MAX = 1_500;
const TASK_MAX_MS = 50;
const FRAMES_LEAST = 0.9;
/** Of the gesture, pixels per second and pixels. */
const SPEED = 2_400;
const DISTANCE = 7_200;

const GRID = `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { startTexts } from "@/i18n/setup";
import { TopBar } from "@/app/top-bar";
import { MediaGrid } from "@/features/media/media-grid";
import { mediaRow } from "@/data/media/row";
import { layoutMasonry } from "@/ui/masonry";
import "@/app/first-paint/tokens.css";
import "@/app/first-paint/shell.css";
import "@/app/first-paint/grid.css";
import "@/ui/styles.css";

const WORDS = ["harbour", "evening", "birch", "forest", "winter", "market", "train", "summer", "bridge", "lantern"];
const id = (i) => i.toString(36).padStart(15, "0");
const items = Array.from({ length: ${CARDS} }, (_, i) => {
  const { sortKey, popularKey, seq, ...row } = mediaRow({
    id: id(i), userId: id(i % 40), username: "person" + (i % 40), type: "photo",
    caption: WORDS[i % 10] + " and " + WORDS[(i * 7) % 10] + " number " + i, tags: [WORDS[(i * 3) % 10]],
    file: "a.jpg", width: 900, height: 600 + (i % 7) * 100, likes: i % 40, comments: i % 5, views: i,
    createdAt: new Date(1.7e12 + i * 60_000).toISOString(), seq: i,
  });
  const url = "/" + (i % ${PICTURES}) + ".jpg";
  return { ...row, url, thumbnailUrl: "", previewUrl: url, liked: false, pending: null };
});
startTexts("en");
window.plain = () => {
  const size = { width: Math.min(innerWidth, 1060) - (innerWidth < 768 ? 24 : 48), columns: 2 };
  const boxes = layoutMasonry(items, size);
  const end = Math.max(...boxes.map((box) => box.top + box.height));
  const text = (item) => "<b>" + item.caption + "</b><br>" + item.username;
  return "<!doctype html><meta name=viewport content='width=device-width'><title>plain</title><style>"
    + "*{box-sizing:border-box}body{margin:0;font:14px/1.4 system-ui,sans-serif}header{position:sticky;top:0;z-index:1;height:56px;background:#fff;border-bottom:1px solid #e2e8f0}"
    + "main{position:relative;max-width:" + size.width + "px;margin:10px auto;height:" + end + "px}"
    + "figure{position:absolute;margin:0;overflow:hidden}img{display:block;width:100%;object-fit:cover;border-radius:14px;background:#e8edf4}"
    + "figcaption{padding:8px 2px;white-space:nowrap}</style><header>Augenblick</header><main>"
    + boxes.map((box, i) => "<figure style='left:" + box.left + "px;top:" + box.top + "px;width:" + box.width + "px;height:" + box.height + "px'>"
      + "<img loading=lazy decoding=async alt='' src='" + items[i].url + "' style='height:" + (box.height - 84) + "px'><figcaption>" + text(items[i]) + "</figcaption></figure>").join("")
    + "</main>";
};
const place = document.body.appendChild(document.createElement("div"));
place.className = "shell-page";
createRoot(place).render(createElement(MemoryRouter, null,
  createElement(TopBar),
  createElement("main", { className: "shell-main" }, createElement(MediaGrid, { items, columns: 2 }))));
`;

let profile: Profile;
let site: TestPage;

beforeAll(async () => {
  site = await serveTestPage(GRID);
  profile = await openLastingProfile({ viewport: { width: 390, height: 844 } });
  const { page, context } = profile;
  for (let i = 0; i < PICTURES; i++) {
    site.files[`${i}.jpg`] = new Uint8Array(await drawPhoto(context, i * 7));
  }
  await page.goto(site.url);
  await page.locator("article").first().waitFor();
  const plain = await page.evaluate(() => (window as unknown as { plain(): string }).plain());
  site.files["plain.html"] = new TextEncoder().encode(plain);
});
afterAll(async () => {
  await profile?.close();
  await site?.close();
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Opens it, waits until it has come to rest, and scrolls. */
async function scroll(page: Page, url: string) {
  await page.goto(url);
  await page.locator("img").first().waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const session = await page.context().newCDPSession(page);
  const trace = await traceDuring(page, () =>
    session.send("Input.synthesizeScrollGesture", {
      x: 195,
      y: 600,
      yDistance: -DISTANCE,
      speed: SPEED,
      gestureSourceType: "mouse",
    }),
  );
  await session.detach();
  expect(await page.evaluate(() => window.scrollY)).toBe(DISTANCE);
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  return { ...trace, nodes };
}

test("scrolling 10,000 cards keeps the frames of a plain page, few nodes, and no long task", async () => {
  const { page } = profile;
  const ratios: number[] = [];
  const longest: number[] = [];
  let nodes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await scroll(page, `${site.url}plain.html`);
    const grid = await scroll(page, site.url);
    ratios.push(grid.frames / plain.frames);
    longest.push(grid.tasks[0]?.ms ?? 0);
    nodes = Math.max(nodes, grid.nodes);
  }
  const [ratio, task] = [median(ratios), median(longest)];
  print(
    `scrolling: frames ${ratio.toFixed(2)} of a plain page's (>= ${FRAMES_LEAST}), longest task ${task.toFixed(1)} ms in the middle, ${Math.max(...longest).toFixed(1)} ms at worst (<= ${TASK_MAX_MS}), ${nodes} nodes (<= ${NODES_MAX})`,
  );
  expect(nodes).toBeLessThanOrEqual(NODES_MAX);
  expect(task).toBeLessThanOrEqual(TASK_MAX_MS);
  expect(ratio).toBeGreaterThanOrEqual(FRAMES_LEAST);
});
