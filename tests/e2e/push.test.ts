/**
 * Notifications: the settings about them, and what the sender shows when a push wakes it. The
 * browser's own push service, which is far away, is the one part that stands in.
 */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { sql } from "@tests/support/sql";
import { untilControlled } from "@tests/support/until-controlled";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { conversationId, pairId } from "@/domain/ids";
import { LoginPage } from "./pages/login-page";

const PUSH_TOKEN = "a-token-for-the-pusher-1";
const SERVICE = "https://push.example.org";
const MEDIUM = "pushes000000000";
const KEY = Buffer.alloc(65, 4);

let app: App;
let superuser: SignedIn;
let ada: SignedIn;
let ben: SignedIn;
let profile: Profile;
/** A tab of no site, which stays when the app's is closed. */
let elsewhere: Page;
let wire: CDPSession;
let registrations: { registrationId: string; scopeURL: string }[];

const call = (method: string, path: string, body: object, who: SignedIn) =>
  app.api(method, path, body, who.token);

beforeAll(async () => {
  app = await startApp({ env: { PUSH_TOKEN, PUSH_SERVICES: SERVICE } });
  superuser = await createSuperuser(app);
  [ada, ben] = [await signUp(app, { username: "ada" }), await signUp(app, { username: "ben" })];
  await seedMedia(app, superuser.token, ada.id, [{ id: MEDIUM, caption: "Pier", age: 1 }]);
  const keys = { publicKey: KEY.toString("base64url"), privateKey: "b" };
  await app.api("POST", "/api/push/turn", { keys }, { Authorization: `Bearer ${PUSH_TOKEN}` });
  const chat = { participants: [ada.id, ben.id] };
  await call("POST", "/api/collections/conversations/records", chat, ben);
});
afterAll(() => app?.stop());

/** In the page: what the browser's push service would give. */
function standIn({ endpoint, key }: { endpoint: string; key: number[] }): void {
  const subscription = {
    endpoint,
    options: { applicationServerKey: new Uint8Array(key).buffer, userVisibleOnly: true },
    unsubscribe: async () => {
      localStorage.removeItem("subscribed");
      return true;
    },
  } as PushSubscription;
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem("subscribed", "1");
    return subscription;
  };
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem("subscribed") === null ? null : subscription;
}

beforeEach(async () => {
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  await profile.context.grantPermissions(["notifications"], { origin: app.url });
  await profile.context.addInitScript(standIn, {
    endpoint: `${SERVICE}/ada`,
    key: [...KEY],
  });
  elsewhere = await profile.context.newPage();
  wire = await profile.context.newCDPSession(elsewhere);
  registrations = [];
  wire.on("ServiceWorker.workerRegistrationUpdated", (told) => {
    registrations.push(...told.registrations);
  });
  await wire.send("ServiceWorker.enable");
  const service = "pushMessaging";
  await wire.send("BackgroundService.startObserving", { service });
  await wire.send("BackgroundService.setRecording", { service, shouldRecord: true });
  await new LoginPage(profile.page).enter(app.url, ada);
  await untilControlled(profile.page);
});
afterEach(() => profile?.close());

const subscriptions = async () =>
  (await sql(app, superuser.token, "SELECT kinds, quiet, endpoint FROM _subscriptions")).map(
    ({ kinds, quiet, endpoint }) => `${kinds} ${quiet} ${endpoint}`,
  );

async function openSettings(): Promise<Page> {
  const { page } = profile;
  await page.goto(`${app.url}/profile?tab=settings`);
  await page.getByTestId("push-on").or(page.getByTestId("push-off")).waitFor();
  return page;
}

async function turnOn(): Promise<Page> {
  const page = await openSettings();
  await page.getByTestId("push-on").click();
  // While it is being turned on, it cannot be turned off.
  await expect.poll(() => page.getByTestId("push-off").isEnabled()).toBe(true);
  expect(await subscriptions()).toEqual([`15  ${SERVICE}/ada`]);
  return page;
}

