/** Settings list where one is signed in: two browsers of one person, one of which ends the other. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";
import { ProfilePage } from "./pages/profile-page";

let app: App;
let phone: Profile;
let desk: Profile;
let ann: SignedIn;

beforeAll(async () => {
  app = await startApp();
  ann = await signUp(app);
  phone = await openProfile({
    viewport: { width: 390, height: 844 },
    userAgent: "Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36",
  });
  desk = await openProfile({ viewport: { width: 1280, height: 800 } });
});

afterAll(async () => {
  await Promise.all([phone?.close(), desk?.close()]);
  await app?.stop();
});

test("a phone that is signed out from the desk keeps its person and asks for the password", async () => {
  const { page } = desk;
  await new LoginPage(phone.page).enter(app.url, ann);
  const wrong = { identity: ann.email, password: "Not-This-1" };
  await app.api("POST", "/api/collections/users/auth-with-password", wrong);
  await new LoginPage(page).enter(app.url, ann);
  await page.getByText("Someone tried to sign in").first().waitFor();
  await page.getByText(/^1 wrong password was entered since you last signed in/).waitFor();

  await new ProfilePage(page).openOwn(app.url, "settings");
  const panel = page.getByTestId("session");
  const rows = panel.getByTestId("sessions").getByRole("listitem");
  await rows.nth(1).waitFor();
  const here = rows.filter({ hasText: "This device" });
  expect(await here.count()).toBe(1);
  expect(await here.getByTestId("end-session").count()).toBe(0);
  const there = rows.filter({ hasText: "Chrome on Android" });
  expect(await there.innerText()).toMatch(
    /Signed in \w{3} \d+, \d{4}, last active .* at \d\d:\d\d/,
  );
  await there.getByTestId("end-session").click();
  await page.getByRole("alertdialog").getByText("Sign out Chrome on Android?").waitFor();
  await page.getByTestId("confirm").click();
  await page.getByText("Chrome on Android is signed out").first().waitFor();
  await there.waitFor({ state: "detached" });

  await phone.page.getByTestId("needs-login").waitFor();
  await phone.page.getByTestId("profile-menu").waitFor();
  await new LoginPage(phone.page).open(app.url);
  await new LoginPage(phone.page).signIn(ann.email, ann.password);
  await phone.page.getByTestId("needs-login").waitFor({ state: "detached" });
  await page.reload();
  await rows.nth(1).waitFor();
  expect(await page.getByTestId("needs-login").count()).toBe(0);
});

test("without a connection the list says so, and a server's fault can be tried again", async () => {
  const { page, context } = desk;
  const list = "**/api/account/sessions";
  const settings = new ProfilePage(page);
  const panel = page.getByTestId("session");
  await page.route(list, (route) =>
    route.fulfill({ status: 500, json: { status: 500, message: "", data: {} } }),
  );
  await settings.openOwn(app.url, "settings");
  await panel.getByText("Couldn't load your devices.").waitFor();
  await page.unroute(list);
  await panel.getByRole("button", { name: "Try again" }).click();
  await panel.getByTestId("sessions").getByText("This device").waitFor();
  await context.setOffline(true);
  await settings.openOwn(app.url, "settings");
  await panel.getByText(/^You're offline\. Your devices/).waitFor();
  await panel.getByTestId("sign-out").waitFor();
  await context.setOffline(false);
  await panel.getByTestId("sessions").getByText("This device").waitFor();
  expect([...desk.errors, ...phone.errors]).toEqual([]);
});

test("settings that a device opens first without a network hold the place of the archive", async () => {
  const { page, context } = phone;
  await untilControlled(page);
  await context.setOffline(true);
  await new ProfilePage(page).openOwn(app.url, "settings");
  await page.getByTestId("export").getByText("It will show up once you're online.").waitFor();
  await context.setOffline(false);
  await page.getByTestId("start-export").waitFor();
});
