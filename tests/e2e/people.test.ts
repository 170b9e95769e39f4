/** Profiles, following, blocking and the account as two people meet them. */

import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { ProfilePage } from "./pages/profile-page";

const NEXT_PASSWORD = "Apfelkuchen-8";
let app: App;
let operator: SignedIn;
let ann: SignedIn;
let ben: SignedIn;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  app = await startApp();
  operator = await createSuperuser(app);
  ann = await signUp(app, { username: "ann.sommer" });
  ben = await signUp(app, { username: "Ben_Karlsson" });
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  page.on("dialog", (dialog) => void dialog.accept());
  const photo = await drawPhoto(profile.context, 200, { width: 300, height: 400 });
  for (let i = 0; i < 8; i++) await share(ben, `Morning ${i}`, photo);
  await patch(ben, { bio: "Early mornings,\nlong walks." });
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

async function share(owner: SignedIn, caption: string, photo: Buffer): Promise<void> {
  const form = new FormData();
  const fields = { userId: owner.id, type: "photo", caption, tags: "[]", width: 300, height: 400 };
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const part of ["file", "thumbnail"])
    form.set(part, new File([new Uint8Array(photo)], "a.jpg", { type: "image/jpeg" }));
  const answer = await app.api("POST", "/api/collections/media/records", form, operator.token);
  expect(answer.status).toBe(200);
}

async function patch(who: SignedIn, body: unknown): Promise<void> {
  const address = `/api/collections/users/records/${who.id}`;
  expect((await app.api("PATCH", address, body, who.token)).status).toBe(200);
}

const userRow = async (id: string) =>
  (await app.api("GET", `/api/collections/users/records/${id}`, undefined, operator.token)).body;

const toast = (text: string) => page.getByText(text).first().waitFor();

test("a visitor sees a profile, six media a step, is sent to sign in to follow, and comes back", async () => {
  const user = new ProfilePage(page);
  await user.openUser(app.url, "ben_karlsson");
  await user.cards.first().waitFor();
  expect(await user.name.innerText()).toBe("Ben_Karlsson");
  expect(await user.bio.innerText()).toContain("long walks.");
  expect(await user.listed()).toBe(6);
  await user.showMore.click();
  await expect.poll(() => user.listed()).toBe(8);
  await user.showMore.waitFor({ state: "detached" });
  await user.filter("videos");
  await page.getByTestId("person-media-none").waitFor();
  await user.filter("photos");
  await expect.poll(() => user.listed()).toBe(6);
  await user.follow.click();
  await page.waitForURL(/\/login/);
  await new LoginPage(page).signIn(ann.email, ann.password);
  await page.waitForURL(/\/user\//);
  await user.follow.click();
  await user.unfollow.waitFor();
  await expect.poll(() => user.count("followers").innerText()).toBe("1");
  await page.getByTestId("count-followers").click();
  await page.getByText("Ben_Karlsson has 1 follower.").waitFor();
  expect(await page.getByTestId("people-followers").count()).toBe(0);
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await userRow(ben.id)).followers).toBe(1);
  await page.goto(`${app.url}/user/nobody.has.this.name`);
  await toast("Benutzer nicht gefunden");
  await page.waitForURL(`${app.url}/`);
});

test("who was seen is there without a network, who was not is not found, and what was done there is sent later", async () => {
  const user = new ProfilePage(page);
  await user.openUser(app.url, ben.record.username);
  await user.unfollow.waitFor();
  await user.cards.first().waitFor();
  await untilControlled(page);
  await app.stop();
  await page.reload();
  await user.cards.first().waitFor();
  await user.unfollow.click();
  await user.follow.waitFor();
  await expect.poll(() => user.count("followers").innerText()).toBe("0");
  await user.openUser(app.url, "never.seen");
  await page.getByTestId("user-not-found").waitFor();
  await app.restart();
  await expect.poll(async () => (await userRow(ben.id)).followers).toBe(0);
});

test("blocking asks, tells, goes home and hides; the notice and the settings lead back", async () => {
  const user = new ProfilePage(page);
  const gallery = new GalleryPage(page);
  await user.openUser(app.url, ben.record.username);
  await user.follow.waitFor();
  await user.block();
  await toast("Ben_Karlsson has been blocked");
  await page.waitForURL(`${app.url}/`);
  await page.locator('[data-testid="gallery-empty"]').waitFor();
  expect(await gallery.cards.count()).toBe(0);
  await user.openUser(app.url, ben.record.username);
  await user.blockedNotice.getByText("This user has been blocked").waitFor();
  expect(await user.follow.count()).toBe(0);
  expect(await user.message.count()).toBe(0);
  await user.unblock.click();
  await user.follow.waitFor();
  await user.cards.first().waitFor();
  await user.block();
  await page.waitForURL(`${app.url}/`);
  await user.openOwn(app.url, "settings");
  const blocked = page.getByTestId("people-blocked").getByText("Ben_Karlsson");
  await blocked.waitFor();
  await user.unblock.click();
  await blocked.waitFor({ state: "detached" });
  await user.openUser(app.url, ben.record.username);
  await user.message.click();
  await page.waitForURL(/\/chat\/[a-z0-9_]{31}$/);
});