test("the settings turn notifications on and off, by kind and outside of quiet hours", async () => {
  const page = await turnOn();
  await page.getByTestId("push-likes").click();
  await expect.poll(subscriptions).toEqual([`11  ${SERVICE}/ada`]);
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

/** Resolves once the worker has done what it does. */
async function push(): Promise<void> {
  const found = registrations.findLast(({ scopeURL }) => scopeURL === `${app.url}/sender/`);
  const done = new Promise<void>((resolve) => {
    const look: Parameters<typeof wire.on<"BackgroundService.backgroundServiceEventReceived">>[1] =
      ({ backgroundServiceEvent: { eventName } }) => {
        if (eventName !== "Push event completed") return;
        wire.off("BackgroundService.backgroundServiceEventReceived", look);
        resolve();
      };
    wire.on("BackgroundService.backgroundServiceEventReceived", look);
  });
  await wire.send("ServiceWorker.deliverPushMessage", {
    origin: app.url,
    registrationId: found?.registrationId ?? "",
    data: "",
  });
  await done;
}

interface Shown {
  title: string;
  body: string;
  path: string;
  actions: string[];
}

/** What the system shows now. Asked in the worker: there is no page. */
async function shown(): Promise<Shown[]> {
  const worker = profile.context.serviceWorkers().find((one) => one.url().endsWith("/sender.js"));
  if (worker === undefined) return [];
  return worker.evaluate(async () => {
    interface Drawn extends Omit<Shown, "path" | "actions"> {
      data: { path: string };
      actions?: { action: string }[];
    }
    const { registration } = globalThis as unknown as {
      registration: { getNotifications(): Promise<Drawn[]> };
    };
    const notes = await registration.getNotifications();
    return notes.map(({ title, body, data, actions = [] }) => ({
      title,
      body,
      path: data.path,
      actions: actions.map(({ action }) => action),
    }));
  });
}

const write = (message: string) => {
  const body = { conversationId: conversationId(ada.id, ben.id), senderId: ben.id, message };
  return call("POST", "/api/collections/messages/records", body, ben);
};

test("a push shows what is new, and what was read meanwhile goes", async () => {
  const page = await turnOn();
  await page.close();
  const chat = conversationId(ada.id, ben.id);
  await write("See you at the pier");
  await push();
  const path = `/chat/${chat}`;
  const actions = ["reply", "read"];
  const first = { title: "ben", body: "See you at the pier", path, actions };
  expect(await shown()).toEqual([first]);
  // One for each chat: the next takes its place.
  await write("At eight");
  await push();
  const second = { ...first, body: "At eight\n2 unread messages" };
  expect(await shown()).toEqual([second]);
  const like = { id: pairId(MEDIUM, ben.id), mediaId: MEDIUM, userId: ben.id };
  await call("POST", "/api/collections/likes/records", like, ben);
  const comment = { mediaId: MEDIUM, userId: ben.id, text: "What a light" };
  await call("POST", "/api/collections/comments/records", comment, ben);
  await push();
  const told = { actions: [], path: `/view/${MEDIUM}` };
  const all = await shown();
  expect(all.sort((one, other) => one.title.localeCompare(other.title))).toEqual([
    { ...told, title: "1 new like", body: "Pier" },
    second,
    { ...told, title: "ben commented", body: "What a light" },
  ]);
  // Read elsewhere.
  await call("POST", `/api/conversations/${chat}/read`, {}, ada);
  await push();
  expect((await shown()).map(({ title }) => title)).not.toContain("ben");
});

test("nothing is shown to whoever looks at the app", async () => {
  const page = await turnOn();
  await page.bringToFront();
  await write("Here?");
  await push();
  expect(await shown()).toEqual([]);
  await page.getByRole("status").filter({ hasText: "Here?" }).waitFor({ state: "attached" });
});

test("whoever signs out takes the notifications along, and is shown no more", async () => {
  await (await turnOn()).close();
  await write("Still there?");
  await push();
  expect(await shown()).toHaveLength(1);
  await elsewhere.goto(app.url);
  await elsewhere.getByTestId("profile-menu").click();
  await elsewhere.getByTestId("logout").click();
  await expect.poll(shown).toEqual([]);
  await elsewhere.goto("about:blank");
  await write("And now?");
  await push();
  expect(await shown()).toEqual([]);
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
  await expect.poll(subscriptions).toEqual([`15  ${SERVICE}/ada`]);
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
