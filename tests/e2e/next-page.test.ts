/** The way from a card to its page and back: what the first frame shows, how the picture moves, and where it must not. */
import { type App, type Profile, startApp } from "@tests/support/browser";
import { growCommunity, mediumId } from "@tests/support/grown-community";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openAsAda } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";

const MEDIA = 60;
const FRAME = "augenblick.frame./";
let app: App;
let profile: Profile;

/** One way that a picture has gone. */
interface Way {
  /** Elements with a name before and after the pages changed, and once all was over. */
  from: string[];
  into: string[];
  after: string[] | null;
  /** Pseudo-elements that moved. */
  moved: string[];
  /** What stood on the page as the browser took its first picture of it. */
  skeletons: number;
  decoded: string[];
  scrollY: number;
}

/** Notes every view transition of the page, and whether a medium's skeleton was ever in it. */
const WATCH = `
  window.ways = [];
  window.skeletons = 0;
  const SKELETON = '[data-testid="media-loading"], [data-testid="gallery-loading"]';
  const named = () => [...document.querySelectorAll("[style*=view-transition-name]")].map(
    ({ dataset, style }) => style.viewTransitionName + " " + (dataset.picture ?? dataset.stage ?? ""));
  const start = Document.prototype.startViewTransition;
  if (start) Document.prototype.startViewTransition = function (update) {
    const way = { from: named(), into: [], after: null, moved: [] };
    window.ways.push(way);
    const transition = start.call(this, async () => {
      await update();
      const pictures = [...document.querySelectorAll("[data-stage] img, [data-picture] img")];
      way.into = named();
      way.skeletons = document.querySelectorAll(SKELETON).length;
      way.decoded = pictures.filter((one) => one.complete && one.naturalWidth > 100).map((one) => new URL(one.src).pathname);
      way.scrollY = scrollY;
    });
    transition.ready.then(() => {
      way.moved = document.getAnimations().map(({ effect }) => effect?.pseudoElement ?? "");
    });
    transition.finished.then(() => requestAnimationFrame(() => { way.after = named(); }));
    return transition;
  };
  new MutationObserver(() => {
    if (document.querySelector('[data-testid="media-loading"]') !== null) window.skeletons += 1;
  }).observe(document, { subtree: true, childList: true });`;

interface Watched {
  ways: Way[];
  skeletons: number;
}
const watched = (page: Page): Promise<Watched> =>
  page.evaluate(() => {
    const { ways, skeletons } = window as never as Watched;
    return { ways, skeletons };
  });

/** The way with that number, from 1, once it is over. */
async function way(page: Page, number: number): Promise<Way> {
  const found = await page.waitForFunction((wanted) => {
    const one = (window as never as Watched).ways[wanted - 1];
    return one?.after ? one : null;
  }, number);
  return (await found.jsonValue()) as Way;
}

/** Until the code of the near pages has been read, the last of which is the upload form. */
const untilNear = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("upload-route")),
  );

beforeAll(async () => {
  app = await startApp();
  profile = await openAsAda(app);
  const { page, context } = profile;
  await growCommunity(app, context, "ada.l", { media: MEDIA, chats: 3, messagesPerChat: 2 });
  await untilControlled(page);
  await context.addInitScript(WATCH);
});
afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

