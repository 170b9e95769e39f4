/**
 * How soon each route stands, with the CPU slowed four times, as ratios to a page of one line that
 * is visited by turns with it: on a first visit, on a second one, with the service worker stopped
 * before it, and without a network. The community is the demo's, with its own pictures. The browser
 * slows the page's own thread alone: the service worker runs at full speed.
 */
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { findChromium } from "@scripts/browsers.mjs";
import { inRoot } from "@scripts/checkout.mjs";
import { GalleryPage } from "@tests/e2e/pages/gallery-page";
import { LoginPage } from "@tests/e2e/pages/login-page";
import {
  type App,
  CHROMIUM_FLAGS,
  openLastingProfile,
  type Profile,
  startApp,
} from "@tests/support/browser";
import { freePort, temporaryFolder } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROUNDS = 9;
const NO_NETWORK = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };

let app: App;
let reader: Profile;
let line: Server;
let lineUrl = "";
/** The gallery's first frame as a page of its own: no script, no worker, nothing to be looked up. */
let plainFrame = "";
let places: Place[] = [];

/** A route, and what of it the snapshot and the app both show. */
interface Place {
  path: string;
  words: string;
}

/**
 * Notes when the words stood, and when a card with its picture did: right after that frame. It says
 * in the console when all that is waited for was seen, because a driver that asks takes its time
 * from the page.
 */
const watching = (until: readonly (keyof Seen)[], words: string) => `
  const words = ${JSON.stringify(words)};
  const until = ${JSON.stringify(until)};
  window.seen = { words: 0, card: 0, paint: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === "first-contentful-paint") window.seen.paint = entry.startTime;
    if (until.every((name) => window.seen[name] > 0)) console.log("all seen");
  }).observe({ type: "paint", buffered: true });
  const after = new MessageChannel();
  const found = [];
  after.port1.onmessage = () => {
    for (const name of found.splice(0)) window.seen[name] ||= performance.now();
    if (until.every((name) => window.seen[name] > 0)) console.log("all seen");
  };
  const look = () => {
    const stand = words !== "" && document.body?.textContent.includes(words);
    if (stand && window.seen.words === 0) found.push("words");
    const shown = [...document.querySelectorAll(".shell-card img")].some((one) => one.complete && one.naturalWidth > 0);
    if (shown && window.seen.card === 0) found.push("card");
    if (found.length > 0) after.port2.postMessage(0);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

interface Seen {
  paint: number;
  words: number;
  card: number;
}

async function visit(
  context: BrowserContext,
  url: string,
  { until, words = "", offline }: Pick<Row, "until" | "words" | "offline">,
): Promise<Seen> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  // Not by the driver, which also tells the worker that is stopped, and waits for its answer.
  if (offline) await devtools.send("Network.emulateNetworkConditions", NO_NETWORK);
  await page.addInitScript(watching(until, words));
  const all = page.waitForEvent("console", (said) => said.text() === "all seen");
  await devtools.send("Page.navigate", { url });
  await all;
  const seen = await page.evaluate(() => (window as never as { seen: Seen }).seen);
  await page.close();
  return seen;
}

/** As a phone does after half a minute without the app. */
async function stopWorker({ context, page }: Profile): Promise<void> {
  const devtools = await context.newCDPSession(page);
  const versions = new Map<string, string>();
  const stopped = new Promise<void>((resolve) => {
    devtools.on("ServiceWorker.workerVersionUpdated", (event) => {
      for (const one of event.versions) versions.set(one.versionId, one.runningStatus);
      if ([...versions.values()].every((status) => status === "stopped")) resolve();
    });
  });
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await stopped;
  await devtools.detach();
}

async function startDemo(): Promise<{ email: string; password: string }> {
  const dataDir = path.join(temporaryFolder(), "pb_data");
  const env = { ...process.env, PORT: String(await freePort()), DATA_DIR: dataDir };
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [inRoot("scripts/demo.mjs")], { env });
  const [, email = "", password = ""] = /demo account\s+(\S+)\s+(\S+)/.exec(stdout) ?? [];
  app = await startApp({ dataDir });
  return { email, password };
}

/** Opens `path` and leaves it when all of it stands and the app has had time to note what it shows. */
async function see(page: Page, path: string, words: string): Promise<void> {
  await page.goto(`${app.url}${path}`);
  await page.locator("main").getByText(words).first().waitFor();
  await page.waitForFunction((key) => {
    const frame = localStorage.getItem(`augenblick.frame.${key}`);
    return frame !== null && document.getElementById("first-frame") === null;
  }, path);
}

/** Signs in, and visits every route once. */
async function settleIn(who: { email: string; password: string }): Promise<Place[]> {
  const { page } = reader;
  const login = new LoginPage(page);
  await login.enter(app.url, who);
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await untilControlled(page);
  const card = page.locator("li[data-media-id]", { has: page.locator("img") }).first();
  const title = (await card.locator(".shell-title").textContent()) ?? "";
  const view = (await card.locator("a.shell-open").getAttribute("href")) ?? "";
  const owner = (await card.locator(".shell-owner").textContent()) ?? "";
  await page.goto(`${app.url}/chat`);
  const chat = page.locator('[data-testid="chat-list"] a').first();
  const chatPath = (await chat.getAttribute("href")) ?? "";
  const partner = (await chat.innerText()).split("\n").find((text) => text.length > 2) ?? "";
  await page.goto(`${app.url}${chatPath}`);
  const last = page.locator('[data-testid="message-list"] li').last();
  await last.waitFor();
  const message = ((await last.textContent()) ?? "").slice(0, 18);
  await page.goto(`${app.url}${view}`);
  const comment = page.getByTestId("comment-text");
  await comment.waitFor();
  return [
    { path: "/", words: title },
    { path: "/chat", words: partner },
    { path: chatPath, words: message },
    { path: "/profile", words: "Try everything" },
    { path: `/user/${owner}`, words: owner },
    { path: view, words: title },
  ];
}

beforeAll(async () => {
  const who = await startDemo();
  line = createServer(({ url }, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(
      url === "/frame"
        ? plainFrame
        : "<!doctype html><title>One line</title><p>One line of text.</p>",
    );
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  lineUrl = `http://127.0.0.1:${(line.address() as AddressInfo).port}/`;
  reader = await openLastingProfile({ ...PHONE, frames: true });
  places = await settleIn(who);
});

