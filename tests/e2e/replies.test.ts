/** Replies: written under a comment, without a network too; told, and led to; gone with their comment. And edits. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { takePicture } from "@tests/support/look-at-page";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";

let app: App;
let token: string;
let ada: SignedIn;
let ben: SignedIn;
let mediaId: string;
/** Ben's. */
let asked: string;
let profile: Profile;
let page: Page;
let turn = 0;

beforeAll(async () => {
  app = await startApp();
  ({ token } = await createSuperuser(app));
});
afterAll(() => app?.stop());

async function say(who: SignedIn, text: string, parentId = ""): Promise<string> {
  const body = { mediaId, userId: who.id, text, parentId };
  const { status, body: made } = await app.api(
    "POST",
    "/api/collections/comments/records",
    body,
    who.token,
  );
  expect(status).toBe(200);
  return made.id;
}

async function enter(who: SignedIn, viewport = { width: 390, height: 844 }): Promise<Profile> {
  const opened = await openProfile({ viewport });
  await new LoginPage(opened.page).enter(app.url, who);
  await untilControlled(opened.page);
  return opened;
}

beforeEach(async () => {
  turn += 1;
  ada = await signUp(app, { username: `ada${turn}` });
  ben = await signUp(app, { username: `ben${turn}` });
  mediaId = `evening${turn}`.padEnd(15, "0");
  await seedMedia(app, token, ada.id, [{ id: mediaId, caption: "Evening by the sea", age: turn }]);
  asked = await say(ben, "Where is this? I would love to go there with the children one day.");
  await say(ben, "And that light!");
  profile = await enter(ada);
  page = profile.page;
});
afterEach(async () => {
  const errors = profile?.errors;
  await profile?.close();
  expect(errors).toEqual([]);
});

const thread = (of: Page, id = asked) => of.locator(`[data-comment-id="${id}"]`);
const replies = (of: Page) => of.getByTestId("reply-list").getByTestId("comment");
const open = (of: Page, query = "") => of.goto(`${app.url}/view/${mediaId}${query}`);

test("a reply is written under its comment without a network, and its author is told and led to it", async () => {
  await open(page);
  await thread(page).getByTestId("reply-to-comment").click();
  await profile.context.setOffline(true);
  const form = thread(page).getByTestId("reply-form");
  await expect
    .poll(() => form.getByTestId("comment-text").evaluate((box) => box === document.activeElement))
    .toBe(true);
  await takePicture(page, "reply-form");
  await page.keyboard.type("On Amrum, at the southern end.");
  await page.keyboard.press("Control+Enter");
  await replies(page).getByTestId("comment-pending").waitFor();
  expect(await thread(page).getByTestId("show-replies").textContent()).toBe("1 reply");
  expect(await form.count()).toBe(0);
  await takePicture(page, "reply-waits");
  await profile.context.setOffline(false);
  await page.locator('[data-testid="reply-list"] [data-state="stored"]').waitFor();

  const other = await enter(ben, { width: 1280, height: 800 });
  await other.page.goto(`${app.url}/notifications`);
  const told = other.page.locator('[data-kind="reply"] a');
  await expect.poll(() => told.textContent()).toContain(`ada${turn} replied to your comment`);
  await takePicture(other.page, "reply-told");
  await told.click();
  const named = replies(other.page).filter({ hasText: "On Amrum" });
  await expect.poll(() => named.getAttribute("aria-current")).toBe("true");
  await expect.poll(() => named.evaluate((one) => one === document.activeElement)).toBe(true);
  await takePicture(other.page, "reply-found");
  // A reply to a reply stands under the same comment, and names whom it answers.
  await named.getByTestId("reply-to-comment").click();
  const box = thread(other.page).getByTestId("reply-form").getByTestId("comment-text");
  await expect.poll(() => box.inputValue()).toBe(`@ada${turn} `);
  await other.page.keyboard.type("Thank you!");
  await thread(other.page).getByTestId("send-comment").click();
  await expect.poll(() => replies(page).count()).toBe(2);
  expect(await replies(page).last().textContent()).toContain("Thank you!");
  expect(other.errors).toEqual([]);
  await other.close();
});

test("who owns the medium deletes a comment with its replies, which are fewer by so many at once", async () => {
  await say(ada, "On Amrum", asked);
  await say(ben, "Oh", asked);
  await open(page);
  await page.getByRole("button", { name: "4 comments" }).waitFor();
  await thread(page).getByTestId("show-replies").click();
  await expect.poll(() => replies(page).count()).toBe(2);
  await takePicture(page, "replies");
  await profile.context.setOffline(true);
  await thread(page).getByTestId("delete-comment").first().click();
  await page.getByText("The replies to it will be deleted, too.").waitFor();
  await takePicture(page, "replies-delete");
  await page.getByTestId("confirm").click();
  await expect.poll(() => thread(page).count()).toBe(0);
  await page.getByRole("button", { name: "1 comment", exact: true }).waitFor();
  await profile.context.setOffline(false);
  const left = async () => {
    const filter = encodeURIComponent(`mediaId = "${mediaId}"`);
    const { body } = await app.api("GET", `/api/collections/comments/records?filter=${filter}`);
    return body.items.map(({ text }: { text: string }) => text);
  };
  await expect.poll(left).toEqual(["And that light!"]);
});

