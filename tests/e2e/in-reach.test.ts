/** What lies within reach: the bar at a phone's bottom, a held card, keys on a desk, and a page that is pulled down. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import type { CDPSession, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";

const idOf = (i: number) => `reach${String(i).padStart(10, "0")}`;
const PHONE = { width: 390, height: 844 };
let app: App;
let phone: Profile;
let desk: Profile;
let finger: CDPSession;
let cid: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  app = await startApp();
  const { token } = await createSuperuser(app);
  const [ada, ben] = [await signUp(app), await signUp(app)];
  cid = await signUp(app);
  const media = Array.from({ length: 40 }, (_, i) => ({
    id: idOf(i),
    caption: `Number ${i}`,
    age: i + 1,
  }));
  await seedMedia(app, token, ben.id, media);
  // As an installed app on iOS, which has no gesture of its own.
  phone = await openProfile({ viewport: PHONE, hasTouch: true });
  await phone.context.addInitScript(() =>
    Object.defineProperty(navigator, "standalone", { value: true }),
  );
  finger = await phone.context.newCDPSession(phone.page);
  desk = await openProfile({ viewport: { width: 1280, height: 800 } });
  for (const { page } of [phone, desk]) {
    await page.goto(`${app.url}/login`);
    await new LoginPage(page).signIn(ada.email, ada.password);
    await page.waitForURL(`${app.url}/`);
    await new GalleryPage(page).untilLive();
  }
});
afterAll(async () => {
  await phone?.close();
  await desk?.close();
  await app?.stop();
});

const bar = (page: Page): Locator => page.getByTestId("bottom-bar");
const tab = (page: Page, name: string): Locator => page.getByTestId(`tab-${name}`);
const isAway = (page: Page) => bar(page).getAttribute("data-away");
const top = (page: Page): Promise<number> => page.evaluate(() => Math.round(window.scrollY));
const at = (page: Page): string => page.url().slice(app.url.length);
const isTyping = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.matches('[data-testid="search"]') ?? false);

/** Gives the focus to the first of these links that is in view, and scrolls nothing. */
const focusSeen = (page: Page, testId: string): Promise<boolean> =>
  page.getByTestId(testId).evaluateAll((links) => {
    const seen = links.find((link) => {
      const { top, bottom, width } = link.getBoundingClientRect();
      return width > 0 && top > 60 && bottom < innerHeight - 60;
    }) as HTMLElement | undefined;
    seen?.focus({ preventScroll: true });
    return seen !== undefined && seen === document.activeElement;
  });

/** A finger on the phone; no point lifts it. A touch is over with the session that began it. */
const touch = (type: "touchStart" | "touchMove" | "touchEnd", point?: { x: number; y: number }) =>
  finger.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [point] : [] });

async function middleOf(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("the bar has five places with names, and is not there on a desk or for a visitor", async () => {
  const { page } = phone;
  await bar(page).waitFor();
  const names = await bar(page)
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("aria-label")));
  expect(names).toEqual(["Home", "Search", "Upload", "Chats", "Profile"]);
  const low = await bar(page).boundingBox();
  expect(low && Math.round(low.y + low.height)).toBe(PHONE.height);
  expect(await tab(page, "home").getAttribute("aria-current")).toBe("page");
  await desk.page.getByTestId("chats-button").waitFor();
  expect(await bar(desk.page).count()).toBe(0);
  const visitor = await openProfile({ viewport: PHONE });
  await visitor.page.goto(app.url);
  await visitor.page.getByTestId("login-link").waitFor();
  expect(await bar(visitor.page).count()).toBe(0);
  await visitor.close();
});

test("it goes while one reads on, comes back on the way up, and at the end of the page", async () => {
  const { page } = phone;
  const scroll = (by: number) => page.evaluate((y) => window.scrollBy(0, y), by);
  await scroll(600);
  await expect.poll(() => isAway(page)).toBe("true");
  await scroll(-100);
  await expect.poll(() => isAway(page)).toBe("false");
  await scroll(200);
  await expect.poll(() => isAway(page)).toBe("true");
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => isAway(page)).toBe("false");
  await scroll(-200);
});

