/** The panel's lists where they are long: pages, choices, old messages and their photos; and what a clean-up finds on the disk. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { seedMedia } from "@tests/support/seed-media";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { LoginPage } from "./pages/login-page";

const NOW = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";
let stage: AdminStage;
let url: string;
let chief: Profile;
let panel: AdminPage;

beforeAll(async () => {
  stage = await setAdminStage();
  url = stage.app.url;
  chief = await openProfile({ viewport: { width: 1280, height: 800 } });
  panel = new AdminPage(chief.page);
  await new LoginPage(chief.page).enter(url, stage.admin);
});

afterAll(async () => {
  await chief?.close();
  await stage?.app.stop();
});

const run = (query: string) => sql(stage.app, stage.superuser.token, query);
const more = () => panel.page.getByTestId("admin-more");

test("View Chat shows the newest thousand and their photos, then the older ones, and Escape closes it under a toast", async () => {
  const { ann, ben, superuser } = stage;
  const id = await stage.chat([], ann, ben);
  await run(
    `INSERT INTO messages (id, conversationId, senderId, message, type, timestamp, createdAt, updatedAt, seq)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1002)
       SELECT printf('m%014d', i), '${id}', '${ann.id}', 'Line ' || i, 'text', 1790000000 + i, ${NOW}, ${NOW}, 0 FROM n`,
  );
  const photo = new FormData();
  const fields = { conversationId: id, senderId: ben.id, type: "photo", timestamp: "1790002000" };
  for (const [name, value] of Object.entries(fields)) photo.set(name, value);
  const picture = new Uint8Array(await drawPhoto(chief.context, 120));
  for (const name of ["image", "thumbnail"]) {
    photo.set(name, new Blob([picture], { type: "image/jpeg" }), `${name}.jpg`);
  }
  const photoId = await stage.make("messages", photo, superuser);
  await panel.open(url, "?tab=chats");
  await panel.chatRow("ann").getByTestId("view-chat").click();
  const dialog = panel.page.getByTestId("chat-dialog");
  const message = dialog.locator(`[data-message-id="${photoId}"]`);
  await expect
    .poll(() => message.locator("img").evaluate((img) => (img as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await dialog.getByText("Line 4", { exact: true }).waitFor({ state: "attached" });
  expect(await dialog.getByText("Line 3", { exact: true }).count()).toBe(0);
  await dialog.getByTestId("older-messages").click();
  await dialog.getByText("Line 1", { exact: true }).waitFor({ state: "attached" });
  await dialog.getByTestId("older-messages").waitFor({ state: "detached" });
  expect(await panel.page.getByTestId("admin-message").count()).toBe(1003);
  await message.getByTestId("delete-message").click();
  await panel.confirm.click();
  await panel.toastSaying("Message deleted successfully.").waitFor();
  await message.locator("img").waitFor({ state: "detached" });
  await panel.page.getByTestId("close-chat").focus();
  await panel.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("Medien shows twenty, then the rest of a page, then the next page", async () => {
  const media = Array.from({ length: 55 }, (_, i) => ({
    id: `longlist${String(i).padStart(7, "0")}`,
    caption: `Number ${i}`,
    age: i + 1,
  }));
  await seedMedia(stage.app, stage.superuser.token, stage.ann.id, media);
  await panel.open(url, "?tab=media");
  const cards = panel.page.getByTestId("admin-media-card");
  for (const shown of [20, 40, 55]) {
    await expect.poll(() => cards.count()).toBe(shown);
    if (shown < 55) await more().click();
  }
  await more().waitFor({ state: "detached" });
});

test("Medien (n) counts down also for what is not loaded here, and the badge follows the chat's switch at once", async () => {
  await panel.open(url, "?tab=media");
  const tab = panel.tab("media");
  await expect.poll(() => tab.textContent()).toMatch(/\(55\)$/);
  const { ben, superuser } = stage;
  const remove = (id: string) =>
    stage.app.api("DELETE", `/api/collections/media/records/${id}`, undefined, superuser.token);
  await remove("longlist0000054");
  await expect.poll(() => tab.textContent()).toMatch(/\(54\)$/);
  // Once for what this panel deletes, whoever else tells of it.
  await panel.mediaCard("longlist0000003").getByTestId("delete-media").click();
  await panel.confirm.click();
  await panel.mediaCard("longlist0000003").waitFor({ state: "detached" });
  await expect.poll(() => tab.textContent()).toMatch(/\(53\)$/);

  await panel.tab("users").click();
  const badge = panel.userRow("ben").getByText("Chat Disabled");
  await panel.userRow("ben").waitFor();
  expect(await badge.count()).toBe(0);
  await panel.tab("chats").click();
  await panel.accessRow("ben").getByTestId("access-switch").click();
  await panel.toastSaying("Chat access disabled for user.").waitFor();
  await panel.tab("users").click();
  await badge.waitFor();
  await stage.change("users", ben.id, { chatDisabled: false }, superuser);
});

test("Benutzer comes in pages, sorted and filtered as chosen, and a suspension is lifted", async () => {
  const columns = await run("SELECT name FROM pragma_table_info('users')");
  const own: Record<string, string> = {
    id: "printf('crowd%010d', n.i)",
    username: "'crowd' || n.i",
    email: "'crowd' || n.i || '@example.com'",
    tokenKey: "'a-token-key-that-is-long-enough-' || printf('%015d', n.i)",
  };
  const names = columns.map(({ name }) => String(name));
  await run(
    `INSERT INTO users (${names.map((name) => `"${name}"`).join(", ")})
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
       SELECT ${names.map((name) => own[name] ?? `u."${name}"`).join(", ")} FROM n, users u WHERE u.username = 'ben'`,
  );
  await panel.open(url, "?tab=users");
  const rows = panel.page.getByTestId("user-row");
  await expect.poll(() => rows.count()).toBe(50);
  await more().click();
  await expect.poll(() => rows.count()).toBe(63);
  await more().waitFor({ state: "detached" });
  await panel.page.getByTestId("user-sort").selectOption("username");
  await expect.poll(() => rows.first().textContent()).toContain("ann");
  await panel.page.getByTestId("user-sort").selectOption("oldest");
  await expect.poll(() => rows.first().textContent()).toContain("chief");
  await panel.page.getByTestId("user-filter").selectOption("admins");
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.first().textContent()).toContain("chief");
  await stage.change("users", stage.ben.id, { isBlocked: true }, stage.superuser);
  await panel.page.getByTestId("user-filter").selectOption("suspended");
  await expect.poll(() => rows.first().textContent()).toContain("ben");
  await panel.userRow("ben").getByTestId("toggle-suspended").click();
  await panel.confirm.click();
  await panel.toastSaying("The suspension was lifted.").waitFor();
  expect((await stage.row("users", stage.ben.id))?.["isBlocked"]).toBe(false);
});

test("Benutzer says what each account has stored, a chat's photos with it", async () => {
  const photo = await drawPhoto(chief.context, 60);
  const chat = await stage.chat([[stage.ann, "Look"]], stage.ann, stage.admin);
  await stage.change(
    "media",
    await stage.media(stage.ann, "Big", photo),
    { fileSize: 2 << 20 },
    stage.superuser,
  );
  await stage.photo(stage.ann, chat, photo);
  await run(
    `UPDATE messages SET photoSize = ${1 << 20} WHERE senderId = '${stage.ann.id}' AND image != ''`,
  );
  await panel.open(url, "?tab=users");
  await panel.page.getByTestId("user-sort").selectOption("username");
  await panel.userRow("ann").getByText("3 MB stored").waitFor();
  expect(await panel.userRow("chief").textContent()).not.toContain("stored");
});

test("the clean-up finds files that no record names and old tombstones, and removes them", async () => {
  const [media] = await run("SELECT id FROM _collections WHERE name = 'media'");
  const folder = path.join(stage.app.dataDir, "storage", String(media?.["id"]), "deadmedium00001");
  const file = path.join(folder, "a.jpg");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, "12345");
  const old = new Date("2020-01-01");
  for (const place of [file, folder]) utimesSync(place, old, old);
  await run("DELETE FROM media WHERE id = 'longlist0000000'");
  await run("UPDATE _tombs SET at = 1");
  await panel.open(url, "?settings=cleanup");
  for (const task of ["orphaned-files", "old-tombstones"]) {
    const card = panel.page.getByTestId(`cleanup-${task}`);
    await card.getByTestId("cleanup-look").click();
    await card.getByText(/^\d+ items?/).waitFor();
    await card.getByTestId("cleanup-remove").click();
    await panel.confirm.click();
    await card.getByText(/items? removed\.$/).waitFor();
    await card.getByTestId("cleanup-look").click();
    await card.getByText("There's nothing to clean up.").waitFor();
  }
  expect(chief.errors).toEqual([]);
});
