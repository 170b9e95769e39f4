/** What single screens owe to everybody: texts of any size, either direction, what is said, what is reached, and nothing over it. */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { type FullStage, type Screen, setFullStage } from "@tests/support/every-screen";
import { beginAtTop } from "@tests/support/go-on";
import { sideways } from "@tests/support/look-at-page";
import { byTurns } from "@tests/support/thorough";
import { stopsTo } from "@tests/support/walk-by-keys";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
let stage: AdminStage;
let url: string;
let visitor: Profile;
let member: Profile;
let page: Page;
let full: FullStage;

beforeAll(async () => {
  stage = await setAdminStage();
  url = stage.app.url;
  visitor = await openProfile({ viewport: PHONE, reducedMotion: "reduce" });
  member = await openProfile({ viewport: PHONE, reducedMotion: "reduce" });
  page = member.page;
  for (const one of [visitor.page, page]) one.on("dialog", (dialog) => void dialog.accept());
  full = await setFullStage(stage, visitor);
  await new LoginPage(page).enter(url, stage.admin);
});

afterAll(async () => {
  await Promise.allSettled([visitor?.close(), member?.close()]);
  await stage?.app.stop();
});

const pageOf = ({ who }: Screen): Page => (who === "visitor" ? visitor : member).page;

test("cards show their owners' pictures, and captions of two lines as a whole", async () => {
  const form = new FormData();
  const face = new Blob([new Uint8Array(await drawPhoto(visitor.context, 10))], {
    type: "image/jpeg",
  });
  form.set("profilePicture", face, "face.jpg");
  form.set("profileThumbnail", face, "small.jpg");
  const mine = `/api/collections/users/records/${stage.ben.id}`;
  expect((await stage.app.api("PATCH", mine, form, stage.ben.token)).status).toBe(200);
  for (const one of [visitor.page, page]) {
    const gallery = new GalleryPage(one);
    await gallery.open(url);
    const card = gallery.cardById(full.mediaId);
    await card.locator('[data-testid="face"][data-state="there"]').waitFor();
    const title = card.locator("strong");
    const isWhole = () => title.evaluate((box) => box.scrollHeight <= box.clientHeight + 1);
    await expect.poll(isWhole).toBe(true);
    expect(await title.innerText()).toBe("Evening light over the old harbour");
  }
});

test("tags look the same on a card and on its page", async () => {
  const lookOf = (tag: Locator) =>
    tag.evaluate((element) => {
      const { fontSize, fontWeight, color, borderRadius, textDecorationLine } =
        getComputedStyle(element);
      const { height } = element.getBoundingClientRect();
      const text = element.textContent;
      return { text, fontSize, fontWeight, color, borderRadius, textDecorationLine, height };
    });
  const gallery = new GalleryPage(page);
  await gallery.open(url);
  const onCard = await lookOf(gallery.cardById(full.mediaId).getByTestId("card-tag").first());
  await page.goto(`${url}/view/${full.mediaId}`);
  const onPage = await lookOf(page.getByTestId("tag").first());
  expect(onPage).toEqual(onCard);
  expect(onCard.text).toBe("#light");
});

test("the bar holds '+', and lies on nothing that has the focus, nor on the end of a page", async () => {
  await page.setViewportSize(PHONE);
  const gallery = new GalleryPage(page);
  await gallery.open(url);
  await gallery.untilLive();
  await gallery.uploadButton.waitFor();
  const covered = await page.evaluate(() => {
    const dock = document.querySelector(".shell-dock")?.getBoundingClientRect();
    const plus = document.querySelector('[data-testid="upload-button"]')?.getBoundingClientRect();
    if (dock === undefined || plus === undefined) throw new Error("no bar");
    const isInside = plus.left >= dock.left && plus.right <= dock.right && plus.top >= dock.top;
    const stops = [...document.querySelectorAll<HTMLElement>("main li a, main button, footer a")];
    const under = stops.filter((stop) => {
      stop.focus();
      if (document.activeElement !== stop) return false;
      const { x, y, width, height } = stop.getBoundingClientRect();
      const at = document.elementFromPoint(x + width / 2, y + height / 2);
      return at !== null && at.closest("[data-dock]") !== null;
    });
    return { isInside, isSome: stops.length > 5, under: under.map((stop) => stop.outerHTML) };
  });
  expect(covered).toEqual({ isInside: true, isSome: true, under: [] });
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => page.locator(".shell-dock").getAttribute("data-away")).toBe("false");
  const free = () =>
    page.evaluate(() => {
      const link = document.querySelector("footer nav a");
      const box = link?.getBoundingClientRect();
      if (!box) return false;
      const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return link?.contains(at) ?? false;
    });
  await expect.poll(free).toBe(true);
});