test("each tab opens as it was left, and a second tap leads to its page and there to its top", async () => {
  const { page } = phone;
  await page.evaluate(() => window.scrollTo(0, 700));
  await page.evaluate(() => window.scrollBy(0, -20));
  await expect.poll(() => isAway(page)).toBe("false");
  const place = await top(page);
  await tab(page, "profile").click();
  await page.getByTestId("own-profile").waitFor();
  expect(at(page)).toBe("/profile");
  await expect.poll(() => tab(page, "profile").getAttribute("aria-current")).toBe("page");
  await tab(page, "home").click();
  await expect.poll(() => top(page)).toBe(place);
  // What is opened from a tab is of that tab.
  await expect.poll(() => focusSeen(page, "owner-link")).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByTestId("public-profile").waitFor();
  const person = at(page);
  expect(await tab(page, "home").getAttribute("aria-current")).toBe("page");
  await tab(page, "chats").click();
  await page.getByTestId("submit-start-chat").waitFor();
  await tab(page, "home").click();
  await page.getByTestId("public-profile").waitFor();
  expect(at(page)).toBe(person);
  await tab(page, "home").click();
  await expect.poll(() => at(page)).toBe("/");
  await expect.poll(() => top(page)).toBe(place);
  await tab(page, "home").click();
  await expect.poll(() => top(page)).toBe(0);
});

test("Back on a medium to which a tab led goes to that tab's page, where it was left", async () => {
  const { page } = phone;
  await page.evaluate(() => window.scrollTo(0, 700));
  await expect.poll(() => top(page)).toBe(700);
  await expect.poll(() => focusSeen(page, "open-media")).toBe(true);
  await page.keyboard.press("Enter");
  const media = new MediaPage(page);
  await media.detail.waitFor();
  const medium = at(page);
  await tab(page, "chats").click();
  await page.getByTestId("submit-start-chat").waitFor();
  await tab(page, "home").click();
  await media.detail.waitFor();
  expect(at(page)).toBe(medium);
  await media.back.click();
  await expect.poll(() => at(page)).toBe("/");
  await expect.poll(() => top(page)).toBe(700);
  await page.evaluate(() => window.scrollTo(0, 0));
});

test("Search leads to the box, and keeps what was looked for", async () => {
  const { page } = phone;
  const gallery = new GalleryPage(page);
  await tab(page, "profile").click();
  await page.getByTestId("own-profile").waitFor();
  await tab(page, "search").click();
  await expect.poll(() => isTyping(page)).toBe(true);
  await gallery.search.fill("Number 7");
  await page.waitForURL(/q=Number/);
  await page.keyboard.press("Enter");
  await page.getByTestId("search-results").waitFor();
  await expect.poll(() => tab(page, "search").getAttribute("aria-current")).toBe("page");
  await tab(page, "home").click();
  await expect.poll(() => at(page)).toBe("/");
  await tab(page, "search").click();
  await page.waitForURL(/q=Number/);
  await expect.poll(() => gallery.search.inputValue()).toBe("Number 7");
  // Without words it is the search still, and Home is where it was.
  await gallery.search.fill("");
  await expect.poll(() => at(page)).toBe("/");
  expect(await tab(page, "search").getAttribute("aria-current")).toBe("page");
  await tab(page, "home").click();
  await expect.poll(() => tab(page, "home").getAttribute("aria-current")).toBe("page");
  await page.goBack();
  await expect.poll(() => tab(page, "search").getAttribute("aria-current")).toBe("page");
  await page.goForward();
  await expect.poll(() => tab(page, "home").getAttribute("aria-current")).toBe("page");
});

test("in a conversation it is away, shows itself to the keys, and counts what is unread", async () => {
  const { page } = phone;
  const ada = await page.evaluate(() =>
    JSON.parse(localStorage.getItem("augenblick.session") ?? "{}"),
  );
  const participants = [ada.user.id, cid.id];
  const chats = "/api/collections/conversations/records";
  const begun = await app.api("POST", chats, { participants }, cid.token);
  const conversationId = begun.body.id;
  const message = { conversationId, senderId: cid.id, message: "Are you in?", type: "text" };
  const made = await app.api("POST", "/api/collections/messages/records", message, cid.token);
  expect(made.status).toBe(200);
  await expect.poll(() => tab(page, "chats").innerText()).toContain("1");
  expect(await tab(page, "chats").getAttribute("aria-label")).toContain("1");
  await tab(page, "chats").click();
  await page.getByTestId("chat-list-item").first().click();
  await page.getByTestId("message").waitFor();
  await expect.poll(() => isAway(page)).toBe("true");
  const isSeen = () =>
    bar(page).evaluate((one) => Math.round(one.getBoundingClientRect().bottom) <= innerHeight);
  await expect.poll(isSeen).toBe(false);
  await tab(page, "home").focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect.poll(isSeen).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => at(page)).toBe("/");
  await expect.poll(() => isAway(page)).toBe("false");
});

