/** Two people chat, each in a browser of their own, with and without a network. */

import {
  type App,
  type LastingProfile,
  openLastingProfile,
  startApp,
} from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatPage } from "./pages/chat-page";
import { LoginPage } from "./pages/login-page";
import { photoFile } from "./pages/upload-page";

let app: App;
let ada: { profile: LastingProfile; chat: ChatPage; who: SignedIn };
let ben: { profile: LastingProfile; chat: ChatPage; who: SignedIn };
let conversation: string;

async function personAt(username: string, viewport: { width: number; height: number }) {
  const who = await signUp(app, { username });
  const profile = await openLastingProfile({ viewport });
  await new LoginPage(profile.page).enter(app.url, who);
  return { profile, who, chat: new ChatPage(profile.page) };
}

beforeAll(async () => {
  app = await startApp();
  ada = await personAt("ada.l", { width: 390, height: 844 });
  ben = await personAt("ben.k", { width: 1280, height: 800 });
  conversation = [ada.who.id, ben.who.id].sort().join("_");
});

afterAll(async () => {
  await ada?.profile.close();
  await ben?.profile.close();
  await app?.stop();
});

interface Stored {
  id: string;
  message: string;
  type: string;
  image: string;
  deleted: boolean;
}

const stored = async (): Promise<Stored[]> => {
  const filter = encodeURIComponent(`conversationId = "${conversation}"`);
  const path = `/api/collections/messages/records?sort=ord&perPage=500&filter=${filter}`;
  return (await app.api("GET", path, undefined, ben.who.token)).body.items;
};
const texts = async (): Promise<string[]> => (await stored()).map(({ message }) => message);

const unread = (chat: ChatPage, count: number) =>
  expect.poll(() => chat.chatsButton.getAttribute("data-unread")).toBe(String(count));

const isShown = (picture: Locator) =>
  expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);

test("a chat that cannot be started says why, and one that can opens empty", async () => {
  const { chat, profile } = ada;
  await chat.open(app.url);
  await chat.empty.waitFor();
  const faults = [
    ["  ", "Bitte geben Sie einen Benutzernamen ein"],
    ["nobody.here", "Benutzer nicht gefunden"],
    ["ADA.L", "Sie können nicht mit sich selbst chatten"],
  ] as const;
  for (const [name, text] of faults) {
    await chat.startWith(name);
    const said = profile.page.getByTestId("start-chat").getByText(text);
    await said.waitFor();
    expect(await said.getAttribute("lang")).toBe("de");
  }
  await chat.startWith("ben.k");
  await chat.partner.getByText("ben.k").waitFor();
  await profile.page.getByText("No messages yet. Write the first message!").waitFor();
  expect(chat.conversationId()).toBe(conversation);
});

test("what one writes the other sees at once: badge, list, bubble, and two ticks once it was read", async () => {
  await ben.chat.open(app.url);
  await ben.chat.item("ada.l").waitFor();
  await ada.chat.write("Hello Ben\nsecond line https://example.com/a?b=1.");
  await ada.chat.messageIn("Hello Ben", "sent").waitFor();
  await unread(ben.chat, 1);
  const item = ben.chat.item("ada.l");
  await item.getByTestId("last-message").getByText("Hello Ben").waitFor();
  expect(await item.getAttribute("data-unread")).toBe("1");
  const announced = ben.profile.page.evaluate(
    () =>
      new Promise((resolve) =>
        window.addEventListener("messages-read", (event) =>
          resolve((event as CustomEvent<unknown>).detail),
        ),
      ),
  );
  await ben.chat.openChat("ada.l");
  expect(await announced).toEqual({ conversationId: conversation, userId: ben.who.id });
  await unread(ben.chat, 0);
  await ada.chat.messageIn("Hello Ben", "read").waitFor();
  const link = ben.chat.message("Hello Ben").getByRole("link");
  expect(await link.getAttribute("href")).toBe("https://example.com/a?b=1");
  expect(await link.getAttribute("rel")).toContain("noopener");
  expect(await link.getAttribute("rel")).toContain("noreferrer");
});

test("a photo with words is sent, opens in full, and is given to nobody without a token", async () => {
  const { chat, profile } = ada;
  const { page } = profile;
  await chat.attach({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("no") });
  await chat.attach(photoFile("pier.jpg", await drawPhoto(profile.context, 30)));
  await page.getByTestId("photo-preview").waitFor();
  await page.getByTestId("cancel-photo").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await chat.attach(photoFile("pier.jpg", await drawPhoto(profile.context, 60)));
  await chat.sendPhoto("The pier");
  await chat.messageIn("The pier", "read").waitFor();
  const theirs = ben.chat.message("The pier");
  await isShown(theirs.getByTestId("message-photo"));
  await theirs.getByTestId("open-photo").click();
  await isShown(ben.profile.page.getByTestId("whole-photo"));
  await ben.profile.page.getByTestId("zoom-in").click();
  await expect
    .poll(() => ben.profile.page.getByTestId("view-photo").getAttribute("data-zoom"))
    .toBe("1.5");
  await ben.profile.page.keyboard.press("Escape");
  await ben.profile.page.getByTestId("view-photo").waitFor({ state: "detached" });
  const photo = (await stored()).find(({ type }) => type === "photo");
  const file = await app.api("GET", `/api/files/messages/${photo?.id}/${photo?.image}`);
  expect(file.status).toBe(404);
});