const uploadOn = (one: Page) =>
  one.getByTestId("upload-link").or(one.getByTestId("upload-button")).first();

const SIZES = [PHONE, DESKTOP];
const membersPages = () => full.screens.filter(({ who, over }) => who === "member" && !over);

test("Upload is within ten stops of every page's top", async () => {
  const far: string[] = [];
  for (const [turn, size] of SIZES.entries()) {
    await page.setViewportSize(size);
    for (const screen of byTurns(membersPages(), turn, SIZES.length)) {
      // The form itself, filled in.
      if (screen.name.startsWith("upload-")) continue;
      await screen.open(page);
      await uploadOn(page).waitFor({ state: "attached" });
      // What has the focus may be replaced while the page is still coming: the walk begins again then.
      const isNear = async () => {
        await beginAtTop(page);
        return (await stopsTo(page, ["upload-link", "upload-button"], 10)) <= 10;
      };
      await expect
        .poll(isNear)
        .toBe(true)
        .catch(() => far.push(`${screen.name} at ${size.width}`));
    }
  }
  await page.setViewportSize(PHONE);
  expect(far).toEqual([]);
});

test("new messages, sent comments and finished uploads are said, wherever one is by then", async () => {
  const said = (text: string | RegExp) =>
    page.getByTestId("announcements").getByText(text).waitFor({ state: "attached" });
  await page.goto(`${url}/terms`);
  await page.getByTestId("profile-menu").waitFor();
  const message = { conversationId: full.chatId, senderId: stage.ben.id, message: "Are you in?" };
  // What is unread when the page first reads its chats is no news, so ben asks until he is heard.
  const askAndListen = async () => {
    await stage.make("messages", { ...message, type: "text" }, stage.ben);
    return page.getByTestId("announcements").innerText();
  };
  await expect
    .poll(askAndListen, { interval: 1000 })
    .toContain("New message from ben: Are you in?");
  const media = new MediaPage(page);
  await media.open(url, full.mediaId);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/collections/comments/records", async (route) => {
    await held;
    await route.continue();
  });
  await media.write("Lovely light");
  await media.comment("Lovely light").waitFor();
  await page.getByRole("link", { name: "Terms of Service" }).click();
  await page.getByTestId("legal-terms").waitFor();
  answer();
  await said("Your comment was sent");
  await page.unroute("**/api/collections/comments/records");
  await page.getByTestId("upload-link").click();
  const upload = new UploadPage(page);
  const photo = await drawPhoto(visitor.context, 80);
  await upload.upload([photoFile("dusk.jpg", photo)], { caption: "Dusk" });
  await said("Uploaded: Dusk");
});

/** The page, or what lies over it: what is behind that has other texts at the same places. */
const partsOf = ({ over }: Screen, behind: string[]): string =>
  over === undefined ? behind.map((part) => `${part} *`).join() : `${over} *`;

/** Sizes of the texts of a screen, by what they say. */
const textSizes = (one: Page, screen: Screen): Promise<Record<string, number[]>> =>
  one.evaluate(
    (selector) => {
      const sizes: Record<string, number[]> = {};
      for (const element of document.querySelectorAll(selector)) {
        const own = [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "",
        );
        if (!own || element.closest(".sr-only, option") !== null) continue;
        // By its classes too: what comes a moment later may say the same.
        const name = `${(element.textContent ?? "").slice(0, 40)} ${element.className}`;
        sizes[name] ??= [];
        sizes[name].push(Number.parseFloat(getComputedStyle(element).fontSize));
      }
      return sizes;
    },
    partsOf(screen, ["header", "main", "footer"]),
  );