afterAll(async () => {
  line?.close();
  await reader?.close();
  await app?.stop();
});

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const at = (values: readonly number[], part: number): number =>
  sorted(values)[Math.round((values.length - 1) * part)] ?? Number.NaN;

/** The ratio of each visit to that of the line beside it: the middle one, and where half of them lie. */
function say(what: string, seen: number[], lines: number[], most = Number.POSITIVE_INFINITY) {
  const ratios = seen.map((time, i) => time / (lines[i] ?? Number.NaN));
  const [low, middle, high] = [at(ratios, 0.25), at(ratios, 0.5), at(ratios, 0.75)];
  const spread = `${low.toFixed(2)}–${high.toFixed(2)}`;
  process.stdout.write(
    `instant, CPU / 4, ${what}: ${middle.toFixed(2)} times a page of one line (${Math.round(at(lines, 0.5))} ms), half between ${spread} (<= ${most})\n`,
  );
  return middle;
}

/** The first frame of the gallery, before any program: its elements and its rules alone. */
async function drawPlainFrame(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  const never = "Object.defineProperty(window, 'startProgram', { get: () => () => {}, set() {} })";
  await page.addInitScript(never);
  await page.goto(app.url);
  const html = await page.evaluate(() => {
    const rules = [...(document.adoptedStyleSheets[0]?.cssRules ?? [])];
    const style = document.createElement("style");
    style.textContent = rules.map(({ cssText }) => cssText).join("");
    document.head.append(style);
    for (const one of document.querySelectorAll("script, link, #root, noscript")) one.remove();
    for (const one of document.querySelectorAll("#first-frame img")) one.removeAttribute("src");
    return `<!doctype html>${document.documentElement.outerHTML}`;
  });
  await page.close();
  expect(html).toContain('id="first-frame"');
  return html;
}

