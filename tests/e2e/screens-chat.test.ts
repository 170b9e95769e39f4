/** The chat's screens in both themes, on a phone and on a desktop: axe finds nothing, nothing scrolls sideways, keys alone do. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { goOn } from "@tests/support/go-on";
import { lookInAllSizes, sideways } from "@tests/support/look-at-page";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatPage } from "./pages/chat-page";
import { LoginPage } from "./pages/login-page";
import { photoFile } from "./pages/upload-page";

const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;
const LONG = "a".repeat(180);

let app: App;
let profile: Profile;
let chat: ChatPage;
let ada: SignedIn;
let ben: SignedIn;
let conversation: string;
let superuser: SignedIn;
let blocked: string;
let hushed: string;

const chatOf = (other: SignedIn): string => [ada.id, other.id].sort().join("_");

async function begin(other: SignedIn): Promise<string> {
  const id = chatOf(other);
  const body = { id, participants: [ada.id, other.id].sort() };
  await app.api("POST", "/api/collections/conversations/records", body, ada.token);
  return id;
}

async function say(from: SignedIn, id: string, message: string, ago = 0): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1000) - ago;
  const body = { conversationId: id, senderId: from.id, type: "text", message, timestamp };
  // Of everybody else's messages the time is the server's.
  await app.api("POST", "/api/collections/messages/records", body, superuser.token);
}

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  [ada, ben] = [await signUp(app, { username: "ada.l" }), await signUp(app, { username: "ben.k" })];
  const cleo = await signUp(app, { username: "cleo-with-a-rather-long-name.of.hers" });
  conversation = await begin(ben);
  blocked = await begin(cleo);
  const dora = await signUp(app, { username: "dora.m" });
  hushed = await begin(dora);
  await say(dora, hushed, "Buy my course! https://course.example", 5000);
  for (let i = 0; i < 70; i++)
    await say(i % 3 ? ben : ada, conversation, `Earlier ${i}`, 99_000 - i);
  await say(ben, conversation, `See https://example.com/${LONG} and ${LONG}`, 900);
  await say(ben, conversation, "مرحبا، كيف حالك اليوم؟", 800);
  profile = await openProfile({ viewport: SIZES.phone });
  const { page } = profile;
  await new LoginPage(page).enter(app.url, ada);
  chat = new ChatPage(page);
  await page.goto(`${app.url}/chat/${blocked}`);
  await page.getByTestId("messages-empty").waitFor();
  const id = `${cleo.id}_${ada.id}`;
  const pair = { blockerId: cleo.id, blockedId: ada.id };
  await app.api("POST", "/api/collections/blocks/records", { id, ...pair }, cleo.token);
  const mine = { blockerId: ada.id, blockedId: dora.id };
  const hush = { id: `${ada.id}_${dora.id}`, ...mine };
  await app.api("POST", "/api/collections/blocks/records", hush, ada.token);
  await chat.write("Hello Cleo");
  await chat.messageIn("Hello Cleo", "refused").waitFor();
  await page.goto(`${app.url}/chat/${conversation}`);
  await chat.attach(photoFile("pier.jpg", await drawPhoto(profile.context, 200)));
  await chat.sendPhoto("The pier in the evening");
  await chat.messageIn("The pier in the evening", "sent").waitFor();
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

interface Screen {
  name: string;
  open: (page: Page) => Promise<void>;
  over?: string;
}

const goto = (where: () => string, testId: string) => async (page: Page) => {
  await goOn(page, `${app.url}${where()}`);
  await page.getByTestId(testId).first().waitFor();
};
const inChat = goto(() => `/chat/${conversation}`, "message-photo");

const SCREENS: Screen[] = [
  { name: "chats", open: goto(() => "/chat", "chat-list-item") },
  {
    name: "chats-suggestion",
    open: async (page) => {
      await goto(() => "/chat", "chat-list-item")(page);
      await chat.username.fill("b");
      await chat.suggestions.first().waitFor();
    },
  },
  {
    name: "chats-fault",
    open: async (page) => {
      await goto(() => "/chat", "chat-list-item")(page);
      await chat.startWith(" ");
      await page.getByText("Bitte geben Sie einen Benutzernamen ein").waitFor();
    },
  },
  { name: "chat", open: inChat },
  { name: "chat-refused", open: goto(() => `/chat/${blocked}`, "refused") },
  { name: "chat-blocked", open: goto(() => `/chat/${hushed}`, "blocked-bar") },
  { name: "chat-not-found", open: goto(() => "/chat/nothing", "chat-not-found") },
  {
    name: "chat-photo-dialog",
    over: '[role="dialog"]',
    open: async (page) => {
      await inChat(page);
      await chat.attach(photoFile("sea.jpg", await drawPhoto(profile.context, 300)));
      await page.getByTestId("photo-preview").waitFor();
    },
  },
  {
    name: "chat-view-photo",
    over: '[role="dialog"]',
    open: async (page) => {
      await inChat(page);
      await page.getByTestId("open-photo").first().click();
      await page.getByTestId("whole-photo").waitFor();
    },
  },
  {
    name: "chat-delete",
    over: '[role="alertdialog"]',
    open: async (page) => {
      await inChat(page);
      await chat.message("The pier in the evening").getByTestId("delete-message").focus();
      await page.keyboard.press("Enter");
      await page.getByTestId("confirm").waitFor();
    },
  },
];

test("every screen of the chat is fit to be shown on a phone and on a desktop, in both themes", async () => {
  const { page } = profile;
  const broken: string[] = [];
  for (const screen of SCREENS) {
    broken.push(...(await lookInAllSizes(page, screen)));
  }
  expect(broken).toEqual([]);
  expect(profile.errors).toEqual([]);
});

test("the newest message is in sight at first, older ones come above without a jump, and only those near are in the page", async () => {
  const { page } = profile;
  await page.setViewportSize(SIZES.phone);
  await inChat(page);
  await chat.message("The pier in the evening").waitFor();
  expect(await chat.messages.count()).toBeLessThan(60);
  const firstSeen = () =>
    chat.scroller.evaluate((box) => {
      const top = box.getBoundingClientRect().top;
      const shown = [...box.querySelectorAll<HTMLElement>('[data-testid="message"]')];
      const first = shown.find((one) => one.getBoundingClientRect().top >= top);
      return { id: first?.dataset["messageId"], y: first?.getBoundingClientRect().top ?? 0 };
    });
  const oldest = () => chat.messages.first().textContent();
  // Up, until the first page's end asks for what lies before it; each step may bring more above.
  await expect
    .poll(async () => {
      await chat.scroller.evaluate((box) => box.scrollTo(0, 0));
      return oldest();
    })
    .toMatch(/^Earlier 0\d\d:/);
  await chat.scroller.evaluate((box) => box.scrollBy(0, 600));
  const before = await firstSeen();
  await say(ben, conversation, "Fresh while reading");
  await page.locator('[data-testid="newest"][data-fresh="true"]').waitFor();
  const after = await firstSeen();
  expect(after.id).toBe(before.id);
  expect(Math.abs(after.y - before.y)).toBeLessThan(2);
  await chat.newest.click();
  await chat.message("Fresh while reading").waitFor();
  await chat.newest.waitFor({ state: "detached" });
});

test("keys alone start a chat, write, break a line and send", async () => {
  const { page } = profile;
  await chat.open(app.url);
  await chat.username.focus();
  await page.keyboard.type("ben");
  await chat.suggestions.first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await chat.partner.getByText("ben.k").waitFor();
  await chat.input.focus();
  await page.keyboard.type("first line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("second line");
  await page.keyboard.press("Enter");
  await chat.messageIn("first line", "sent").waitFor();
  const filter = encodeURIComponent(`message ~ "second line"`);
  const path = `/api/collections/messages/records?filter=${filter}`;
  const { body } = await app.api("GET", path, undefined, ada.token);
  expect(body.items[0].message).toBe("first line\nsecond line");
});

test("a refused start is said at the field alone", async () => {
  const { page } = profile;
  await goto(() => "/chat", "chat-list-item")(page);
  await chat.startWith("ada.l");
  await page.getByText("Chat-Fehler: Sie können nicht mit sich selbst chatten").waitFor();
  expect(await page.getByTestId("toast").count()).toBe(0);
});

test("a bubble's name says who wrote it, when, and how far an own one came", async () => {
  const { page } = profile;
  await inChat(page);
  const named = (name: RegExp) => page.getByRole("group", { name });
  await named(/^ben\.k, \d\d:\d\d$/)
    .first()
    .waitFor();
  await named(/^You, \d\d:\d\d, (Sent|Read)$/)
    .first()
    .waitFor();
});

test("a photo keeps its shape", async () => {
  const { page } = profile;
  await inChat(page);
  const shape = async () => {
    const box = await page.getByTestId("open-photo").first().boundingBox();
    return box === null ? 0 : Math.round((10 * box.width) / box.height) / 10;
  };
  await expect.poll(shape).toBe(1.5);
});

test("a badge of many unread messages leaves the profile's picture free", async () => {
  const { page } = profile;
  const eve = await signUp(app, { username: "eve" });
  const id = await begin(eve);
  await Promise.all(Array.from({ length: 101 }, (_, i) => say(eve, id, `Line ${i}`, i)));
  await chat.open(app.url);
  const badge = chat.chatsButton.getByText("99+");
  await badge.waitFor();
  const [mark, face] = [
    await badge.boundingBox(),
    await page.getByTestId("profile-menu").boundingBox(),
  ];
  expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual(face?.x ?? 0);
});

test("without a server the mark says 'Offline', also beside the number of what waits, on every phone", async () => {
  const { page } = profile;
  await inChat(page);
  await app.stop();
  await chat.write("Later then");
  const mark = page.getByTestId("waiting-mark");
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await page.locator('[data-testid="waiting-mark"][data-offline="true"]').waitFor();
    const short = () => mark.locator('span[aria-hidden="true"]').allInnerTexts();
    await expect.poll(short).toEqual(["Offline", expect.stringMatching(/^\d$/)]);
    await page.getByRole("link", { name: /^Waiting to be sent Offline · \d waiting/ }).waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await mark.getByText("Offline", { exact: true }).and(page.locator(":visible")).waitFor();
    // Beside it the product's name is not cut to its first letter.
    await page.locator(".shell-brand span").waitFor({ state: "hidden" });
  }
  await app.restart();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator(".shell-brand span").waitFor();
});