test("a held card offers its acts and is not opened; a finger that moves on holds nothing", async () => {
  const { page } = phone;
  const card = new GalleryPage(page).cardById(idOf(0));
  const picture = card.getByTestId("open-media");
  const actions = page.getByTestId("card-actions");
  await picture.waitFor();
  const from = await middleOf(picture);
  await touch("touchStart", from);
  await actions.waitFor();
  await touch("touchEnd");
  expect(await actions.isVisible()).toBe(true);
  expect(at(page)).toBe("/");
  await page.getByTestId("card-like").click();
  await actions.waitFor({ state: "detached" });
  await expect.poll(() => card.getByTestId("like").getAttribute("aria-pressed")).toBe("true");
  await expect
    .poll(
      async () => (await app.api("GET", `/api/collections/media/records/${idOf(0)}`)).body.likes,
    )
    .toBe(1);
  // The menu key of a keyboard, after which the focus is where it was.
  await picture.focus();
  await picture.dispatchEvent("contextmenu");
  await page.getByTestId("card-report").click();
  await page.getByTestId("report-form").waitFor();
  await page.keyboard.press("Escape");
  await page.getByTestId("report-form").waitFor({ state: "detached" });
  const focused = () => picture.evaluate((link) => link === document.activeElement);
  await expect.poll(focused).toBe(true);
  // At once: a finger that rests meanwhile holds the card.
  await Promise.all([touch("touchStart", from), touch("touchMove", { x: from.x, y: from.y - 60 })]);
  await expect.poll(() => top(page)).toBeGreaterThan(0);
  // Longer than a card is held, counted by the page.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  expect(await actions.count()).toBe(0);
  await touch("touchEnd");
  await page.evaluate(() => window.scrollTo(0, 0));
});

test("a page that is pulled down asks for what is new, and says when there is no network", async () => {
  const { page } = phone;
  await page.reload();
  await new GalleryPage(page).untilLive();
  const pull = async () => {
    await touch("touchStart", { x: 195, y: 200 });
    for (let y = 220; y <= 400; y += 20) await touch("touchMove", { x: 195, y });
    await touch("touchEnd");
  };
  const mark = page.getByTestId("pull-to-refresh");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/sync**", async (route) => {
    await held;
    await route.continue();
  });
  await mark.waitFor({ state: "attached" });
  await pull();
  await expect.poll(() => mark.getAttribute("data-asking")).toBe("true");
  answer();
  await expect.poll(() => mark.getAttribute("data-asking")).toBe("false");
  await page.unroute("**/api/sync**");
  await page.context().setOffline(true);
  await pull();
  await page.getByTestId("toast").getByText("You're offline").waitFor();
  await page.context().setOffline(false);
});

test("letters lead to the pages, '?' lists them, and they can be switched off", async () => {
  const { page } = desk;
  for (const [key, where] of [
    ["c", "/chat"],
    ["p", "/profile"],
    ["u", "/upload"],
    ["h", "/"],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => at(page)).toBe(where);
  }
  await page.keyboard.press("p");
  await page.getByTestId("own-profile").waitFor();
  await page.keyboard.press("/");
  await expect.poll(() => isTyping(page)).toBe(true);
  // In a field they are letters.
  await page.keyboard.type("cup?");
  await expect.poll(() => new GalleryPage(page).search.inputValue()).toBe("cup?");
  await page.waitForURL(/q=cup/);
  await page.keyboard.press("Escape");
  await expect.poll(() => at(page)).not.toContain("cup");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("?");
  await page.getByTestId("key-list").first().waitFor();
  await page.keyboard.press("c");
  expect(await page.getByTestId("key-list").first().isVisible()).toBe(true);
  await page.getByTestId("keys-on").click();
  await page.keyboard.press("Escape");
  await page.getByTestId("key-list").first().waitFor({ state: "detached" });
  const before = at(page);
  await page.keyboard.press("c");
  await page.keyboard.press("?");
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("list-keys").click();
  await page.getByTestId("key-list").first().waitFor();
  expect(at(page)).toBe(before);
  await page.getByTestId("keys-on").click();
  await page.keyboard.press("Escape");
  // The focus is where it was.
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML ?? "");
  await expect.poll(focused).toContain('data-testid="profile-menu"');
  await page.keyboard.press("c");
  await page.getByTestId("submit-start-chat").waitFor();
  // The way back leaves the list, and the way forward does not bring it again.
  await page.keyboard.press("?");
  await page.getByTestId("key-list").first().waitFor();
  await page.goBack();
  await page.getByTestId("key-list").first().waitFor({ state: "detached" });
  await page.goForward();
  await expect.poll(() => at(page)).toBe("/chat");
  await page.getByTestId("submit-start-chat").waitFor();
  expect(await page.getByTestId("key-list").count()).toBe(0);
});
