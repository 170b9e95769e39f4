/** Following in the gallery: whom to follow, what they post, without a network too, and for members alone. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { takePicture } from "@tests/support/look-at-page";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";

const PHONE = { width: 390, height: 844 };
let app: App;
let ben: SignedIn;
let cleo: SignedIn;

beforeAll(async () => {
  app = await startApp();
  const { token } = await createSuperuser(app);
  ben = await signUp(app, { username: "ben" });
  cleo = await signUp(app, { username: "cleo" });
  for (const [owner, name] of [
    [ben, "Harbour"],
    [cleo, "Garden"],
  ] as const) {
    const media = [1, 2].map((age) => ({
      id: `${name.toLowerCase()}${age}`.padEnd(15, "0"),
      caption: `${name} ${age}`,
      age,
    }));
    await seedMedia(app, token, owner.id, media);
  }
  const tagged = { id: "evening3".padEnd(15, "0"), caption: "Evening 3 by the #kuste", age: 30 };
  await seedMedia(app, token, cleo.id, [tagged]);
});
afterAll(() => app?.stop());

async function enter(viewport = PHONE): Promise<Profile> {
  const profile = await openProfile({ viewport });
  await new LoginPage(profile.page).enter(app.url, await signUp(app));
  return profile;
}

const captions = (page: Page) =>
  page
    .getByTestId("media-card")
    .evaluateAll((cards) => cards.map((card) => /\w+ \d/.exec(card.textContent ?? "")?.[0]));

test("an empty list says whom one might follow, and holds what they post once one does", async () => {
  const profile = await enter();
  const { page } = profile;
  await untilControlled(page);
  const gallery = new GalleryPage(page);
  await gallery.sort("following");
  await page.getByText("Nothing from those you follow yet").waitFor();
  const people = page.getByTestId("suggested-people").getByRole("listitem");
  await expect.poll(() => people.count()).toBe(2);
  await takePicture(page, "following-nobody");
  await page.locator(`[data-person="${ben.id}"]`).getByTestId("follow").click();
  await expect.poll(() => captions(page)).toEqual(["Harbour 1", "Harbour 2"]);
  await takePicture(page, "following");
  await profile.context.setOffline(true);
  await page.reload();
  await expect.poll(() => captions(page)).toEqual(["Harbour 1", "Harbour 2"]);
  await profile.context.setOffline(false);
  await profile.close();
});

test("a tag is followed on its page, without a network too, and found again in the profile", async () => {
  const profile = await enter();
  const { page } = profile;
  await untilControlled(page);
  await page.goto(`${app.url}/tag/K%C3%BCste`);
  await page.getByText("Evening").waitFor();
  const follow = page.getByRole("button", { name: "Follow #Küste", exact: true });
  await follow.waitFor();
  await profile.context.setOffline(true);
  await follow.click();
  await page.getByRole("button", { name: "Unfollow #Küste" }).waitFor();
  await takePicture(page, "tag-followed");
  await page.goto(`${app.url}/outbox`);
  await page.getByText("#Küste").waitFor();
  await takePicture(page, "tag-queued");
  await profile.context.setOffline(false);
  await page.getByText("#Küste").waitFor({ state: "detached" });
  await page.goto(app.url);
  await new GalleryPage(page).sort("following");
  await expect.poll(() => captions(page)).toEqual(["Evening 3"]);
  await page.goto(`${app.url}/profile`);
  await page.getByTestId("count-following").click();
  await page.getByText("You follow 0 people.").waitFor();
  await takePicture(page, "tags-followed");
  await page.getByTestId("followed-tags").getByRole("link", { name: "#Küste" }).click();
  await page.getByTestId("unfollow").click();
  await follow.waitFor();
  await profile.close();
});

test("without a network an empty list says so, and asks again once there is one", async () => {
  const profile = await enter();
  const { page } = profile;
  await untilControlled(page);
  await profile.context.setOffline(true);
  await new GalleryPage(page).sort("following");
  await page.getByTestId("gallery-offline").waitFor();
  await profile.context.setOffline(false);
  await page.getByTestId("suggested-people").waitFor();
  await profile.close();
});

test("it stands beside the other orders for members alone", async () => {
  const profile = await enter({ width: 1280, height: 800 });
  const { page } = profile;
  await page.getByTestId("sort-following").click();
  await page.getByText("Nothing from those you follow yet").waitFor();
  await takePicture(page, "following-wide");
  const visitor = await openProfile({ viewport: { width: 1280, height: 800 } });
  await visitor.page.goto(app.url);
  await new GalleryPage(visitor.page).untilLive();
  expect(await visitor.page.getByTestId("sort-latest").count()).toBe(1);
  expect(await visitor.page.getByTestId("sort-following").count()).toBe(0);
  await visitor.close();
  await profile.close();
});
