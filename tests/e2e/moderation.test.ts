/** Moderation reaches whoever it concerns: on screens that are open, within seconds, without a reload. */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import type { SignedIn } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";

let stage: AdminStage;
let url: string;
let chief: Profile;
let device: Profile;
let panel: AdminPage;
let photo: Buffer;

beforeAll(async () => {
  stage = await setAdminStage();
  url = stage.app.url;
  chief = await openProfile({ viewport: { width: 1280, height: 800 } });
  device = await openProfile({ viewport: { width: 390, height: 844 } });
  photo = await drawPhoto(chief.context, 120);
  panel = new AdminPage(chief.page);
  await new LoginPage(chief.page).enter(url, stage.admin);
  await new LoginPage(device.page).enter(url, stage.ann);
});

afterAll(async () => {
  await Promise.allSettled([chief?.close(), device?.close()]);
  await stage?.app.stop();
});

/** The medium's files in the caches of the service worker. */
const cachedFilesOf = (page: Page, id: string): Promise<string[]> =>
  page.evaluate(async (mediaId) => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) {
        if (url.includes(`/${mediaId}/`)) found.push(url);
      }
    }
    return found;
  }, id);

test("a deleted medium leaves the gallery that shows it and the device's cache, and its own page says so", async () => {
  await untilControlled(device.page);
  const id = await stage.media(stage.ben, "Not for long", photo);
  const gallery = new GalleryPage(device.page);
  await gallery.open(url);
  const card = gallery.cardById(id).first();
  await card.waitFor();
  await panel.open(url, "?tab=media");
  await panel.mediaCard(id).getByTestId("delete-media").click();
  await panel.confirm.click();
  await card.waitFor({ state: "detached" });
  await expect.poll(() => gallery.cardById(id).count()).toBe(0);
  const other = await stage.media(stage.ben, "Open when it goes", photo);
  await gallery.openMedia("Open when it goes");
  await device.page.waitForURL(`${url}/view/**`);
  await device.page.getByText("Open when it goes").first().waitFor();
  await expect.poll(() => cachedFilesOf(device.page, other)).not.toEqual([]);
  await panel.open(url, "?tab=media");
  await panel.mediaCard(other).getByTestId("delete-media").click();
  await panel.confirm.click();
  await device.page.getByTestId("media-not-found").getByText("Media not found").waitFor();
  await expect.poll(() => cachedFilesOf(device.page, other)).toEqual([]);
  expect(await cachedFilesOf(device.page, id)).toEqual([]);
});

test("a deleted message shows as deleted in the open chat, and a deleted chat closes", async () => {
  const { ann, ben } = stage;
  const said: [SignedIn, string][] = [
    [ben, "Words to be taken back"],
    [ann, "Words that stay"],
  ];
  const id = await stage.chat(said, ann, ben);
  const { page } = device;
  await page.goto(`${url}/chat/${id}`);
  const list = page.getByTestId("message-list");
  await list.getByText("Words to be taken back").waitFor();
  await panel.open(url, "?tab=chats");
  const row = panel.chatRow("ben");
  await row.getByTestId("view-chat").click();
  const message = panel.page
    .getByTestId("admin-message")
    .filter({ hasText: "Words to be taken back" });
  await message.getByTestId("delete-message").click();
  await panel.confirm.click();
  await list.getByText("Words to be taken back").waitFor({ state: "detached" });
  await list.getByText("This message was deleted").waitFor();
  await list.getByText("Words that stay").waitFor();
  await panel.page.getByTestId("close-chat").click();
  await row.getByTestId("delete-chat").click();
  await panel.confirm.click();
  await page.getByText("Words that stay").waitFor({ state: "detached" });
  await page.goto(`${url}/chat`);
  await page.getByText("No Chats Available").waitFor();
});

test("a suspended account is signed out with 'Login failed' and writes nothing, and its media stay", async () => {
  const { ann } = stage;
  const id = await stage.media(ann, "Stays for all to see", photo);
  const gallery = new GalleryPage(device.page);
  await gallery.open(url);
  await gallery.cardById(id).first().waitFor();
  await panel.open(url, "?tab=users");
  await panel.userRow("ann").getByTestId("toggle-suspended").click();
  await panel.confirm.click();
  await device.page.getByTestId("toast").filter({ hasText: "Login failed" }).waitFor();
  await device.page.getByTestId("login-link").waitFor();
  await panel.userRow("ann").getByText("Suspended", { exact: true }).waitFor();
  const writes: [string, string, unknown][] = [
    ["POST", "/api/collections/comments/records", { mediaId: id, userId: ann.id, text: "Hi" }],
    ["POST", "/api/collections/likes/records", { mediaId: id, userId: ann.id }],
    ["PATCH", `/api/collections/users/records/${ann.id}`, { bio: "Still here" }],
    ["PATCH", `/api/collections/media/records/${id}`, { caption: "Mine" }],
    ["DELETE", `/api/collections/media/records/${id}`, undefined],
    ["POST", "/api/account/delete", { password: ann.password }],
  ];
  for (const [method, path, body] of writes) {
    const { status } = await stage.app.api(method, path, body, ann.token);
    expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true]);
  }
  expect(await stage.row("users", ann.id)).toMatchObject({ bio: "" });
  const login = new LoginPage(device.page);
  await login.open(url);
  await login.signIn(ann.email, ann.password);
  await device.page.getByTestId("toast").filter({ hasText: "Login failed" }).waitFor();
  await gallery.open(url);
  await gallery.cardById(id).first().waitFor();
  expect(await stage.row("media", id)).not.toBeNull();
  expect(chief.errors).toEqual([]);
  expect(device.errors).toEqual([]);
});
