/** Two tabs of one browser share one queue: one tab sends, whoever queued, and the other takes over when it closes. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { SignupPage } from "./pages/signup-page";
import { photoFile, UploadPage } from "./pages/upload-page";

let app: App;
let person: Profile;
beforeAll(async () => {
  app = await startApp();
  person = await openProfile();
});
afterAll(async () => {
  await person?.close();
  await app?.stop();
});

async function upload(page: Page, caption: string): Promise<void> {
  const photo = await drawPhoto(person.context, caption.length * 20);
  const form = new UploadPage(page);
  await form.open(app.url);
  await form.upload([photoFile("photo.jpg", photo)], { caption });
  await page.waitForURL(`${app.url}/`);
}

const rowsWith = async (caption: string): Promise<unknown[]> => {
  const filter = encodeURIComponent(`caption = '${caption}'`);
  return (await app.api("GET", `/api/collections/media/records?filter=${filter}`)).body.items;
};

test("an upload from either tab is sent once and stands in both, also when the other is closed", async () => {
  const leader = person.page;
  const signup = new SignupPage(leader);
  await signup.open(app.url);
  await signup.fill({ email: "two@example.com", username: "two.tabs", password: "Kirschkuchen-7" });
  await signup.submit.click();
  await leader.waitForURL(`${app.url}/`);

  const other = await person.context.newPage();
  await upload(other, "From the second tab");
  for (const page of [leader, other]) {
    const gallery = new GalleryPage(page);
    await gallery.card("From the second tab").waitFor();
    await gallery.pendingMark("From the second tab").waitFor({ state: "detached" });
  }
  expect(await rowsWith("From the second tab")).toHaveLength(1);

  await leader.close();
  await upload(other, "After the first tab closed");
  const gallery = new GalleryPage(other);
  await gallery.card("After the first tab closed").waitFor();
  await gallery.pendingMark("After the first tab closed").waitFor({ state: "detached" });
  expect(await rowsWith("After the first tab closed")).toHaveLength(1);
});

test("a tab that crashes while it leads is taken over by another, which sends what is queued then", async () => {
  const crowd = await openProfile();
  try {
    const first = crowd.page;
    const signup = new SignupPage(first);
    await signup.open(app.url);
    await signup.fill({
      email: "crash@example.com",
      username: "crash.test",
      password: "Kirschkuchen-7",
    });
    await signup.submit.click();
    await first.waitForURL(`${app.url}/`);
    await new GalleryPage(first).untilLive();
    const second = await crowd.context.newPage();
    await new GalleryPage(second).open(app.url);
    await new GalleryPage(second).untilLive();

    const crashed = new Promise((resolve) => first.once("crash", resolve));
    // Never answers: the page is gone without a word to anybody.
    void first.goto("chrome://crash").catch(() => undefined);
    await crashed;

    const form = new UploadPage(second);
    await form.open(app.url);
    const photo = await drawPhoto(crowd.context, 77);
    await form.upload([photoFile("photo.jpg", photo)], { caption: "After the crash" });
    const gallery = new GalleryPage(second);
    await second.waitForURL(`${app.url}/`);
    await gallery.card("After the crash").waitFor();
    await gallery.pendingMark("After the crash").waitFor({ state: "detached" });
    expect(await rowsWith("After the crash")).toHaveLength(1);
  } finally {
    await crowd.close();
  }
});