interface Box {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The first line of each text of a screen, where it is seen. */
const textBoxes = (one: Page, screen: Screen): Promise<Box[]> =>
  one.evaluate(
    (selector) => {
      const ownText = (element: Element) =>
        [...element.childNodes].find(
          (child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim() !== "",
        );
      const isSeen = (element: Element) => {
        const { visibility, opacity } = getComputedStyle(element);
        const isHidden = element.closest("[class*=sr-only], [data-dock], svg, option") !== null;
        // Rows far below the window have no layout of their own yet.
        const isLaidOut = element.checkVisibility({ contentVisibilityAuto: true });
        return isLaidOut && !isHidden && visibility !== "hidden" && opacity !== "0";
      };
      // Messages scroll in a list of their own: those above and below it are not seen.
      const isScrolledAway = (element: Element, { top, bottom }: DOMRect) => {
        const list = element.closest("[class*=overflow-y-auto]")?.getBoundingClientRect();
        return list !== undefined && (top < list.top - 1 || bottom > list.bottom + 1);
      };
      return [...document.querySelectorAll(selector)].filter(isSeen).flatMap((element) => {
        const node = ownText(element);
        if (node === undefined) return [];
        const range = document.createRange();
        range.selectNodeContents(node);
        const [first] = range.getClientRects();
        if (first === undefined || isScrolledAway(element, first)) return [];
        // What is cut is seen as far as its own box goes.
        const box = element.getBoundingClientRect();
        const text = (node.textContent ?? "").slice(0, 30);
        const [left, right] = [Math.max(first.left, box.left), Math.min(first.right, box.right)];
        return [{ text, left, right, top: first.top, bottom: first.bottom }];
      });
    },
    partsOf(screen, ["header", "main"]),
  );

const height = ({ top, bottom }: Box): number => bottom - top;

/** Boxes of lines are taller than their letters. */
function liesOn(a: Box, b: Box): boolean {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 2 && down > 0.35 * Math.min(height(a), height(b));
}

/** Two frames: what was changed is drawn, and its shortest transitions are over. */
const settle = (one: Page): Promise<unknown> =>
  one.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** Looks like this from here on: rules that stand above the page's own. */
const dress = (one: Page, rules: string): Promise<void> =>
  one.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, rules);

/** What the page scrolls sideways for, once it has come to rest. */
async function beyond(one: Page): Promise<string[]> {
  await settle(one);
  if ((await sideways(one)) <= 0) return [];
  return one.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return right > document.documentElement.clientWidth + 1 || left < -1;
      })
      .slice(-2)
      .map(({ outerHTML }) => `sideways: ${outerHTML.slice(0, 120)}`),
  );
}

async function crowded(one: Page, screen: Screen): Promise<string[]> {
  const boxes = await textBoxes(one, screen);
  return boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b) => (liesOn(a, b) ? [`${a.text} lies on ${b.text}`] : [])),
  );
}

/** The same text may stand there in several sizes. */
function notDoubled(before: Record<string, number[]>, after: Record<string, number[]>): string[] {
  return Object.entries(after).flatMap(([text, sizes]) => {
    const was = before[text] ?? [];
    const isDoubled = (now: number) => was.some((size) => Math.abs(now - 2 * size) <= 0.6);
    const wrong = was.length === 0 ? [] : sizes.filter((now) => !isDoubled(now));
    return wrong.map((now) => `"${text}" is ${now} px, and was ${was}`);
  });
}

/** What `look` finds until it finds nothing: a page that still moves is looked at again. */
async function faultsAtRest(look: () => Promise<string[]>): Promise<string[]> {
  let faults: string[] = [];
  const isClean = async () => {
    faults = await look();
    return faults.length === 0;
  };
  await expect
    .poll(isClean)
    .toBe(true)
    .catch(() => undefined);
  return faults;
}

/** What the reader chose as the size of text in the browser's own settings; 16 px is what browsers come with. */
type SetTextSize = (px: number) => Promise<unknown>;

async function textSizeOf(one: Page): Promise<SetTextSize> {
  const browser = await one.context().newCDPSession(one);
  return (standard) => browser.send("Page.setFontSizes", { fontSizes: { standard } });
}

