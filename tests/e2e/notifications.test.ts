/** What one is told of: the bell, the list, where each leads, and all of that without a network. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { takePicture } from "@tests/support/look-at-page";
import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { LoginPage } from "./pages/login-page";

const records = (collection: string) => `/api/collections/${collection}/records`;

let app: App;
let superuser: SignedIn;
let ada: SignedIn;
let friends: SignedIn[];
let mediaId: string;
let profile: Profile;
let page: Page;

async function make(collection: string, body: object, who: SignedIn): Promise<string> {
  const answer = await app.api("POST", records(collection), body, who.token);
  expect(answer.status).toBe(200);
  return answer.body.id;
}

async function publish(caption: string, owner = ada): Promise<string> {
  const form = new FormData();
  const fields = { userId: owner.id, username: "ada", type: "photo", caption, tags: "[]" };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  for (const field of ["width", "height"]) form.set(field, "64");
  form.set("contentType", "image/jpeg");
  for (const field of ["file", "thumbnail"]) {
    form.set(field, new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }), "photo.jpg");
  }
  return make("media", form, superuser);
}

const like = (who: SignedIn) => make("likes", { mediaId, userId: who.id }, who);
const comment = (who: SignedIn, text: string) =>
  make("comments", { mediaId, userId: who.id, text }, who);
const follow = (who: SignedIn) => make("follows", { followerId: who.id, followingId: ada.id }, who);

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
});
afterAll(() => app?.stop());

let turn = 0;
beforeEach(async () => {
  turn += 1;
  ada = await signUp(app, { username: `ada${turn}` });
  friends = await Promise.all(
    ["ben", "cleo", "dan"].map((name) => signUp(app, { username: `${name}${turn}` })),
  );
  mediaId = await publish("Evening over the harbour");
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  await new LoginPage(page).enter(app.url, ada);
  await untilControlled(page);
});
afterEach(async () => {
  const errors = profile?.errors;
  await profile?.close();
  expect(errors).toEqual([]);
});

const bell = () => page.getByTestId("notifications-button");
const unread = () => bell().getAttribute("data-unread");
const rows = () => page.getByTestId("notification");
const textsOf = () =>
  rows().evaluateAll((all) => all.map((row) => row.querySelector("[data-what]")?.textContent));

test("the bell counts what comes while one looks, and the list tells it, the newest first", async () => {
  await expect.poll(unread).toBe("0");
  for (const friend of friends) await like(friend);
  await comment(friends[0] as SignedIn, "How calm");
  await follow(friends[1] as SignedIn);
  await expect.poll(unread).toBe("5");
  expect(await bell().getAttribute("aria-label")).toBe("Notifications, 5 new");
  await bell().click();
  await expect
    .poll(textsOf)
    .toEqual([
      `cleo${turn} follows you`,
      `ben${turn} commented on your photo`,
      `dan${turn} and 2 others liked your photo`,
    ]);
  await expect.poll(unread).toBe("0");
  // What was new stays so until one leaves.
  expect(await page.getByTestId("is-new").count()).toBe(3);
  await takePicture(page, "notifications");
  await page.getByTestId("back").click();
  await bell().click();
  await rows().first().waitFor();
  expect(await page.getByTestId("is-new").count()).toBe(0);
  const filter = encodeURIComponent("readAt=''");
  const list = `${records("notifications")}?filter=${filter}`;
  await expect
    .poll(async () => (await app.api("GET", list, undefined, ada.token)).body.items.length)
    .toBe(0);
});

test("whom a comment names is told, and its words lead to people, tags and pages", async () => {
  const [ben, cleo] = friends as [SignedIn, SignedIn];
  mediaId = await publish(`On the #Pier with @dan${turn}`, ben);
  const said = await comment(cleo, `@ada${turn}: the #Küste, as in https://example.com/coast.`);
  await expect.poll(unread).toBe("1");
  await bell().click();
  await expect.poll(textsOf).toEqual([`cleo${turn} mentioned you`]);
  await rows().getByRole("link").click();
  const words = page.locator(`[data-comment-id="${said}"]`).getByTestId("comment-body");
  await words.waitFor();
  const hrefs = (place: Locator) =>
    place.getByRole("link").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  expect(await hrefs(words)).toEqual([
    `/user/ada${turn}`,
    "/tag/K%C3%BCste",
    "https://example.com/coast",
  ]);
  const caption = page.getByRole("heading", { level: 1 });
  expect(await hrefs(caption)).toEqual(["/tag/Pier", `/user/dan${turn}`]);
  await takePicture(page, "words-that-lead");
  await caption.getByRole("link", { name: "#Pier" }).click();
  await page.getByTestId("tag-page").waitFor();
  expect(new URL(page.url()).pathname).toBe("/tag/Pier");
  await page.locator(`[data-media-id="${mediaId}"]`).first().waitFor();
  await page.goBack();
  await words.getByRole("link", { name: `@ada${turn}` }).click();
  await expect.poll(() => page.getByTestId("profile-name").textContent()).toBe(`ada${turn}`);
});

test("each leads to where it happened, a comment far back too", async () => {
  const first = await comment(friends[0] as SignedIn, "The first of many");
  for (let at = 0; at < 24; at++) await comment(friends[1] as SignedIn, `Number ${at}`);
  await follow(friends[2] as SignedIn);
  await page.goto(`${app.url}/view/${mediaId}?comment=${first}`);
  const wanted = page.locator(`[data-comment-id="${first}"]`);
  await wanted.waitFor();
  await expect.poll(() => wanted.getAttribute("aria-current")).toBe("true");
  const inSight = () =>
    wanted.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await expect.poll(inSight).toBe(true);
  // A page that is drawn anew at its top, and grows again.
  await page.evaluate(() => window.scrollTo(0, 0));
  await comment(friends[1] as SignedIn, "Later");
  await page.getByText("Later", { exact: true }).waitFor();
  await expect.poll(inSight).toBe(true);
  // Who has moved stays there.
  await page.mouse.wheel(0, -10_000);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await comment(friends[1] as SignedIn, "The last");
  await page.getByText("The last", { exact: true }).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goto(`${app.url}/notifications`);
  await page.locator('[data-kind="follow"] a').click();
  await page.waitForURL(`${app.url}/user/dan${turn}`);
  await page.goBack();
  await page.locator('[data-kind="comment"] a').click();
  await page.waitForURL(/\/view\/.*\?comment=/);
});

test("without a network the list is there, and what one has read then goes once", async () => {
  await like(friends[0] as SignedIn);
  await expect.poll(unread).toBe("1");
  await bell().click();
  await rows().first().waitFor();
  await expect.poll(unread).toBe("0");
  await page.goto(app.url);
  await comment(friends[1] as SignedIn, "And now?");
  await expect.poll(unread).toBe("1");
  await profile.context.setOffline(true);
  await page.goto(`${app.url}/notifications`);
  await expect.poll(() => rows().count()).toBe(2);
  await expect.poll(unread).toBe("0");
  expect(await page.getByTestId("is-new").count()).toBe(1);
  await takePicture(page, "notifications-offline");
  await profile.context.setOffline(false);
  const unreadRows = async () => {
    const { body } = await app.api("GET", records("notifications"), undefined, ada.token);
    return body.items.filter(({ readAt }: { readAt: string }) => readAt === "").length;
  };
  await expect.poll(unreadRows).toBe(0);
});

test("an empty list says so, and each kind can be turned off", async () => {
  await bell().click();
  await page.getByTestId("notifications-empty").waitFor();
  await takePicture(page, "notifications-empty");
  await page.getByTestId("hear-like").click();
  const off = async () =>
    (await app.api("GET", `${records("users")}/${ada.id}`, undefined, ada.token)).body
      .notificationsOff;
  await expect.poll(off).toEqual(["like"]);
  await like(friends[0] as SignedIn);
  await comment(friends[0] as SignedIn, "Told all the same");
  await expect.poll(() => rows().count()).toBe(1);
  expect(await rows().first().getAttribute("data-kind")).toBe("comment");
});

test("who loses a medium to an admin reads why", async () => {
  const chief = friends[0] as SignedIn;
  await app.api("PATCH", `${records("users")}/${chief.id}`, { isAdmin: true }, superuser.token);
  const admin = await openProfile();
  try {
    await new LoginPage(admin.page).enter(app.url, chief);
    await new AdminPage(admin.page).open(app.url, "?tab=media");
    await admin.page.locator(`[data-media-id="${mediaId}"]`).getByTestId("delete-media").click();
    await admin.page.getByTestId("removal-reason").fill("It shows somebody who did not want that.");
    await takePicture(admin.page, "removal-reason");
    await admin.page.getByTestId("confirm").click();
    await expect.poll(unread).toBe("1");
  } finally {
    await admin.close();
  }
  await bell().click();
  await rows().first().waitFor();
  expect(await rows().first().innerText()).toContain("It shows somebody who did not want that.");
  expect(await textsOf()).toEqual(["An administrator removed “Evening over the harbour”"]);
});
