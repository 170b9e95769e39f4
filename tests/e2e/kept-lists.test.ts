/** Keeping for a journey what a person posts, what a search finds, or what all whom one follows post. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";

const records = (collection: string) => `/api/collections/${collection}/records`;

let app: App;
let superuser: SignedIn;
let ada: SignedIn;
let ben: SignedIn;
let profile: Profile;
let page: Page;
const ids: string[] = [];

async function publish(caption: string, by: SignedIn): Promise<void> {
  const form = new FormData();
  const fields = { userId: by.id, username: by.record.username, type: "photo", caption };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  for (const field of ["width", "height"]) form.set(field, "64");
  form.set("contentType", "image/jpeg");
  form.set("tags", JSON.stringify(["sea"]));
  form.set("file", new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }), "photo.jpg");
  const { status, body } = await app.api("POST", records("media"), form, superuser.token);
  expect(status).toBe(200);
  ids.push(body.id);
}

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  ada = await signUp(app, { username: "ada" });
  ben = await signUp(app, { username: "ben" });
  for (const caption of ["Pier", "Harbour", "Dunes"]) await publish(caption, ada);
  const follow = { followerId: ben.id, followingId: ada.id, id: `${ben.id}_${ada.id}` };
  await app.api("POST", records("follows"), follow, ben.token);
});
afterAll(() => app?.stop());

beforeEach(async () => {
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

async function keepAda(): Promise<void> {
  await page.goto(`${app.url}/user/ada`);
  await page.getByTestId("more-options").click();
  await page.getByTestId("keep-person").click();
  await page.getByTestId("keep-size").selectOption({ index: 0 });
  await page.getByTestId("keep-list").click();
  await page.getByTestId("keep-list").waitFor({ state: "detached" });
}

/** Rows of a database of the device. */
const rowsOf = (database: string, store: string): Promise<{ kept?: boolean; userId?: string }[]> =>
  page.evaluate(
    ([name = "", rows = ""]) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const asked = opening.result.transaction(rows).objectStore(rows).getAll();
          asked.onsuccess = () => {
            opening.result.close();
            resolve(asked.result);
          };
        };
      }),
    [database, store],
  );
/** How many files stay whatever space is needed for. */
const keptFiles = async (): Promise<number> =>
  (await rowsOf("media-cache", "entries")).filter(({ kept }) => kept).length;

const list = (name: string) => page.getByTestId("kept-list").filter({ hasText: name });
const untilState = (name: string, state: string) =>
  list(name).getByTestId("kept-state").getByText(state).waitFor();

test("what a person posts stays on the device, and is looked at without a network", async () => {
  await keepAda();
  await page.goto(`${app.url}/device`);
  await untilState("ada", "All here");
  await list("ada").getByText("3 photos and videos").waitFor();
  expect(await keptFiles()).toBe(3);
  await profile.context.setOffline(true);
  await list("ada").getByRole("link").click();
  await page.getByTestId("public-profile").waitFor();
  for (const id of ids) {
    await page.goto(`${app.url}/view/${id}`);
    const picture = page.getByTestId("media-detail").locator("img").first();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }
  await page.goto(`${app.url}/device`);
  await list("ada").getByTestId("let-go").click();
  await page.getByTestId("nothing-kept").waitFor();
  await expect.poll(keptFiles).toBe(0);
});

test("what is kept one by one is listed too, and stays when a list goes", async () => {
  const media = new MediaPage(page);
  await media.open(app.url, ids[0] ?? "");
  await media.keep.click();
  await expect.poll(() => media.keep.getAttribute("data-state")).toBe("kept");
  await keepAda();
  await page.goto(`${app.url}/device`);
  await untilState("ada", "All here");
  const singles = page.getByTestId("kept-singles");
  await singles.getByText("1 photo or video").waitFor();
  await list("ada").getByTestId("let-go").click();
  await expect.poll(keptFiles).toBe(1);
  await page.getByTestId("let-go-singles").click();
  await page.getByTestId("nothing-kept").waitFor();
  expect(await keptFiles()).toBe(0);
});

test("a search, and what all whom one follows post, are kept beside each other", async () => {
  await page.goto(`${app.url}/?q=${encodeURIComponent("#sea")}`);
  await page.getByTestId("keep-search").click();
  await page.getByTestId("keep-list").click();
  await page.getByTestId("keep-list").waitFor({ state: "detached" });
  await page.goto(`${app.url}/device`);
  await untilState("#sea", "All here");
  await page.getByTestId("keep-following").click();
  await page.getByTestId("keep-list").click();
  await untilState("People I follow", "All here");
  expect(await page.getByTestId("keep-following").count()).toBe(0);
  await list("#sea").getByTestId("let-go").click();
  await list("#sea").waitFor({ state: "detached" });
  // They stay because of the other.
  expect(await keptFiles()).toBe(3);
  await list("People I follow").getByTestId("let-go").click();
  await expect.poll(keptFiles).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

test("whoever signs out leaves no list behind, whenever the page ends", async () => {
  await keepAda();
  await expect.poll(keptFiles).toBe(3);
  // This page never comes to let go of the files.
  await page.evaluate(() => {
    const { locks } = navigator;
    const ask = locks.request;
    const request = (name: string, ...more: unknown[]) =>
      name === "kept-files"
        ? new Promise(() => undefined)
        : Reflect.apply(ask, locks, [name, ...more]);
    Object.assign(locks, { request });
  });
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
  const owners = async () => (await rowsOf("kept-lists", "lists")).map(({ userId }) => userId);
  await expect.poll(owners).toEqual(["nobody"]);
  expect(await keptFiles()).toBe(3);
  await page.goto(`${app.url}/device`);
  await page.getByTestId("nothing-kept").waitFor();
  await expect.poll(owners).toEqual([]);
  expect(await keptFiles()).toBe(0);
});

test("it waits for Wi-Fi, and once the app is closed the worker goes on", async () => {
  await profile.context.addInitScript(() => {
    Object.defineProperty(navigator, "connection", {
      value: Object.assign(new EventTarget(), { type: "cellular" }),
    });
  });
  const elsewhere = await profile.context.newPage();
  const wire = await profile.context.newCDPSession(elsewhere);
  let registrationId = "";
  wire.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const found = registrations.find(({ scopeURL }) => scopeURL === `${app.url}/sender/`);
    registrationId = found?.registrationId ?? registrationId;
  });
  await wire.send("ServiceWorker.enable");
  await page.goto(`${app.url}/device`);
  // What the gallery has shown is here already.
  await publish("Snow", ada);
  await page.getByTestId("keep-following").click();
  await page.getByTestId("keep-list").click();
  await untilState("People I follow", "Waiting for Wi-Fi");
  await expect.poll(() => registrationId).not.toBe("");
  await page.close();
  await elsewhere.goto(`${app.url}/device`);
  page = elsewhere;
  // The page that was closed may hold its lock a moment longer: then the browser wakes it again.
  const wake = async () => {
    await wire.send("ServiceWorker.dispatchSyncEvent", {
      ...{ origin: app.url, registrationId, tag: "kept-lists", lastChance: false },
    });
    return list("People I follow").getByTestId("kept-state").textContent();
  };
  await expect.poll(wake, { interval: 1_000 }).toBe("All here");
  await list("People I follow").getByText("4 photos and videos").waitFor();
});