interface Row {
  what: string;
  prepare?: () => Promise<void>;
  /** Without the server alone, the app learns at its first request that it cannot be reached. */
  offline?: true;
  /** Beside the plain frame, which no start of an app can be faster than. */
  beside?: true;
  until: readonly (keyof Seen)[];
  words?: string;
  path?: string;
  most: Partial<Seen>;
}

const NAMES = { paint: "first paint", words: "its content", card: "first card" };

async function measure({
  what,
  prepare,
  offline,
  beside,
  until,
  words,
  path = "/",
  most,
}: Row): Promise<void> {
  const { context } = reader;
  const lines: number[] = [];
  const plain: number[] = [];
  const all: Seen[] = [];
  const asked = { until, ...(words !== undefined && { words }), ...(offline && { offline }) };
  await visit(context, lineUrl, { until: ["paint"] });
  for (let round = 0; round < ROUNDS; round++) {
    lines.push((await visit(context, lineUrl, { until: ["paint"] })).paint);
    if (beside) plain.push((await visit(context, `${lineUrl}frame`, { until: ["paint"] })).paint);
    await prepare?.();
    all.push(await visit(context, `${app.url}${path}`, asked));
  }
  if (beside) say("its frame as a page without scripts", plain, lines);
  for (const name of until) {
    const times = all.map((seen) => seen[name]);
    const limit = most[name] ?? Number.POSITIVE_INFINITY;
    expect.soft(say(`${what}, ${NAMES[name]}`, times, lines, limit)).toBeLessThanOrEqual(limit);
  }
}

test("a first visit", async () => {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: CHROMIUM_FLAGS,
  });
  const lines: number[] = [];
  const all: Seen[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext(PHONE);
    lines.push((await visit(context, lineUrl, { until: ["paint"] })).paint);
    all.push(await visit(context, app.url, { until: ["paint", "card"] }));
    await context.close();
  }
  await browser.close();
  for (const [name, most] of [
    ["paint", 3],
    ["card", 8],
  ] as const) {
    const times = all.map((seen) => seen[name]);
    expect.soft(say(`first visit, ${NAMES[name]}`, times, lines, most)).toBeLessThanOrEqual(most);
  }
});

test("a second visit", async () => {
  const { page } = reader;
  for (const { path, words } of places) await see(page, path, words);
  plainFrame = await drawPlainFrame(reader.context);
  await page.goto("about:blank");
  await measure({
    what: "second visit, worker running",
    until: ["paint", "card"],
    most: { paint: 2, card: 3 },
  });
  await measure({
    what: "second visit, worker stopped",
    prepare: () => stopWorker(reader),
    beside: true,
    until: ["paint", "card"],
    most: { paint: 3, card: 4 },
  });
});

test("a start without a network, with the worker stopped", async () => {
  const { page } = reader;
  await app.stop();
  const view = places.at(-1)?.path ?? "";
  await page.goto(`${app.url}${view}`);
  await page.getByTestId("comment-text").fill("Written without a network");
  await page.getByTestId("send-comment").click();
  await reader.context.setOffline(true);
  await see(page, "/outbox", "Written without");
  await reader.context.setOffline(false);
  await page.goto("about:blank");
  const outbox = { path: "/outbox", words: "Written without" };
  for (const { path, words } of [...places, outbox]) {
    await measure({
      what: `offline, worker stopped, ${path.replace(/[a-z0-9_-]{15,}.*/, "…")}`,
      prepare: () => stopWorker(reader),
      offline: true,
      path,
      words,
      until: ["paint", "words"],
      most: { words: 5 },
    });
  }
});
