/** What one saves: at once and without a network, in folders, kept on each of one's devices. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { takePicture } from "@tests/support/look-at-page";
import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";

const records = (collection: string) => `/api/collections/${collection}/records`;

let app: App;
let superuser: SignedIn;
let ada: SignedIn;
let ben: SignedIn;
let profile: Profile;
let page: Page;
let turn = 0;
const ids: string[] = [];

async function publish(caption: string): Promise<void> {
  const form = new FormData();
  const fields = { userId: ada.id, username: "ada", type: "photo", caption, tags: "[]" };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  for (const field of ["width", "height"]) form.set(field, "64");
  form.set("contentType", "image/jpeg");
  form.set("file", new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }), "photo.jpg");
  const { status, body } = await app.api("POST", records("media"), form, superuser.token);
  expect(status).toBe(200);
  ids.push(body.id);
}

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  ada = await signUp(app, { username: "ada" });
  for (const caption of ["Pier", "Harbour", "Dunes"]) await publish(caption);
});
afterAll(() => app?.stop());

beforeEach(async () => {
  turn += 1;
  ben = await signUp(app, { username: `ben${turn}` });
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  await new LoginPage(page).enter(app.url, ben);
  await untilControlled(page);
});
afterEach(async () => {
  const errors = profile?.errors;
  await profile?.close();
  expect(errors).toEqual([]);
});

const save = (of = page) => of.getByTestId("save");
const isPressed = (of = page) => save(of).getAttribute("aria-pressed");
const captions = () => page.getByTestId("saved").locator(".shell-title").allTextContents();
const rows = async (): Promise<{ mediaId: string; name: string }[]> =>
  (await app.api("GET", records("saves"), undefined, ben.token)).body.items;
async function openSaved(): Promise<void> {
  await page.goto(`${app.url}/profile?tab=saved`);
  await page.getByTestId("saved").waitFor();
}

test("what one saves without a network stands at once, is found in one's profile, and is sent later", async () => {
  await openSaved();
  await page.getByTestId("saved-empty").waitFor();
  await takePicture(page, "saved-empty");
  await page.goto(`${app.url}/view/${ids[0]}`);
  await save().waitFor();
  expect(await isPressed()).toBe("false");
  await profile.context.setOffline(true);
  await save().click();
  await expect.poll(isPressed).toBe("true");
  expect(await page.getByTestId("like").getAttribute("aria-pressed")).toBe("false");
  await takePicture(page, "saved");
  await openSaved();
  await expect.poll(captions).toEqual(["Pier"]);
  await profile.context.setOffline(false);
  await expect.poll(async () => (await rows()).map(({ mediaId }) => mediaId)).toEqual([ids[0]]);
  await page.goto(`${app.url}/view/${ids[0]}`);
  await expect.poll(isPressed).toBe("true");
  await save().click();
  await expect.poll(async () => (await rows()).length).toBe(0);
});

test("folders are made where one saves, chosen among, renamed, and taken away without what is in them", async () => {
  await page.goto(`${app.url}/view/${ids[0]}`);
  await page.getByTestId("media-menu").click();
  await page.getByTestId("choose-folder").click();
  await page.getByTestId("folder-name").fill("North Sea");
  await takePicture(page, "choose-folder");
  await page.keyboard.press("Enter");
  await page.getByTestId("new-folder").waitFor({ state: "detached" });
  await expect.poll(isPressed).toBe("true");
  await page.goto(`${app.url}/view/${ids[1]}`);
  await save().click();
  await expect.poll(isPressed).toBe("true");
  await openSaved();
  await expect.poll(captions).toEqual(["Harbour", "Pier"]);
  const chip = page.getByTestId("saved").getByRole("button", { name: "North Sea" }).first();
  await chip.click();
  await expect.poll(captions).toEqual(["Pier"]);
  await takePicture(page, "saved-folder");
  await page.getByTestId("folder-menu").click();
  await page.getByTestId("rename-folder").click();
  await page.getByTestId("folder-name").fill("Islands");
  await page.getByTestId("save-folder-name").click();
  await page.getByTestId("saved").getByRole("button", { name: "Islands" }).first().waitFor();
  await expect.poll(async () => (await rows()).map(({ name }) => name)).toContain("Islands");
  await page.getByTestId("folder-menu").click();
  await page.getByTestId("delete-folder").click();
  await page.getByTestId("confirm").click();
  await expect.poll(captions).toEqual(["Harbour", "Pier"]);
  await expect.poll(async () => (await rows()).length).toBe(2);
});

test("what one saved on another device is kept on this one, and looked at without a network", async () => {
  const body = { userId: ben.id, mediaId: ids[2] };
  expect((await app.api("POST", records("saves"), body, ben.token)).status).toBe(200);
  await openSaved();
  await expect.poll(captions).toEqual(["Dunes"]);
  await page.goto(`${app.url}/device`);
  const list = page.getByTestId("kept-list").filter({ hasText: "Saved" });
  await list.getByText("All here").waitFor();
  await takePicture(page, "device-saved");
  await profile.context.setOffline(true);
  await list.getByRole("link").click();
  await expect.poll(captions).toEqual(["Dunes"]);
  await page.goto(`${app.url}/view/${ids[2]}`);
  const picture = page.getByTestId("media-detail").locator("img").first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await profile.context.setOffline(false);
});

test("a visitor who saves is led to the login, and back", async () => {
  const visitor = await openProfile({ viewport: { width: 1280, height: 800 } });
  await visitor.page.goto(`${app.url}/view/${ids[0]}`);
  await save(visitor.page).click();
  await visitor.page.getByTestId("login-form").waitFor();
  expect(visitor.errors).toEqual([]);
  await visitor.close();
});
