/** People and words are muted: at once and without a network, seen in the settings, and taken back. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { goOn } from "@tests/support/go-on";
import { takePicture } from "@tests/support/look-at-page";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";

let app: App;
let me: SignedIn;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  app = await startApp();
  const superuser = await createSuperuser(app);
  const ann = await signUp(app, { username: "ann" });
  const ben = await signUp(app, { username: "ben" });
  me = await signUp(app, { username: "mia" });
  const rows = (name: string, captions: string[]) =>
    captions.map((caption, n) => ({ id: `${name}${n}`.padEnd(15, "0"), caption, age: n + 1 }));
  await seedMedia(app, superuser.token, ann.id, rows("ann", ["Modern art", "A party"]));
  await seedMedia(app, superuser.token, ben.id, rows("ben", ["Harbour"]));
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  await new LoginPage(page).enter(app.url, me);
  await untilControlled(page);
});
afterEach(() => expect(profile.errors).toEqual([]));
afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const gallery = () => new GalleryPage(page);
const seen = async (caption: string) => (await gallery().card(caption).count()) > 0;
const rows = async (): Promise<{ mutedId: string; word: string }[]> =>
  (await app.api("GET", "/api/collections/blocks/records", undefined, me.token)).body.items;

test("somebody is muted from the profile without a network, and is seen there alone until unmuted", async () => {
  await goOn(page, `${app.url}/user/ann`);
  await page.getByTestId("media-card").first().waitFor();
  await page.getByTestId("more-options").waitFor();
  await profile.context.setOffline(true);
  await page.getByTestId("more-options").click();
  await page.getByTestId("mute-user").click();
  await page.getByTestId("muted-notice").waitFor();
  expect(await page.getByTestId("media-card").count()).toBe(2);
  await takePicture(page, "muted-person");
  await goOn(page, `${app.url}/`);
  await gallery().card("Harbour").waitFor();
  expect(await seen("Modern art")).toBe(false);
  await profile.context.setOffline(false);
  await expect.poll(async () => (await rows()).length).toBe(1);
  await page.goto(`${app.url}/profile?tab=settings`);
  const panel = page.getByTestId("muted");
  await panel.getByText("ann", { exact: true }).waitFor();
  await panel.scrollIntoViewIfNeeded();
  await takePicture(page, "muted-settings");
  await panel.getByTestId("unmute").click();
  await panel.getByTestId("unmute").waitFor({ state: "detached" });
  await expect.poll(rows).toEqual([]);
  await goOn(page, `${app.url}/`);
  await gallery().card("Modern art").waitFor();
});

test("a word is muted in the settings and hides what has it, until it is taken back", async () => {
  await page.goto(`${app.url}/profile?tab=settings`);
  const word = page.getByTestId("word-to-mute");
  await word.fill("ART");
  await word.press("Enter");
  await page.getByTestId("muted-word").waitFor();
  await expect.poll(() => word.inputValue()).toBe("");
  await goOn(page, `${app.url}/`);
  await gallery().card("A party").waitFor();
  expect(await seen("Modern art")).toBe(false);
  await expect.poll(rows).toMatchObject([{ word: "ART", mutedId: "" }]);
  await goOn(page, `${app.url}/profile?tab=settings`);
  await page.getByTestId("unmute-word").focus();
  await takePicture(page, "muted-word");
  await page.keyboard.press("Enter");
  await page.getByTestId("muted-word").waitFor({ state: "detached" });
  await goOn(page, `${app.url}/`);
  await gallery().card("Modern art").waitFor();
});
