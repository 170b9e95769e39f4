/** What the browser shows and remembers beside the pages: titles, theme, language; and a browser that remembers nothing. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { afterAll, beforeAll, expect, test } from "vitest";

let app: App;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  profile = await openProfile({ viewport: { width: 390, height: 844 }, colorScheme: "light" });
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test.each([
  ["/", "Augenblick"],
  ["/login", "Sign In · Augenblick"],
  ["/signup", "Sign Up · Augenblick"],
  ["/upload", "Upload · Augenblick"],
  ["/outbox", "Waiting to be sent · Augenblick"],
  ["/device", "On this device · Augenblick"],
  ["/terms", "Terms of Service · Augenblick"],
  ["/privacy", "Privacy Policy · Augenblick"],
  ["/nowhere", "Page not found · Augenblick"],
])("%s is titled '%s'", async (address, title) => {
  await profile.page.goto(`${app.url}${address}`);
  await expect.poll(() => profile.page.title()).toBe(title);
});

test("the theme follows the system while the page is open, until one chooses", async () => {
  const { page } = profile;
  await page.goto(app.url);
  await page.getByTestId("toggle-theme").waitFor();
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
  expect(await isDark()).toBe(false);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(isDark).toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(isDark).toBe(false);
  const bar = () => page.locator('meta[name="theme-color"]').getAttribute("content");
  expect(await bar()).toBe("#ffffff");
  // Two changes of mind: light by choice, whatever the system says from then on.
  await page.getByTestId("toggle-theme").click();
  await page.getByTestId("toggle-theme").click();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await page.getByTestId("toggle-theme").waitFor();
  expect(await isDark()).toBe(false);
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(() => localStorage.removeItem("theme"));
});

test("light, dark, or as the system: the footer offers all three, and keeps the choice readable", async () => {
  const { page } = profile;
  await page.goto(app.url);
  const choice = page.getByTestId("theme-select");
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
  const stored = () => page.evaluate(() => localStorage.getItem("theme"));
  await choice.selectOption("dark");
  expect([await isDark(), await stored()]).toEqual([true, "dark"]);
  await choice.selectOption("light");
  expect([await isDark(), await stored()]).toEqual([false, "light"]);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await expect.poll(() => choice.inputValue()).toBe("light");
  await choice.selectOption("system");
  expect([await isDark(), await stored()]).toEqual([true, null]);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(isDark).toBe(false);
});

test("the language is stored, and the chosen theme stands from the first frame of the next start", async () => {
  const { page } = profile;
  await page.goto(app.url);
  await page.getByTestId("toggle-theme").click();
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
  await expect.poll(isDark).toBe(true);
  expect(await page.evaluate(() => localStorage.getItem("language"))).toBe("en");
  // Before any script of the app has run.
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { themes: seen });
    const look = () => {
      if (document.body !== null) {
        seen.push(getComputedStyle(document.documentElement).getPropertyValue("--background"));
      }
      if (seen.length < 5) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  await page.getByTestId("toggle-theme").waitFor();
  const themes = () => page.evaluate(() => (window as unknown as { themes: string[] }).themes);
  await expect.poll(async () => (await themes()).length).toBe(5);
  expect([...new Set(await themes())].map((color) => color.trim())).toEqual(["#0f172a"]);
});

test("a browser that stores nothing shows what is online, and says what that means", async () => {
  const bare = await openProfile({ viewport: { width: 390, height: 844 } });
  try {
    const { page } = bare;
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("denied", "SecurityError");
      };
    });
    await page.goto(app.url);
    await page.getByTestId("gallery-empty").waitFor();
    await page.getByTestId("without-storage").getByText("This browser doesn't let us").waitFor();
    expect(bare.errors).toEqual([]);
  } finally {
    await bare.close();
  }
});