async function sizesAt(one: Page, screen: Screen, setTextSize: SetTextSize, px: number) {
  await setTextSize(px);
  await toTop(one);
  await settle(one);
  return textSizes(one, screen);
}

/** In the top bar, the header that stays, texts scroll below others. */
const toTop = (one: Page) => one.evaluate(() => window.scrollTo(0, 0));

/** Else each text goes to its new size by a transition, and is measured on the way. */
const AT_ONCE = "* { transition-property: none !important }";
/** What WCAG 2.2 asks for (1.4.12). */
const SPACED =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }";

const lookAtTexts = async (one: Page, screen: Screen) => [
  ...(await beyond(one)),
  ...(await crowded(one, screen)),
];

async function lookDoubled(one: Page, screen: Screen): Promise<string[]> {
  await dress(one, AT_ONCE);
  const setTextSize = await textSizeOf(one);
  const doubled = await faultsAtRest(async () => {
    // What comes between the two looks has one size only, so both are taken again then.
    const before = await sizesAt(one, screen, setTextSize, 16);
    const after = await sizesAt(one, screen, setTextSize, 32);
    return [...notDoubled(before, after), ...(await lookAtTexts(one, screen))];
  });
  await setTextSize(16);
  return doubled.map((fault) => `${screen.name}, doubled: ${fault}`);
}

async function lookSpaced(one: Page, screen: Screen): Promise<string[]> {
  await dress(one, AT_ONCE + SPACED);
  await toTop(one);
  const spaced = await faultsAtRest(() => lookAtTexts(one, screen));
  return spaced.map((fault) => `${screen.name}, spaced: ${fault}`);
}

test("at twice the size of text, or with readers' spacing, no text of any screen lies on another", async () => {
  const faults: string[] = [];
  const looks = [lookDoubled, lookSpaced];
  for (const [i, screen] of full.screens.entries()) {
    const one = pageOf(screen);
    await one.setViewportSize(PHONE);
    await screen.open(one);
    for (const look of byTurns(looks, i % looks.length, looks.length))
      faults.push(...(await look(one, screen)));
    await dress(one, "");
    await screen.leave?.(one);
  }
  expect(faults).toEqual([]);
});

test("from right to left everything is mirrored", async () => {
  const mirrored = await openProfile({ viewport: DESKTOP, reducedMotion: "reduce" });
  const { page: one } = mirrored;
  await one.addInitScript(() => {
    const turn = () => document.documentElement?.setAttribute("dir", "rtl");
    turn();
    new MutationObserver(turn).observe(document, { childList: true });
  });
  await new LoginPage(one).enter(url, stage.admin);
  const left = async (selector: string) => (await one.locator(selector).first().boundingBox())?.x;
  await one.locator("li[data-media-id] article").first().waitFor();
  expect(await left(".shell-brand")).toBeGreaterThan(
    (await left("[data-testid=profile-menu]")) ?? 0,
  );
  const lanes = await one
    .locator("li[data-media-id]")
    .evaluateAll((cards) => cards.slice(0, 2).map((card) => card.getBoundingClientRect().x));
  expect(lanes[0]).toBeGreaterThan(lanes[1] ?? 0);
  await one.goto(`${url}/chat/${full.chatId}`);
  await one.locator('[data-testid="message"][data-mine="true"]').waitFor();
  const bubble = (mine: boolean) =>
    left(`[data-testid=message][data-mine=${mine}] [class*=bg-bubble]`);
  expect(await bubble(true)).toBeLessThan((await bubble(false)) ?? 0);
  const arrow = await one
    .getByTestId("back")
    .locator("svg")
    .evaluate((sign) => getComputedStyle(sign).transform);
  expect(arrow).toBe("matrix(-1, 0, 0, 1, 0, 0)");
  const wide: string[] = [];
  for (const [turn, size] of SIZES.entries()) {
    await one.setViewportSize(size);
    for (const screen of byTurns(membersPages(), turn, SIZES.length)) {
      await screen.open(one);
      wide.push(...(await beyond(one)).map((fault) => `${screen.name}: ${fault}`));
    }
  }
  expect(wide).toEqual([]);
  await mirrored.close();
});
