/** Names and tags that are offered where somebody writes `@` or `#`: whose, from where, and by which keys. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { takePicture } from "@tests/support/look-at-page";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";

const MEDIUM = "medium000000001";

let app: App;
let ada: SignedIn;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  app = await startApp();
  const superuser = await createSuperuser(app);
  ada = await signUp(app, { username: "ada" });
  const ben = await signUp(app, { username: "Ben.Harbour" });
  await signUp(app, { username: "benita" });
  const tags = ["Hafen", "black and white"];
  await seedMedia(app, superuser.token, ada.id, [
    { id: MEDIUM, caption: "At the #Hafenkante", tags, age: 1 },
  ]);
  await seedMedia(app, superuser.token, ben.id, [
    { id: "medium000000002", caption: "Two", tags: ["hafen"], age: 2 },
  ]);
});
afterAll(() => app?.stop());
beforeEach(async () => {
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

const offers = () =>
  page.locator("[data-testid=word-offers] [role=option] > span:last-child").allTextContents();
const field = () => page.getByTestId("comment-text");

test("names come from this device and from the server, and one is taken by arrow and Enter", async () => {
  await page.goto(`${app.url}/view/${MEDIUM}`);
  await field().pressSequentially("With @be");
  await expect.poll(offers).toEqual(["Ben.Harbour", "benita"]);
  await takePicture(page, "word-offers");
  await field().press("ArrowDown");
  const active = await field().getAttribute("aria-activedescendant");
  const chosen = page.locator(`[id="${active}"]`);
  expect(await chosen.textContent()).toContain("Ben.Harbour");
  expect(await chosen.getAttribute("aria-selected")).toBe("true");
  await field().press("Enter");
  expect(await field().inputValue()).toBe("With @Ben.Harbour ");
  expect(await page.getByTestId("word-offers").count()).toBe(0);
  await page.getByTestId("send-comment").click();
  await page.getByTestId("comment-body").getByRole("link", { name: "@Ben.Harbour" }).waitFor();
});

test("tags are those that one word names, also without a network, and Escape shuts them alone", async () => {
  await page.goto(`${app.url}/view/${MEDIUM}`);
  await page.getByTestId("media-menu").click();
  await page.getByTestId("edit-media").click();
  const caption = page.getByTestId("edit-caption");
  await caption.press("End");
  await caption.pressSequentially(" #ha");
  await expect.poll(async () => (await offers()).sort()).toEqual(["#Hafen", "#Hafenkante"]);
  await caption.press("Escape");
  await expect.poll(() => page.getByTestId("word-offers").count()).toBe(0);
  expect(await caption.isVisible()).toBe(true);
  // What is typed on is no reason to come back; another word is.
  await caption.pressSequentially("fe");
  expect(await page.getByTestId("word-offers").count()).toBe(0);
  await profile.context.setOffline(true);
  await caption.pressSequentially(" #HAFENK");
  await expect.poll(offers).toEqual(["#Hafenkante"]);
  await page.getByTestId("word-offers").getByRole("option").click();
  expect(await caption.inputValue()).toBe("At the #Hafenkante #hafe #Hafenkante ");
  expect(await caption.evaluate((one) => one === document.activeElement)).toBe(true);
});

test("nothing is offered within an address, or for what nobody is called", async () => {
  await page.goto(`${app.url}/view/${MEDIUM}`);
  await field().pressSequentially("@be");
  await expect.poll(offers).not.toEqual([]);
  await field().fill("mail@be");
  await field().press("End");
  await expect.poll(offers).toEqual([]);
  await field().fill("@be");
  await field().press("End");
  await expect.poll(offers).not.toEqual([]);
  await field().pressSequentially("xyz");
  await expect.poll(offers).toEqual([]);
  // Where nothing is chosen, Enter is the field's own.
  await field().press("Enter");
  expect(await field().inputValue()).toBe("@bexyz\n");
});
