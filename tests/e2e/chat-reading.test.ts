/** What a chat looks like to who reads it: counts everywhere, days, times, directions, links, and a place that stays. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatPage } from "./pages/chat-page";
import { LoginPage } from "./pages/login-page";
import { ProfilePage } from "./pages/profile-page";

const DAY = 86_400;
const EARLIER = 104;
/** Pages of messages that the page asked the server for behind those that it had. */
const asked: string[] = [];
const isForOlder = (url: string) =>
  new URL(url).searchParams.get("filter")?.includes("ord <") === true;
let app: App;
let profile: Profile;
let page: Page;
let chat: ChatPage;
let ada: SignedIn;
let ben: SignedIn;
let superuser: SignedIn;
let conversation: string;

const say = async (message: string, ago = 0): Promise<void> => {
  const timestamp = Math.floor(Date.now() / 1000) - ago;
  const body = { conversationId: conversation, senderId: ben.id, type: "text", message, timestamp };
  // Of everybody else's messages the time is the server's.
  await app.api("POST", "/api/collections/messages/records", body, superuser.token);
};

/** What the page asked of the app's icon, in order: a number, or 0 for nothing. */
const iconCounts = () =>
  page.evaluate(() => (window as unknown as { iconCounts: number[] }).iconCounts);

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  [ada, ben] = [await signUp(app, { username: "ada.l" }), await signUp(app, { username: "ben.k" })];
  const participants = [ada.id, ben.id].sort();
  conversation = participants.join("_");
  const body = { id: conversation, participants };
  await app.api("POST", "/api/collections/conversations/records", body, ada.token);
  for (let i = 0; i < EARLIER; i++) await say(`Earlier ${i}`, (i < 70 ? 3 : 1) * DAY);
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  page.on("request", (request) => {
    const url = request.url();
    if (url.includes("/messages/records?") && isForOlder(url)) asked.push(url);
  });
  chat = new ChatPage(page);
  // Headless browsers take the count and show it nowhere: what they were asked is what can be seen.
  await page.addInitScript(() => {
    const counts: number[] = [];
    Object.assign(window, { iconCounts: counts });
    const { setAppBadge, clearAppBadge } = Navigator.prototype;
    Navigator.prototype.setAppBadge = function (count) {
      counts.push(count ?? 0);
      return setAppBadge.call(this, count);
    };
    Navigator.prototype.clearAppBadge = function () {
      counts.push(0);
      return clearAppBadge.call(this);
    };
  });
  await new LoginPage(page).enter(app.url, ada);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test("what is unread is counted in the top bar, in the list, on the profile and on the app's icon, until it was read", async () => {
  await chat.chatsButton.getByText("99+", { exact: true }).waitFor();
  expect(await chat.chatsButton.getAttribute("aria-label")).toContain(String(EARLIER));
  await expect.poll(async () => (await iconCounts()).at(-1)).toBe(EARLIER);
  await new ProfilePage(page).openUser(app.url, "ben.k");
  const button = new ProfilePage(page).message;
  await button.getByText("9+", { exact: true }).waitFor();
  await chat.chatsButton.click();
  const item = chat.item("ben.k");
  await item.getByTestId("chat-unread").getByText("99+").waitFor();
  await chat.openChat("ben.k");
  await expect.poll(() => chat.chatsButton.getAttribute("data-unread")).toBe("0");
  await expect.poll(async () => (await iconCounts()).at(-1)).toBe(0);
  expect(await chat.chatsButton.innerText()).toBe("");
  // Older ones are not asked for before one scrolls up.
  expect(asked).toEqual([]);
});

/** Scrolls up to where older messages are asked for; by how many pixels what is read there moves until they are there. */
const moveWhileOlderCome = () =>
  chat.scroller.evaluate(async (box) => {
    // Where it is painted with the next frame: a script of that frame would see it before its height was measured.
    const placeOf = (element: Element) =>
      new Promise<number>((resolve) => {
        const eye = new IntersectionObserver(([seen]) => {
          eye.disconnect();
          resolve(seen?.boundingClientRect.top ?? Number.NaN);
        });
        eye.observe(element);
      });
    const before = box.scrollHeight;
    box.scrollTo(0, 150);
    await placeOf(box);
    const edge = box.getBoundingClientRect();
    const read = [...box.querySelectorAll<HTMLElement>('[data-testid="message"]')].find(
      (one) => one.getBoundingClientRect().top > edge.top + 100,
    );
    if (read === undefined) throw new Error("nothing to read");
    const first = await placeOf(read);
    let moved = 0;
    let grown = 0;
    // Until they came, and some frames more, in which their heights are measured.
    for (let still = 0; still < 20; still += grown > 500 ? 1 : 0) {
      moved = Math.max(moved, Math.abs((await placeOf(read)) - first));
      grown = box.scrollHeight - before;
    }
    return { moved, stays: read.isConnected };
  });

