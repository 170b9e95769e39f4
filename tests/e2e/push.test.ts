/** Notifications: the settings about them, and what the sender shows when a push wakes it. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { sql } from "@tests/support/sql";
import { untilControlled } from "@tests/support/until-controlled";
import {
  makeWakeable,
  offerPush,
  PUSH_ENV,
  SERVICE,
  turnOnPush,
  type Wakeable,
} from "@tests/support/wakeable";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { conversationId, pairId } from "@/domain/ids";
import { LoginPage } from "./pages/login-page";

const MEDIUM = "pushes000000000";

let app: App;
let superuser: SignedIn;
let ada: SignedIn;
let ben: SignedIn;
let profile: Profile;
let device: Wakeable;

const call = (method: string, path: string, body: object, who: SignedIn) =>
  app.api(method, path, body, who.token);

beforeAll(async () => {
  app = await startApp({ env: PUSH_ENV });
  superuser = await createSuperuser(app);
  [ada, ben] = [await signUp(app, { username: "ada" }), await signUp(app, { username: "ben" })];
  await seedMedia(app, superuser.token, ada.id, [{ id: MEDIUM, caption: "Pier", age: 1 }]);
  await offerPush(app);
  const chat = { participants: [ada.id, ben.id] };
  await call("POST", "/api/collections/conversations/records", chat, ben);
});
afterAll(() => app?.stop());

beforeEach(async () => {
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  device = await makeWakeable(profile, app);
  await new LoginPage(profile.page).enter(app.url, ada);
  await untilControlled(profile.page);
});
afterEach(() => profile?.close());

const subscriptions = async () =>
  (await sql(app, superuser.token, "SELECT kinds, quiet, endpoint FROM _subscriptions")).map(
    ({ kinds, quiet, endpoint }) => `${kinds} ${quiet} ${endpoint}`,
  );

async function turnOn(): Promise<Page> {
  await turnOnPush(profile.page, app.url);
  expect(await subscriptions()).toEqual([`15  ${SERVICE}/device`]);
  return profile.page;
}

test("the settings turn notifications on and off, by kind and outside of quiet hours", async () => {
  const page = await turnOn();
  await page.getByTestId("push-likes").click();
  await expect.poll(subscriptions).toEqual([`11  ${SERVICE}/device`]);
  await page.getByTestId("push-quiet").click();
  await expect.poll(async () => (await subscriptions())[0]).toMatch(/^11 22:00 07:00 \S+ /);
  await page.getByTestId("push-from").fill("21:30");
  await page.getByTestId("push-to").focus();
  await expect.poll(async () => (await subscriptions())[0]).toMatch(/^11 21:30 07:00 \S+ /);
  await page.reload();
  await page.getByTestId("push-from").waitFor();
  expect(await page.getByTestId("push-from").inputValue()).toBe("21:30");
  expect(await page.getByTestId("push-likes").getAttribute("aria-checked")).toBe("false");
  await page.getByTestId("push-off").click();
  await page.getByTestId("push-on").waitFor();
  expect(await subscriptions()).toEqual([]);
});

const write = (message: string) => {
  const body = { conversationId: conversationId(ada.id, ben.id), senderId: ben.id, message };
  return call("POST", "/api/collections/messages/records", body, ben);
};

test("a push shows what is new, and what was read meanwhile goes", async () => {
  const page = await turnOn();
  await page.close();
  const chat = conversationId(ada.id, ben.id);
  await write("See you at the pier");
  await device.push();
  const path = `/chat/${chat}`;
  const actions = ["reply", "read"];
  const first = { title: "ben", body: "See you at the pier", path, actions };
  expect(await device.shown()).toEqual([first]);
  // One for each chat: the next takes its place.
  await write("At eight");
  await device.push();
  const second = { ...first, body: "At eight\n2 unread messages" };
  expect(await device.shown()).toEqual([second]);
  const like = { id: pairId(MEDIUM, ben.id), mediaId: MEDIUM, userId: ben.id };
  await call("POST", "/api/collections/likes/records", like, ben);
  const comment = { mediaId: MEDIUM, userId: ben.id, text: "What a light" };
  await call("POST", "/api/collections/comments/records", comment, ben);
  await device.push();
  const told = { actions: [], path: `/view/${MEDIUM}` };
  const all = await device.shown();
  expect(all.sort((one, other) => one.title.localeCompare(other.title))).toEqual([
    { ...told, title: "1 new like", body: "Pier" },
    second,
    { ...told, title: "ben commented", body: "What a light" },
  ]);
  // Read elsewhere.
  await call("POST", `/api/conversations/${chat}/read`, {}, ada);
  await device.push();
  expect((await device.shown()).map(({ title }) => title)).not.toContain("ben");
});

test("nothing is shown to whoever looks at the app", async () => {
  const page = await turnOn();
  await page.bringToFront();
  await write("Here?");
  await device.push();
  expect(await device.shown()).toEqual([]);
  await page.getByRole("status").filter({ hasText: "Here?" }).waitFor({ state: "attached" });
});

test("whoever signs out takes the notifications along, and is shown no more", async () => {
  await (await turnOn()).close();
  await write("Still there?");
  await device.push();
  expect(await device.shown()).toHaveLength(1);
  const { elsewhere } = device;
  await elsewhere.goto(app.url);
  await elsewhere.getByTestId("profile-menu").click();
  await elsewhere.getByTestId("logout").click();
  await expect.poll(device.shown).toEqual([]);
  await elsewhere.goto("about:blank");
  await write("And now?");
  await device.push();
  expect(await device.shown()).toEqual([]);
});

test("who gets a message is asked once, and a no is the last word", async () => {
  const { page } = profile;
  await profile.context.clearPermissions();
  await write("Shall we?");
  await page.goto(`${app.url}/chat`);
  await page.getByTestId("push-offer-no").click();
  await page.getByTestId("push-offer").waitFor({ state: "detached" });
  await page.evaluate(() => localStorage.removeItem("augenblick.push-offered"));
  await page.reload();
  await page.getByTestId("push-offer-yes").click();
  await expect.poll(subscriptions).toEqual([`15  ${SERVICE}/device`]);
  await page.getByTestId("push-offer").waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("Shall we?").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("augenblick.push-offered"))).toBe("1");
});

test("without a network the settings say that they need one", async () => {
  const { page } = profile;
  await page.goto(`${app.url}/profile?tab=settings`);
  await page.getByTestId("push-on").waitFor();
  await profile.context.setOffline(true);
  await page.reload();
  await page.getByTestId("push").getByText("You need to be online for this.").waitFor();
  await profile.context.setOffline(false);
  await page.getByTestId("push-on").waitFor();
});

test("a device that its push service calls by another address says so to the server", async () => {
  const page = await turnOn();
  const other = `${SERVICE}/moved`;
  await page.evaluate((address) => localStorage.setItem("endpoint", address), other);
  await page.reload();
  await expect.poll(subscriptions).toEqual([`15  ${other}`]);
});