test("one's own profile is edited: only what changed is sent, the picture is cropped, and the old link is gone", async () => {
  const own = new ProfilePage(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH" && request.url().includes("/users/records/")) {
      // The browser does not tell a body that has files in it.
      const names = request.postData()?.matchAll(/name="(\w+)"/g) ?? [["", "files"]];
      sent.push([...names].map(([, name]) => name).join());
    }
  });
  await own.openOwn(app.url);
  await page.getByTestId("my-media-empty").getByText("Upload Now").waitFor();
  await page.getByTestId("profile-tab-settings").click();
  await own.setting("edit-username").fill("BEN_karlsson");
  await page.getByText("Dieser Benutzername ist bereits vergeben.").waitFor();
  await own.setting("edit-username").fill("<b>x</b>");
  await page.getByText(/^Username can only contain/).waitFor();
  await own.setting("edit-username").fill("ann.winter");
  await page.getByText("This username is available.").waitFor();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const rows = "**/api/collections/users/records/*";
  await page.route(rows, async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await own.saveProfile();
  await expect.poll(async () => (await userRow(ann.id)).username).toBe("ann.winter");
  // Typed while the name is being saved: it stays, and goes with the next save.
  await own.setting("edit-bio").fill("Salt and sand");
  answer();
  await expect.poll(() => own.name.innerText()).toBe("ann.winter");
  await expect.poll(() => own.setting("save-profile").isEnabled()).toBe(true);
  await page.unroute(rows);
  await own.saveProfile();
  await expect.poll(async () => (await userRow(ann.id)).bio).toBe("Salt and sand");
  await expect.poll(() => own.bio.innerText()).toBe("Salt and sand");
  const photo = await drawPhoto(profile.context, 120);
  const input = own.setting("picture-input");
  const text = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");
  await input.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: text });
  await input.setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: photo });
  await own.setting("crop-zoom").fill("2");
  await own.setting("crop-stage").press("ArrowRight");
  await own.setting("use-crop").click();
  await page.getByText("Your new picture will show once you save.").waitFor();
  await own.saveProfile();
  await expect.poll(async () => (await userRow(ann.id)).profilePicture).not.toBe("");
  await expect.poll(() => own.setting("save-profile").isEnabled()).toBe(true);
  // Nothing has changed any more: nothing is sent.
  await own.saveProfile();
  await own.setting("delete-picture").click();
  await expect.poll(async () => (await userRow(ann.id)).profilePicture).toBe("");
  // The server may have done it before the page's driver tells that it was asked.
  await expect
    .poll(() => sent)
    .toEqual(["username", "bio", "files", "profilePicture,profileThumbnail"]);
  await page.goto(`${app.url}/user/ann.sommer`);
  await page.waitForURL(`${app.url}/`);
  expect(profile.errors).toEqual([]);
});

test("address and password change with the current password, and everything ends with the account", async () => {
  const own = new ProfilePage(page);
  await own.openOwn(app.url, "settings");
  await own.setting("new-email").fill(ben.email);
  await own.setting("email-password").fill("not this one");
  await own.setting("save-email").click();
  await page.getByText("Incorrect password").waitFor();
  await own.setting("email-password").fill(ann.password);
  await own.setting("save-email").click();
  await page.getByText("This email address is already registered").waitFor();
  await own.setting("new-email").fill("ann@winter.example");
  await own.setting("save-email").click();
  await toast("Your address is now ann@winter.example");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
  await own.setting("password-current").fill(ann.password);
  await own.setting("password-next").fill(NEXT_PASSWORD);
  await own.setting("password-confirmation").fill("something else");
  await own.setting("save-password").click();
  await own.setting("password-confirmation").fill(NEXT_PASSWORD);
  await own.setting("save-password").click();
  await toast("Your password has been changed");
  expect(asked.filter((one) => one.startsWith("PATCH"))).toHaveLength(1);
  const elsewhere = await app.api("POST", "/api/collections/users/auth-with-password", {
    identity: "ann@winter.example",
    password: NEXT_PASSWORD,
  });
  const refresh = "/api/collections/users/auth-refresh";
  await own.setting("sign-out-everywhere").click();
  await page.getByTestId("confirm").click();
  await toast("All other devices are signed out");
  expect((await app.api("POST", refresh, {}, elsewhere.body.token)).status).toBe(401);
  await own.setting("delete-account").click();
  await page.getByText("reports that administrators are still working on").waitFor();
  await own.setting("delete-password").fill("not this one");
  await own.setting("confirm-delete").click();
  await page.getByTestId("delete-account-form").getByText("Incorrect password").waitFor();
  await own.setting("delete-password").fill(NEXT_PASSWORD);
  const passed: string[] = [];
  page.on("framenavigated", (frame) => passed.push(new URL(frame.url()).pathname));
  await own.setting("confirm-delete").click();
  await toast("Your account has been deleted");
  await page.getByTestId("login-link").waitFor();
  await page.waitForURL(`${app.url}/`);
  expect(passed.filter((path) => path !== "/")).toEqual([]);
  expect((await userRow(ann.id)).status).toBe(404);
  const databases = await page.evaluate(async () =>
    (await indexedDB.databases()).map((one) => one.name),
  );
  expect(databases.filter((name) => name?.includes(ann.id))).toEqual([]);
  await page.goto(`${app.url}/profile`);
  await page.waitForURL(/\/login/);
});
