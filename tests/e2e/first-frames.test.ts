/**
 * The frame of a route: it stands before any script of the app, shows what the app then shows, where
 * the app shows it, and only to the person who saw it.
 */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { setFullStage } from "@tests/support/every-screen";
import type { SignedIn } from "@tests/support/pocketbase";
import { byTurns } from "@tests/support/thorough";
import { untilControlled } from "@tests/support/until-controlled";
import { shiftsOf, watchShifts } from "@tests/support/watch-shifts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";

const PREFIX = "augenblick.frame.";
const SIZES = [
  { width: 390, height: 844, turn: 0 },
  { width: 1280, height: 800, turn: 1 },
];
/** Public ones last. */
let paths: string[];
let stage: AdminStage;

beforeAll(async () => {
  stage = await setAdminStage();
  const drawer = await openProfile();
  const { mediaId, chatId } = await setFullStage(stage, drawer);
  await stage.change("media", mediaId, { width: 800, height: 600 }, stage.superuser);
  await drawer.close();
  const view = `/view/evening-light-over-the-old-harbour-${mediaId}`;
  paths = ["/chat", `/chat/${chatId}`, "/profile", "/outbox", "/user/ben", view, "/terms", "/"];
});
afterAll(() => stage?.app.stop());

/** The app's own program does not start before it is let. */
const HOLD = `
  let start;
  const let_ = Promise.withResolvers();
  window.letStart = let_.resolve;
  Object.defineProperty(window, "startProgram", {
    get: () => () => let_.promise.then(start),
    set: (given) => { start = given; },
  });`;

async function enter(options: Parameters<typeof openProfile>[0], who: SignedIn): Promise<Profile> {
  const profile = await openProfile({ frames: true, ...options });
  await new LoginPage(profile.page).enter(stage.app.url, who);
  return profile;
}

/** Opens it, and waits until what it shows is put away. */
async function see(page: Page, path: string): Promise<void> {
  await page.evaluate((key) => localStorage.removeItem(key), PREFIX + path);
  await page.goto(stage.app.url + path);
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, PREFIX + path);
}

/** Every text in the window beneath `selector`, with its place. */
const textsIn = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate((where) => {
    const place = document.querySelector(where) as Element;
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode() !== null) {
      const text = walker.currentNode as Text;
      const around = text.parentElement as HTMLElement;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, top, bottom, width } = range.getBoundingClientRect();
      const isSaid = around.closest(".sr-only") !== null || around.tagName === "OPTION";
      const inWindow = bottom > 0 && top < innerHeight && width > 0;
      if (isSaid || !inWindow || text.data.trim() === "") continue;
      if (!around.checkVisibility({ visibilityProperty: true })) continue;
      found.push(`${text.data} at ${Math.round(left)}, ${Math.round(top)}`);
    }
    return found;
  }, selector);

