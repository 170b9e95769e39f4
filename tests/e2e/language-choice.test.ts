/** Choosing the language: where, what it changes, what is remembered, and who is offered German. */
import { type App, noticesOf, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { LoginPage } from "./pages/login-page";

let app: App;
let superuser: SignedIn;
let admin: SignedIn;
const open: Profile[] = [];

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  admin = await signUp(app, { username: "chief" });
  const address = `/api/collections/users/records/${admin.id}`;
  await app.api("PATCH", address, { isAdmin: true }, superuser.token);
});
afterEach(async () => {
  for (const profile of open.splice(0)) await profile.close();
});
afterAll(async () => {
  await app?.stop();
});

async function visitor(options: Parameters<typeof openProfile>[0] = {}): Promise<Page> {
  const profile = await openProfile({ viewport: { width: 390, height: 844 }, ...options });
  open.push(profile);
  await profile.page.goto(app.url);
  await profile.page.getByTestId("footer-language").waitFor();
  return profile.page;
}

const langOf = (page: Page) => page.evaluate(() => document.documentElement.lang);
const stored = (page: Page) => page.evaluate(() => localStorage.getItem("language"));
const filters = (page: Page) => page.getByTestId("filter-all").textContent();

test("the footer's choice changes the page without a reload, and stands from the first frame of the next start", async () => {
  const page = await visitor();
  await page.getByTestId("search").fill("Xq");
  await page.evaluate(() => Object.assign(window, { still: "here" }));
  await page.getByTestId("footer-language").selectOption("de");
  await expect.poll(() => filters(page)).toBe("Alle Medien");
  expect([await langOf(page), await stored(page)]).toEqual(["de", "de"]);
  expect(await page.getByTestId("search").inputValue()).toBe("Xq");
  expect(await page.evaluate(() => (window as unknown as { still: string }).still)).toBe("here");
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const look = () => {
      const chip = document.querySelector(".shell-chip");
      if (chip !== null && said.length < 3) said.push(chip.textContent ?? "");
      if (said.length < 3) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(app.url);
  await page.getByTestId("filter-all").waitFor();
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  expect([...new Set(said)]).toEqual(["Alle Medien"]);
  expect(await filters(page)).toBe("Alle Medien");
  await page.getByTestId("footer-language").selectOption("en-GB");
  await expect.poll(() => filters(page)).toBe("All Media");
  expect([await langOf(page), await stored(page)]).toEqual(["en-GB", "en-GB"]);
});

test("a reader of German fetches no other language's pages, and one of English no German", async () => {
  const welcome = { de: "Schön, dass Sie wieder da sind.", en: "Good to see you again." };
  for (const [language, foreign] of [
    ["de", welcome.en],
    ["en", welcome.de],
  ] as const) {
    const page = await visitor();
    await page.evaluate((code) => localStorage.setItem("language", code), language);
    await page.goto(`${app.url}/login`);
    await page.getByText(welcome[language]).waitFor();
    const loaded = await page.evaluate(async () => {
      const files = performance.getEntriesByType("resource").map(({ name }) => name);
      const own = files.filter((name) => name.endsWith(".js") && !name.endsWith("/sw.js"));
      return Promise.all(own.map(async (name) => (await fetch(name)).text()));
    });
    expect(loaded.filter((text) => text.includes(welcome[language]))).toHaveLength(1);
    expect(loaded.filter((text) => text.includes(foreign))).toEqual([]);
  }
});

test("the account menu and the settings change it too, and each shows what is chosen", async () => {
  const page = await visitor();
  await new LoginPage(page).enter(app.url, admin);
  await page.getByTestId("profile-menu").click();
  const german = page.getByTestId("menu-language-de");
  await german.click();
  await expect.poll(() => filters(page)).toBe("Alle Medien");
  // Only beside the longer words for visitors there is no room for it.
  expect(await page.locator(".shell-brand span").isVisible()).toBe(true);
  await page.getByTestId("profile-menu").click();
  expect(await german.getAttribute("aria-checked")).toBe("true");
  expect(await german.getAttribute("lang")).toBe("de");
  await page.keyboard.press("Escape");
  await page.goto(`${app.url}/profile?tab=settings`);
  const choice = page.getByTestId("settings-language");
  await choice.waitFor();
  expect(await choice.inputValue()).toBe("de");
  await choice.selectOption("en");
  await page.getByRole("heading", { name: "Language" }).waitFor();
  expect([await langOf(page), await stored(page)]).toEqual(["en", "en"]);
  expect(await page.getByTestId("footer-language").count()).toBe(0);
});

test("a visitor whose browser speaks German is offered it once, and the page does not switch by itself", async () => {
  const page = await visitor({ locale: "de-AT" });
  const offer = page.getByTestId("german-offer");
  await offer.waitFor();
  expect(await filters(page)).toBe("All Media");
  expect(await offer.getAttribute("lang")).toBe("de");
  await page.getByTestId("german-dismiss").click();
  await offer.waitFor({ state: "detached" });
  await page.reload();
  // The notification area is drawn together with the offer.
  await page.getByRole("region", { name: "Notifications (F8)" }).waitFor({ state: "attached" });
  expect(await offer.count()).toBe(0);
  expect(await filters(page)).toBe("All Media");
});

test("who accepts the offer reads German from then on; other browsers are offered nothing", async () => {
  const page = await visitor({ locale: "de-DE" });
  await page.getByRole("button", { name: "Auf Deutsch lesen" }).click();
  await expect.poll(() => filters(page)).toBe("Alle Medien");
  expect(await stored(page)).toBe("de");
  await page.reload();
  await page.getByRole("region", { name: "Mitteilungen (F8)" }).waitFor({ state: "attached" });
  expect(await page.getByTestId("german-offer").count()).toBe(0);
  const other = await visitor({ locale: "fr-FR" });
  await other.getByRole("region", { name: "Notifications (F8)" }).waitFor({ state: "attached" });
  expect(await other.getByTestId("german-offer").count()).toBe(0);
});

test("a language chosen for the first time without a network is there", async () => {
  const page = await visitor();
  await untilControlled(page);
  await page.context().setOffline(true);
  await page.getByTestId("footer-language").selectOption("de");
  await expect.poll(() => filters(page)).toBe("Alle Medien");
  await page.goto(`${app.url}/login`);
  await page.getByText("Schön, dass Sie wieder da sind.").waitFor();
});

test("a language that is out of reach is not half shown: the page stays as it is and says so", async () => {
  const profile = await openProfile({ serviceWorkers: "block" });
  open.push(profile);
  const { page } = profile;
  // What is read ahead never comes, and nobody waits for it.
  const ahead = page.waitForRequest(/\/assets\/around-/);
  await page.route(/\/assets\/around-/, () => undefined);
  await page.goto(`${app.url}/login`, { waitUntil: "commit" });
  await page.getByTestId("footer-language").waitFor();
  await ahead;
  await page.context().setOffline(true);
  await page.getByTestId("footer-language").selectOption("de");
  await page.getByText("That language isn't on this device yet").first().waitFor();
  expect(await page.getByTestId("footer-language").inputValue()).toBe("en");
  expect([await langOf(page), await stored(page)]).toEqual(["en", "en"]);
  await page.context().setOffline(false);
  await page.getByTestId("footer-language").selectOption("de");
  await page.getByText("Schön, dass Sie wieder da sind.").waitFor();
});

test("the operator sets the community's language; who has chosen one keeps it, all others follow at their next visit", async () => {
  const [reader, follower] = [await visitor(), await visitor()];
  await reader.getByTestId("footer-language").selectOption("en-GB");
  await expect.poll(() => langOf(reader)).toBe("en-GB");
  await untilControlled(follower);
  const chief = await visitor();
  await new LoginPage(chief).enter(app.url, admin);
  await new AdminPage(chief).open(app.url, "?settings=app");
  await chief.getByTestId("default-language").selectOption("de");
  // Brought into sight, it moves once more as the bottom bar goes: a click might miss it.
  await chief.getByTestId("save-settings").press("Enter");
  await expect.poll(() => noticesOf(chief)).toContain("Settings saved.");
  // What is read does not change by itself, here as elsewhere.
  expect(await langOf(chief)).toBe("en");
  const learned = () =>
    follower.evaluate(() => localStorage.getItem("augenblick.community-language"));
  await expect.poll(learned).toBe("de");
  expect(await filters(follower)).toBe("All Media");
  await follower.reload();
  await expect.poll(() => filters(follower)).toBe("Alle Medien");
  expect([await langOf(follower), await stored(follower)]).toEqual(["de", null]);
  await reader.reload();
  await expect.poll(() => langOf(reader)).toBe("en-GB");
  expect(await filters(reader)).toBe("All Media");
  const newcomer = await visitor();
  expect(await langOf(newcomer)).toBe("de");
  expect(await filters(newcomer)).toBe("Alle Medien");
  await newcomer.getByTestId("footer-language").selectOption("en");
  await expect.poll(() => filters(newcomer)).toBe("All Media");
  await newcomer.reload();
  await expect.poll(() => filters(newcomer)).toBe("All Media");
  expect([await langOf(newcomer), await stored(newcomer)]).toEqual(["en", "en"]);
});

test("without JavaScript the page says so in the community's language alone", async () => {
  const set = (defaultLanguage: string) =>
    app.api("PATCH", "/api/collections/settings/records/app", { defaultLanguage }, superuser.token);
  for (const [language, words] of [
    ["de", "Diese App braucht JavaScript."],
    ["en", "This app needs JavaScript."],
  ] as const) {
    await set(language);
    const profile = await openProfile({ javaScriptEnabled: false });
    open.push(profile);
    await profile.page.goto(app.url);
    const said = profile.page.locator("noscript p").filter({ visible: true });
    expect(await said.allTextContents()).toEqual([words]);
  }
});