let gallery: GalleryPage;
let media: MediaPage;
beforeEach(async () => {
  await profile.page.emulateMedia({ reducedMotion: "no-preference" });
  gallery = new GalleryPage(profile.page);
  media = new MediaPage(profile.page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await gallery.cardById(mediumId(0)).waitFor();
  await untilNear(profile.page);
});

const open = (i: number) => gallery.cardById(mediumId(i)).getByTestId("open-media").click();

test("a card's picture grows into its page's, whose first frame shows it, and shrinks back to where the list was", async () => {
  const { page } = profile;
  await gallery.cardById(mediumId(9)).scrollIntoViewIfNeeded();
  await page.locator(`[data-picture="${mediumId(9)}"] img[src*="p.jpg"]`).waitFor();
  const top = await page.evaluate(() => window.scrollY);
  expect(top).toBeGreaterThan(0);
  await open(9);
  const forth = await way(page, 1);
  expect(forth.from).toContain(`picture ${mediumId(9)}`);
  expect(forth.into.filter((one) => one.startsWith("picture"))).toEqual([`picture ${mediumId(9)}`]);
  expect(forth.moved).toContain("::view-transition-group(picture)");
  expect(forth.skeletons).toBe(0);
  expect(forth.scrollY).toBe(0);
  expect(forth.decoded).toContainEqual(expect.stringContaining(`${mediumId(9)}/p.jpg`));
  expect(forth.after).toEqual([]);
  await media.shows(mediumId(9));
  await media.back.click();
  const back = await way(page, 2);
  expect(back.into).toContain(`picture ${mediumId(9)}`);
  expect(back.moved).toContain("::view-transition-group(picture)");
  expect(back.skeletons).toBe(0);
  expect(back.scrollY).toBe(top);
  expect(back.decoded).toContainEqual(expect.stringContaining(`${mediumId(9)}/p.jpg`));
  expect(back.after).toEqual([]);
  expect((await watched(page)).skeletons).toBe(0);
});

test("what is tapped while a picture grows is answered, and leaves no name behind", async () => {
  const { page } = profile;
  await open(2);
  await page.waitForFunction(() => (window as never as Watched).ways[0]?.moved.length);
  await media.back.click();
  await gallery.grid.waitFor();
  await page.waitForFunction(() =>
    (window as never as Watched).ways.every(({ after }) => after !== null),
  );
  const { ways } = await watched(page);
  expect(ways).toHaveLength(2);
  expect(ways[1]?.after).toEqual([]);
  await open(3);
  await media.shows(mediumId(3));
});

test("a tap on the bar while a picture grows leads where it says", async () => {
  const { page } = profile;
  const chats = await page.getByTestId("chats-button").boundingBox();
  if (chats === null) throw new Error("no link to the chats");
  await open(2);
  await page.waitForFunction(() => (window as never as Watched).ways[0]?.moved.length);
  await page.mouse.click(chats.x + chats.width / 2, chats.y + chats.height / 2);
  await page.getByTestId("chat-list").waitFor();
  expect(new URL(page.url()).pathname).toBe("/chat");
});

test("with less motion the pages just change, and still without a skeleton", async () => {
  const { page } = profile;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(1);
  await media.shows(mediumId(1));
  await media.back.click();
  await gallery.grid.waitFor();
  expect(await watched(page)).toEqual({ ways: [], skeletons: 0 });
});

test("a browser without view transitions just changes the pages", async () => {
  const { page } = profile;
  await page.evaluate(() => Reflect.deleteProperty(Document.prototype, "startViewTransition"));
  await open(1);
  await media.shows(mediumId(1));
  await media.back.click();
  await gallery.grid.waitFor();
  expect((await watched(page)).skeletons).toBe(0);
});

test("from chats to the profile nothing moves, and the code of each is there before the tap", async () => {
  const { page } = profile;
  const files = () =>
    page.evaluate(() => performance.getEntriesByType("resource").map((one) => one.name));
  // The page that is read ahead last, with its texts.
  for (const last of ["/notifications-route-", "/news-"])
    await expect.poll(async () => (await files()).some((name) => name.includes(last))).toBe(true);
  const before = (await files()).filter((name) => name.endsWith(".js"));
  await page.getByTestId("chats-button").click();
  await page.getByTestId("chat-list").waitFor();
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("to-profile").click();
  await page.getByTestId("own-profile").waitFor();
  const after = (await files()).filter((name) => name.endsWith(".js"));
  expect(after).toEqual(before);
  expect((await watched(page)).ways).toEqual([]);
});

test("media that were opened and left leave nothing in the page", async () => {
  const { page, context } = profile;
  const devtools = await context.newCDPSession(page);
  const standing = () =>
    page.evaluate(() => {
      const walker = document.createTreeWalker(document);
      let count = 1;
      while (walker.nextNode() !== null) count++;
      return count;
    });
  /** Nodes that are kept and stand nowhere in the page, whose list may have grown meanwhile. */
  const left = async () => {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await devtools.send("HeapProfiler.collectGarbage");
    const stand = await standing();
    const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
    if ((await standing()) !== stand) return left();
    return { nodes: nodes - stand, jsEventListeners };
  };
  const look = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await open(i % 4);
      await media.shows(mediumId(i % 4));
      await media.back.click();
      await gallery.cardById(mediumId(i % 4)).waitFor();
    }
    await page.waitForFunction(() =>
      (window as never as Watched).ways.every(({ after }) => after !== null),
    );
  };
  // The first rounds bring what stays, such as the code of what is shown later.
  await look(4);
  const first = await left();
  await look(12);
  // The frame for the next start is read off the page once that has stood still.
  await page.evaluate((key) => {
    localStorage.removeItem(key);
    scrollTo(0, 0);
    document.getElementById("main")?.setAttribute("data-touched", "");
  }, FRAME);
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, FRAME);
  // A page that stayed would have some hundred nodes. Not all that is free goes in one collection.
  const more = async () => {
    const { nodes, jsEventListeners } = await left();
    return [nodes - first.nodes, jsEventListeners - first.jsEventListeners];
  };
  await expect.poll(more).toSatisfy(([nodes, listeners]) => nodes < 100 && listeners < 20);
});