/** What the frame shows, then what the app does, and what has moved until then. */
async function compare(page: Page, path: string): Promise<void> {
  await page.goto(stage.app.url + path);
  await page.waitForFunction(() => document.getElementById("first-frame") !== null);
  const drawn = await textsIn(page, "#first-frame");
  // Two of each text are never read aloud, and never none.
  await page.evaluate(() => {
    const read = new Set<number>();
    Object.assign(window, { read });
    const look = () => {
      const places = [...document.querySelectorAll("#first-frame, #root")];
      read.add(places.filter((one) => one.ariaHidden !== "true").length);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    look();
  });
  await page.evaluate(() => (window as never as { letStart: () => void }).letStart());
  await page.waitForFunction(
    () =>
      document.querySelector('#first-frame, #main [data-source="snapshot"]') === null &&
      document.querySelector("#main > *"),
  );
  expect(drawn.length, path).toBeGreaterThan(3);
  const read = () => page.evaluate(() => [...(window as never as { read: Set<number> }).read]);
  expect(await read(), path).toEqual([1]);
  // What is asked at each start: whether there is a connection, for whose mark the name makes room
  // on a phone, and how full the device is.
  const lasting = (texts: string[]) =>
    texts.filter((text) => !/^(?:Offline|Augenblick) at|browser|[kM]B (?:at|of)/.test(text));
  expect(lasting(await textsIn(page, "#root")), path).toEqual(lasting(drawn));
  expect(await shiftsOf(page), path).toEqual([]);
}

test.each(SIZES)(
  "routes begin with what they then show, with and without a network, at $width × $height",
  async ({ turn, ...viewport }) => {
    const profile = await enter({ viewport }, stage.admin);
    const { page } = profile;
    await untilControlled(page);
    const seen = byTurns(paths, turn, SIZES.length);
    // What is unread, and what is fetched when a page is first opened, is seen once before.
    for (const path of seen) await see(page, path);
    for (const path of seen) await see(page, path);
    await watchShifts(page);
    await page.addInitScript(HOLD);
    for (const path of seen) await compare(page, path);
    await stage.app.stop();
    // The queue's page says, above all that it shows, that there is no connection: it begins so
    // where the browser knows that.
    try {
      for (const path of seen.filter((one) => one !== "/outbox")) await compare(page, path);
      await profile.context.setOffline(true);
      const free = await profile.context.newPage();
      await free.goto(stage.app.url);
      await see(free, "/outbox");
      await free.close();
      await compare(page, "/outbox");
      expect(await textsIn(page, "#main")).toContainEqual(
        expect.stringMatching(/^What you do now is saved on this device/),
      );
      await profile.context.setOffline(false);
      expect(await isDrawn(page, "/outbox")).toBe(false);
    } finally {
      await stage.app.restart();
    }
    await profile.close();
  },
);

/** Whether a start at `path` begins with a frame. */
async function isDrawn(page: Page, path: string): Promise<boolean> {
  await page.goto(stage.app.url + path);
  return page.evaluate(() => document.getElementById("first-frame") !== null);
}

test("a frame is nobody else's, and goes with the session", async () => {
  const profile = await enter({}, stage.admin);
  const { page } = profile;
  for (const path of paths) await see(page, path);
  await page.addInitScript(HOLD);
  const session = (id: string) =>
    page.evaluate((other) => {
      const key = "augenblick.session";
      const stored = JSON.parse(localStorage.getItem(key) ?? "null");
      stored.user.id = other;
      localStorage.setItem(key, JSON.stringify(stored));
    }, id);
  await session(stage.ann.id);
  for (const path of paths) expect(await isDrawn(page, path), path).toBe(false);
  await session(stage.admin.id);
  for (const path of paths) expect(await isDrawn(page, path), path).toBe(true);
  // Two of each text are never read aloud, and never none.
  await page.evaluate(() => {
    const read = new Set<number>();
    Object.assign(window, { read });
    const look = () => {
      const places = [...document.querySelectorAll("#first-frame, #root")];
      read.add(places.filter((one) => one.ariaHidden !== "true").length);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    look();
  });
  await page.evaluate(() => (window as never as { letStart: () => void }).letStart());
  await page.waitForFunction(() => document.getElementById("first-frame") === null);
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
  for (const path of paths) {
    const kept = await page.evaluate((key) => localStorage.getItem(key), PREFIX + path);
    expect(JSON.parse(kept ?? '{"userId":""}').userId, path).toBe("");
  }
  await profile.close();
});

test("a frame draws nothing that could run or fetch from elsewhere, and none that does not fit", async () => {
  const profile = await enter({}, stage.admin);
  const { page } = profile;
  await see(page, "/profile");
  const put = (change: string) =>
    page.evaluate((code) => {
      const key = "augenblick.frame./profile";
      const frame = JSON.parse(localStorage.getItem(key) ?? "null");
      new Function("frame", code)(frame);
      localStorage.setItem(key, JSON.stringify(frame));
    }, change);
  await page.addInitScript(HOLD);
  // From here on no app runs, which would keep a frame of its own over the changed one.
  await page.goto(`${stage.app.url}/profile`);
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  const parts = [
    ["script", {}, "window.ran = true"],
    ["iframe", { srcdoc: "x" }],
    ["a", { href: "javascript:alert(1)", onclick: "window.ran = true" }, "one"],
    ["a", { href: "//elsewhere.example/" }, "two"],
    ["img", { src: "https://elsewhere.example/x.png", onerror: "window.ran = true" }],
    ["img", { src: "/api/files/messages/x/y.jpg?token=z" }],
    ["form", { action: "https://elsewhere.example/" }, "three"],
    // A copy of a drawing that is not there.
    99,
  ];
  await put(`frame.root.push(...${JSON.stringify(parts)})`);
  await page.goto(`${stage.app.url}/profile`);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  const left = await page.locator("#first-frame").evaluate((frame) => ({
    parts: [...frame.children].slice(1).map((one) => one.outerHTML),
    scripts: frame.querySelectorAll("script, iframe").length,
  }));
  expect(left).toEqual({
    parts: ["<a>one</a>", "<a>two</a>", "<img>", "<img>", "<form>three</form>"],
    scripts: 0,
  });
  expect(fetched.filter((url) => !url.startsWith(stage.app.url) || /messages/.test(url))).toEqual(
    [],
  );
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  await put("frame.root.splice(1)");
  for (const [change, back] of [
    ["frame.width += 1", "frame.width -= 1"],
    ["frame.dark = !frame.dark", "frame.dark = !frame.dark"],
    ["frame.version = 1", "frame.version = 2"],
    ["frame.root = null", "frame.root = []"],
  ] as const) {
    await put(change);
    expect(await isDrawn(page, "/profile"), change).toBe(false);
    await put(back);
    expect(await isDrawn(page, "/profile"), back).toBe(true);
  }
  await profile.close();
});