test("more replies than a page come on demand; without a network it says that they are to come; a visitor reads them", async () => {
  for (let n = 1; n <= 35; n++) await say(ben, `Number ${n}`, asked);
  const visitor = await openProfile({ viewport: { width: 1280, height: 800 } });
  await open(visitor.page);
  const media = new MediaPage(visitor.page);
  await media.shows(mediaId);
  const toggle = thread(visitor.page).getByTestId("show-replies");
  await toggle.focus();
  await visitor.page.keyboard.press("Enter");
  await expect.poll(() => replies(visitor.page).last().textContent()).toContain("Number 35");
  await takePicture(visitor.page, "replies-many");
  await thread(visitor.page).getByTestId("more-replies").click();
  await expect.poll(() => replies(visitor.page).first().textContent()).toContain("Number 1");
  expect(await visitor.page.getByTestId("reply-to-comment").count()).toBe(0);
  await visitor.page.keyboard.press("Escape");
  await toggle.click();
  expect(await replies(visitor.page).count()).toBe(0);
  await visitor.close();

  // One that came later has the comment, and not what was said to it before.
  const later = await enter(ada);
  await open(later.page);
  await thread(later.page).getByTestId("show-replies").waitFor();
  await later.context.setOffline(true);
  await thread(later.page).getByTestId("show-replies").click();
  await later.page.getByText("The replies aren't on this device yet.").waitFor();
  await takePicture(later.page, "replies-offline");
  await later.context.setOffline(false);
  await expect.poll(() => replies(later.page).last().textContent()).toContain("Number 35");
  expect(later.errors).toEqual([]);
  await later.close();
});

test("an own comment is changed without a network, says so, and stays as it was where the text is none", async () => {
  const mine = await say(ada, "On Arumm");
  await open(page);
  await thread(page, mine).getByTestId("edit-comment").waitFor();
  await profile.context.setOffline(true);
  await thread(page, mine).getByTestId("edit-comment").click();
  const box = page.getByTestId("edit-comment-text");
  await box.fill(" ");
  await page.getByTestId("save-comment").click();
  await page.getByText("Please write something first.").waitFor();
  await box.fill("On Amrum");
  await takePicture(page, "comment-edit");
  await page.getByTestId("save-comment").click();
  await expect.poll(() => thread(page, mine).textContent()).toContain("On Amrum");
  await thread(page, mine).getByTestId("comment-edited").waitFor();
  await takePicture(page, "comment-edited");
  expect(await thread(page).getByTestId("edit-comment").count()).toBe(0);
  await profile.context.setOffline(false);
  const visitor = await openProfile({ viewport: { width: 1280, height: 800 } });
  await expect
    .poll(async () => (await app.api("GET", `/api/collections/comments/records/${mine}`)).body.text)
    .toBe("On Amrum");
  await open(visitor.page);
  await thread(visitor.page, mine).getByText("edited").waitFor();
  await visitor.close();
});

test("whose picture it is closes its comments without a network, and opens them again", async () => {
  await open(page);
  await thread(page).getByTestId("reply-to-comment").waitFor();
  await profile.context.setOffline(true);
  const set = async () => {
    await page.getByTestId("media-menu").click();
    await page.getByTestId("edit-media").click();
    await page.getByTestId("close-comments").click();
    await takePicture(page, "close-comments");
    await page.getByTestId("save-edit").click();
  };
  await set();
  await page.getByTestId("comments-closed").waitFor();
  expect(await page.getByTestId("comment-form").count()).toBe(0);
  expect(await thread(page).getByTestId("reply-to-comment").count()).toBe(0);
  await takePicture(page, "comments-closed");
  await profile.context.setOffline(false);
  const reader = await enter(ben, { width: 1280, height: 800 });
  const closed = async () =>
    (await app.api("GET", `/api/collections/media/records/${mediaId}`)).body.commentsClosed;
  await expect.poll(closed).toBe(true);
  await open(reader.page);
  await reader.page.getByTestId("comments-closed").waitFor();
  await set();
  await expect.poll(closed).toBe(false);
  await reader.page.getByTestId("comment-form").waitFor();
  expect(reader.errors).toEqual([]);
  await reader.close();
});

test("a comment is liked without a network, its author is told, and the most liked come first for whoever asks", async () => {
  await open(page);
  const heart = thread(page).getByTestId("like-comment");
  await heart.waitFor();
  await profile.context.setOffline(true);
  await heart.click();
  await expect.poll(() => heart.getAttribute("aria-pressed")).toBe("true");
  expect(await heart.getAttribute("data-likes")).toBe("1");
  await takePicture(page, "comment-liked");
  await profile.context.setOffline(false);
  const likes = async () =>
    (await app.api("GET", `/api/collections/comments/records/${asked}`)).body.likes;
  await expect.poll(likes).toBe(1);
  const reader = await enter(ben, { width: 1280, height: 800 });
  await open(reader.page);
  const first = () =>
    reader.page.locator("[data-comment-id]").first().getAttribute("data-comment-id");
  await reader.page.getByTestId("comments-liked").waitFor();
  expect(await first()).not.toBe(asked);
  await reader.page.getByTestId("comments-liked").click();
  await expect.poll(first).toBe(asked);
  await takePicture(reader.page, "comments-liked");
  await reader.page.goto(`${app.url}/notifications`);
  await reader.page.getByText("liked your comment").waitFor();
  expect(reader.errors).toEqual([]);
  await reader.close();
});