test("without a network the chat is there after a fresh start, takes text and photo and keeps the draft, and sends all in order, once", async () => {
  const { chat, profile } = ada;
  const { page } = profile;
  const before = await texts();
  await untilControlled(page);
  await app.stop();
  await chat.write("one, from the tunnel");
  await chat.attach(photoFile("tunnel.jpg", await drawPhoto(profile.context, 90)));
  await chat.sendPhoto("two, a picture");
  await chat.write("three, still in it");
  await chat.input.fill("four, not finished");
  // Words stand on the screen while they are being stored; the mark counts what is.
  await page.getByTestId("waiting-mark").getByText("3 waiting").waitFor();
  await profile.reopen();
  const again = new ChatPage(profile.page);
  ada.chat = again;
  await profile.page.goto(`${app.url}/chat`);
  await again.item("ben.k").getByText("You: three, still in it").waitFor();
  await again.openChat("ben.k");
  for (const text of ["one, from the tunnel", "two, a picture", "three, still in it"]) {
    await again.messageIn(text, "waiting").waitFor();
  }
  await isShown(again.message("two, a picture").getByTestId("message-photo"));
  // Seen before the network went: out of this person's own cache.
  await isShown(again.message("The pier").getByTestId("message-photo"));
  expect(await again.input.inputValue()).toBe("four, not finished");
  await app.restart();
  await again.input.press("Enter");
  await again.messageIn("four, not finished", "read").waitFor();
  expect((await texts()).slice(before.length)).toEqual([
    "one, from the tunnel",
    "two, a picture",
    "three, still in it",
    "four, not finished",
  ]);
  const seen = ben.chat.messages;
  await expect.poll(() => seen.last().textContent()).toContain("four, not finished");
});

test("a deleted message is gone for both, words and file", async () => {
  const { page } = ada.profile;
  const mine = ada.chat.message("The pier");
  const id = await mine.getAttribute("data-message-id");
  await mine.hover();
  await mine.getByTestId("delete-message").click();
  await page.getByRole("alertdialog").waitFor();
  await page.getByTestId("confirm").click();
  await ada.chat.message("The pier").waitFor({ state: "detached" });
  const theirs = ben.profile.page.locator(`[data-message-id="${id}"]`);
  await theirs.getByText("This message was deleted").waitFor();
  await expect
    .poll(async () => (await stored()).find((row) => row.id === id))
    .toMatchObject({ deleted: true, message: "", image: "" });
  expect(await theirs.getByTestId("delete-message").count()).toBe(0);
});

test("after a block a message stands refused with its reason; Retry asks again, Discard removes it", async () => {
  const { chat, profile } = ben;
  await profile.page.getByTestId("chat-menu").click();
  await profile.page.getByTestId("block-user").click();
  await profile.page.getByText("Block ada.l?").waitFor();
  await profile.page.keyboard.press("Escape");
  await profile.page.getByRole("alertdialog").waitFor({ state: "detached" });
  await chat.input.waitFor();
  await profile.page.getByTestId("chat-menu").click();
  await profile.page.getByTestId("block-user").click();
  await profile.page.getByTestId("confirm").click();
  await chat.notice.getByText("ada.l has been blocked").waitFor();
  await chat.notice.getByRole("button").click();
  await profile.page.waitForURL(`${app.url}/chat`);
  await chat.item("ada.l").getByTestId("chat-blocked").waitFor();
  await chat.openChat("ada.l");
  await chat.blockedBar.getByText("This user has been blocked").waitFor();
  expect(await chat.input.count()).toBe(0);
  expect(await profile.page.getByTestId("chat-menu").count()).toBe(0);
  const block = `/api/collections/blocks/records/${ben.who.id}_${ada.who.id}`;
  await expect
    .poll(async () => (await app.api("GET", block, undefined, ben.who.token)).status)
    .toBe(200);
  await ada.chat.write("Are you there?");
  const refused = ada.chat.messageIn("Are you there?", "refused");
  await refused.getByText("Chat mit blockiertem Benutzer nicht möglich").waitFor();
  await chat.blockedBar.getByTestId("unblock").click();
  await chat.input.waitFor();
  await expect
    .poll(async () => (await app.api("GET", block, undefined, ben.who.token)).status)
    .toBe(404);
  await refused.getByTestId("retry-message").click();
  // Ben has the conversation before him: what arrives is read.
  await ada.chat.messageIn("Are you there?", "read").waitFor();
  await expect.poll(texts).toContain("Are you there?");
  const pair = { blockerId: ben.who.id, blockedId: ada.who.id };
  const id = `${ben.who.id}_${ada.who.id}`;
  await app.api("POST", "/api/collections/blocks/records", { id, ...pair }, ben.who.token);
  await ada.chat.write("And now?");
  const second = ada.chat.messageIn("And now?", "refused");
  await second.getByTestId("discard-message").click();
  await ada.chat.message("And now?").waitFor({ state: "detached" });
  expect(await texts()).not.toContain("And now?");
});

test("who signs out leaves neither messages nor pictures nor drafts behind", async () => {
  const { page } = ada.profile;
  await ada.chat.input.fill("a secret");
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
  const left = () =>
    page.evaluate(async () => ({
      caches: (await caches.keys()).filter((name) => name.startsWith("private-media")),
      drafts: Object.values(localStorage).filter((value) => value === "a secret"),
    }));
  await expect.poll(left).toEqual({ caches: [], drafts: [] });
  await page.goto(`${app.url}/chat/${conversation}`);
  await page.waitForURL(`${app.url}/login?next=${encodeURIComponent(`/chat/${conversation}`)}`);
  expect([...ada.profile.errors, ...ben.profile.errors]).toEqual([]);
});