test("older messages come above without moving what is read, each day under its name", async () => {
  await chat.message(`Earlier ${EARLIER - 1}`).waitFor();
  const days = () => page.getByTestId("day").allInnerTexts();
  const { moved, stays } = await moveWhileOlderCome();
  expect(stays).toBe(true);
  expect(moved).toBeLessThan(2);
  const dated = new Date(Date.now() - 3 * DAY * 1000).toLocaleDateString("en", {
    year: "numeric",
    month: "short",
    day: "numeric",
  });
  await expect
    .poll(async () => {
      await chat.scroller.evaluate((box) => box.scrollTo(0, 0));
      return days();
    })
    .toEqual([dated]);
  await page.getByText("This is the start of your chat.").waitFor();
  expect(asked).not.toEqual([]);
  await expect
    .poll(async () => {
      await chat.scroller.evaluate((box) => box.scrollBy(0, 300));
      return days();
    })
    .toEqual(["Yesterday"]);
  await chat.newest.click();
  await chat.message(`Earlier ${EARLIER - 1}`).waitFor();
  const time = chat.message(`Earlier ${EARLIER - 1}`).locator("time");
  expect(await time.innerText()).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
  expect(await time.getAttribute("lang")).toBe("de");
});

test("any writing keeps its direction and its signs, and only addresses that are safe become links", async () => {
  const arabic = "مرحبا، كيف حالك اليوم؟";
  const family = "👩‍👩‍👧‍👦 🏳️‍🌈 é";
  const tricky = "javascript:alert(1) data:text/html,x https://a@evil.example <b>bold</b>";
  for (const text of [arabic, family, tricky]) await say(text);
  await chat.message("bold").waitFor();
  const textOf = (text: string) => chat.message(text).getByTestId("message-text");
  const direction = (text: string) =>
    textOf(text).evaluate((one) => getComputedStyle(one).direction);
  expect(await direction(arabic)).toBe("rtl");
  expect(await direction(family)).toBe("ltr");
  expect(await textOf(family).innerText()).toBe(family);
  expect(await textOf("bold").innerText()).toBe(tricky);
  expect(await textOf("bold").locator("a, b").count()).toBe(0);
  await chat.input.fill(arabic);
  expect(await chat.input.evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
  await chat.input.fill("");
});

test("a chat with somebody whom one has met is started without a network, with a stranger it says why not", async () => {
  const cleo = await signUp(app, { username: "cleo.n" });
  await new ProfilePage(page).openUser(app.url, "cleo.n");
  await new ProfilePage(page).message.waitFor();
  await untilControlled(page);
  await app.stop();
  await page.goto(`${app.url}/chat`);
  await chat.startWith("nobody.met");
  await page
    .getByTestId("start-chat")
    .getByText(/doesn't know anyone by that name/)
    .waitFor();
  await chat.startWith("CLEO.N");
  await chat.partner.getByText("cleo.n").waitFor();
  await chat.write("Written before we met on the server");
  await chat.messageIn("Written before we met on the server", "waiting").waitFor();
  await app.restart();
  await chat.messageIn("Written before we met on the server", "sent").waitFor();
  const path = `/api/collections/messages/records?filter=${encodeURIComponent('message ~ "before we met"')}`;
  const { body } = await app.api("GET", path, undefined, cleo.token);
  expect(body.items.map(({ senderId }: { senderId: string }) => senderId)).toEqual([ada.id]);
});

test("the app's icon counts what comes, and nothing any more after the sign-out", async () => {
  await page.goto(`${app.url}/chat`);
  await say("One more");
  await expect.poll(async () => (await iconCounts()).at(-1)).toBe(1);
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
  await expect.poll(async () => (await iconCounts()).at(-1)).toBe(0);
  expect(profile.errors).toEqual([]);
});
