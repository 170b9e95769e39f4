/** A device on which a later version of the app was: this one says so, shows what is online, and touches nothing of it. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SignupPage } from "./pages/signup-page";

let app: App;
let profile: Profile;
beforeAll(async () => {
  app = await startApp();
  profile = await openProfile({ fresh: true });
});
afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test("the queue of a later version is left alone, and the person is told to reload for it", async () => {
  const { page } = profile;
  const signup = new SignupPage(page);
  await signup.open(app.url);
  await signup.fill({
    email: "later@example.com",
    username: "later.on",
    password: "Kirschkuchen-7",
  });
  await signup.submit.click();
  await page.waitForURL(`${app.url}/`);
  const queues = () =>
    page.evaluate(
      async () =>
        (await indexedDB.databases()).filter(
          ({ name = "" }) => /--\d+--outbox$/.test(name) && !name.includes("-guest--"),
        ).length,
    );
  await expect.poll(queues).toBe(1);
  expect(await page.getByTestId("without-storage").count()).toBe(0);
  // As that version would have left it: the same store with a higher number, and something in it.
  const later = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const names = databases.map(({ name }) => name ?? "");
    const mine = names.find((name) => /--\d+--outbox$/.test(name) && !name.includes("-guest--"));
    const name = (mine ?? "").replace(/--\d+--/, "--99--");
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onupgradeneeded = () =>
        void request.result.createObjectStore("docs").put("waits", "row");
      request.onsuccess = () => {
        request.result.close();
        resolve();
      };
      request.onerror = () => reject(request.error);
    });
    return name;
  });

  await page.reload();
  const notice = page.getByTestId("without-storage");
  await notice.getByText("A newer version of the app was used here").waitFor();
  await notice.getByRole("button").waitFor();
  await page.getByTestId("profile-menu").waitFor();
  const left = await page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => {
          const read = request.result.transaction("docs").objectStore("docs").get("row");
          read.onsuccess = () => resolve(read.result);
        };
        request.onerror = () => reject(request.error);
      }),
    later,
  );
  expect(left).toBe("waits");
  expect(profile.errors).toEqual([]);
});
