/** The admin panel: who gets in, and each tab as an admin uses it. */

import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { LoginPage } from "./pages/login-page";

let stage: AdminStage;
let url: string;
let chief: Profile;
let other: Profile;
let panel: AdminPage;
let photo: Buffer;

beforeAll(async () => {
  stage = await setAdminStage();
  url = stage.app.url;
  chief = await openProfile({ viewport: { width: 1280, height: 800 } });
  other = await openProfile({ viewport: { width: 390, height: 844 } });
  photo = await drawPhoto(chief.context, 200);
  panel = new AdminPage(chief.page);
  await new LoginPage(chief.page).enter(url, stage.admin);
});

afterAll(async () => {
  await Promise.allSettled([chief?.close(), other?.close()]);
  await stage?.app.stop();
});

/** Signs Ann in on the other device, unless she is. */
async function beAnn(): Promise<void> {
  const { page } = other;
  await page.goto(url);
  const menu = page.getByTestId("profile-menu");
  await menu.or(page.getByTestId("login-link")).first().waitFor();
  if (!(await menu.isVisible())) await new LoginPage(page).enter(url, stage.ann);
}

test("a visitor is led home, and somebody who is no admin too, with 'Zugriff verweigert'", async () => {
  const denied = new AdminPage(other.page);
  await denied.open(url);
  await other.page.waitForURL(`${url}/`);
  await beAnn();
  await denied.open(url);
  await denied.toastSaying("Sie haben keine Admin-Berechtigung.").waitFor();
  expect(await denied.toast.innerText()).toContain("Zugriff verweigert");
  await other.page.waitForURL(`${url}/`);
});

test("the account menu leads an admin to the panel, and shows nobody else the way", async () => {
  await beAnn();
  await other.page.getByTestId("profile-menu").click();
  await other.page.getByTestId("to-profile").waitFor();
  expect(await other.page.getByTestId("to-admin").count()).toBe(0);
  await other.page.keyboard.press("Escape");
  await chief.page.goto(url);
  await chief.page.getByTestId("profile-menu").click();
  await chief.page.getByTestId("to-admin").click();
  await chief.page.waitForURL(`${url}/admin`);
});

test("what the device remembers of isAdmin opens nothing, without a server least of all", async () => {
  await beAnn();
  await other.page.evaluate(() => {
    const key = "augenblick.session";
    const session = JSON.parse(localStorage.getItem(key) ?? "{}");
    localStorage.setItem(
      key,
      JSON.stringify({ ...session, user: { ...session.user, isAdmin: true } }),
    );
  });
  const denied = new AdminPage(other.page);
  await denied.open(url);
  await denied.toastSaying("Sie haben keine Admin-Berechtigung.").waitFor();
  await chief.page.goto(`${url}/admin`);
  await panel.panel.waitFor();
  await chief.page.goto(`${url}/`);
  await untilControlled(chief.page);
  await stage.app.stop();
  await panel.open(url);
  await panel.card.waitFor();
  const card = await panel.card.innerText();
  expect(card).toContain("Zugriff verweigert");
  expect(card).toContain("Sie haben keine Berechtigung für den Admin-Bereich.");
  expect(await panel.panel.count()).toBe(0);
  await stage.app.restart();
  // By itself, once the server is found again.
  await panel.panel.waitFor();
});

test("the tabs carry their names and counts, Statistiken the totals", async () => {
  await stage.media(stage.ann, "First light", photo);
  await panel.open(url);
  await expect.poll(() => panel.page.getByTestId("total-users").textContent()).toBe("3");
  expect(await panel.page.getByTestId("total-media").textContent()).toBe("1");
  expect(await panel.page.getByTestId("total-photos").textContent()).toBe("1");
  expect(await panel.page.getByTestId("total-videos").textContent()).toBe("0");
  await expect.poll(() => panel.tab("users").innerText()).toBe("Benutzer (3)");
  await expect.poll(() => panel.tab("chats").innerText()).toBe("Chats (0)");
  await expect.poll(() => panel.tab("media").innerText()).toBe("Medien (1)");
  await expect.poll(() => panel.tab("reports").innerText()).toBe("Meldungen (0)");
  await panel.tab("chats").click();
  await panel.page.getByText("No conversations found.").waitFor();
  await panel.tab("reports").click();
  await panel.page.getByText("Keine Meldungen vorhanden.").waitFor();
  await panel.tab("stats").click();
  await panel.page.getByRole("img", { name: /^Media over the last 30 days: 1 in total/ }).waitFor();
});

test("Benutzer: found by address, made an admin and no longer one, and the last one stays", async () => {
  await panel.open(url, "?tab=users");
  await panel.page.getByTestId("user-search").fill(stage.ben.email);
  await expect.poll(() => panel.page.getByTestId("user-row").count()).toBe(1);
  const ben = panel.userRow("ben");
  await ben.getByTestId("toggle-admin").click();
  await panel.confirm.click();
  await panel.toastSaying("User promoted to admin.").waitFor();
  await ben.getByText("Admin", { exact: true }).waitFor();
  expect((await stage.row("users", stage.ben.id))?.["isAdmin"]).toBe(true);
  await ben.getByText("Remove Admin").click();
  await panel.confirm.click();
  await panel.toastSaying("User removed from admin.").waitFor();
  expect((await stage.row("users", stage.ben.id))?.["isAdmin"]).toBe(false);
  await panel.page.getByTestId("user-search").fill("chief");
  await expect.poll(() => panel.userRow("chief").count()).toBe(1);
  await panel.userRow("chief").getByTestId("toggle-admin").click();
  await panel.confirm.click();
  await panel.toastSaying("The last admin can't be removed or suspended.").waitFor();
  expect((await stage.row("users", stage.admin.id))?.["isAdmin"]).toBe(true);
});

test("Chats: read, a message deleted, chat access taken, the conversation deleted", async () => {
  const { ann, ben } = stage;
  const id = await stage.chat(
    [
      [ann, "Have you seen it?"],
      [ben, "Not yet"],
    ],
    ann,
    ben,
  );
  await panel.open(url, "?tab=chats");
  const row = panel.chatRow("ann");
  await row.getByText("2 messages").waitFor();
  expect(await row.textContent()).toMatch(/ann ↔ ben|ben ↔ ann/);
  await row.getByTestId("view-chat").click();
  const message = panel.page.getByTestId("admin-message").filter({ hasText: "Have you seen it?" });
  await message.waitFor();
  expect(await message.textContent()).toContain("ann");
  await message.getByTestId("delete-message").click();
  await panel.confirm.click();
  await panel.toastSaying("Message deleted successfully.").waitFor();
  await panel.page.getByTestId("chat-dialog").getByText("This message was deleted").waitFor();
  await panel.page.getByTestId("close-chat").click();
  await panel.page.getByTestId("chat-dialog").waitFor({ state: "detached" });
  const access = panel.accessRow("ben");
  await access.getByTestId("access-switch").click();
  await panel.toastSaying("Chat access disabled for user.").waitFor();
  expect((await stage.row("users", ben.id))?.["chatDisabled"]).toBe(true);
  await access.getByTestId("access-switch").click();
  await panel.toastSaying("Chat access enabled for user.").waitFor();
  await row.getByTestId("delete-chat").click();
  await panel.confirm.click();
  await panel.toastSaying("Conversation deleted successfully.").waitFor();
  expect(await stage.row("conversations", id)).toBeNull();
  await panel.page.getByText("No conversations found.").waitFor();
});

test("Medien: 'von' its owner, filtered, and 'Löschen' only when confirmed", async () => {
  const id = await stage.media(stage.ben, "Old harbour", photo);
  await panel.open(url, "?tab=media");
  const card = panel.mediaCard(id);
  await card.getByText("von ben").waitFor();
  await panel.page.getByTestId("admin-media-videos").click();
  await panel.page.getByText("Keine Medien vorhanden.").waitFor();
  await panel.page.getByTestId("admin-media-photos").click();
  await card.getByTestId("delete-media").click();
  await panel.page.getByRole("button", { name: "Cancel" }).click();
  await panel.confirm.waitFor({ state: "detached" });
  expect(await stage.row("media", id)).not.toBeNull();
  await card.getByTestId("delete-media").click();
  await panel.confirm.click();
  const toast = panel.toastSaying("Medium erfolgreich gelöscht.");
  await toast.waitFor();
  expect(await toast.innerText()).toContain("Erfolg");
  await card.waitFor({ state: "detached" });
  expect(await stage.row("media", id)).toBeNull();
});

test("Meldungen: numbered, red after a day, kept when the medium goes, judged", async () => {
  const { ann, ben, admin } = stage;
  const mediaId = await stage.media(ben, "Loud colours", photo);
  const report = { mediaId, userId: ann.id, reason: "This is not his picture" };
  const id = await stage.make("reports", report, ann);
  const old = new Date(Date.now() - 30 * 3_600_000).toISOString();
  await stage.change("reports", id, { createdAt: old }, stage.superuser);
  await panel.open(url, "?tab=reports");
  const card = panel.report(1);
  await card.getByText("This is not his picture").waitFor();
  expect(await card.textContent()).toContain("Reported by ann");
  expect(await card.getByTestId("report-age").getAttribute("data-late")).toBe("true");
  await card.getByTestId("report-resolve").click();
  await panel.toastSaying("Report updated.").waitFor();
  await expect.poll(() => card.getByTestId("report-status").innerText()).toBe("Resolved");
  expect((await stage.row("reports", id))?.["status"]).toBe("resolved");
  await card.getByTestId("report-delete-media").click();
  await panel.confirm.click();
  await panel.toastSaying("Medium erfolgreich gelöscht.").waitFor();
  await card.getByText("The media has been deleted.").waitFor();
  await expect.poll(() => panel.tab("media").innerText()).toBe("Medien (1)");
  await card.getByTestId("report-suspend").click();
  await panel.confirm.click();
  await panel.toastSaying("User suspended.").waitFor();
  expect((await stage.row("users", ben.id))?.["isBlocked"]).toBe(true);
  await panel.page.getByTestId("admin-reports-open").click();
  await panel.page.getByText("Keine Meldungen vorhanden.").waitFor();
  await stage.change("users", ben.id, { isBlocked: false }, admin);
});

test("a list that the server does not give says so, and comes when the server does", async () => {
  await panel.open(url, "?tab=users");
  await panel.userRow("ann").waitFor();
  await stage.app.stop();
  await panel.page.getByTestId("user-search").fill("ann");
  await panel.page.getByTestId("admin-offline").waitFor();
  expect(await panel.page.getByTestId("user-row").count()).toBe(0);
  await stage.app.restart();
  await panel.userRow("ann").waitFor();
});

test("whoever is demoted while the panel is open loses it at once, and at the latest with the next request", async () => {
  await beAnn();
  const page = new AdminPage(other.page);
  const setAdmin = (isAdmin: boolean) =>
    stage.change("users", stage.ann.id, { isAdmin }, stage.superuser);
  await setAdmin(true);
  await page.open(url, "?tab=media");
  await page.panel.waitFor();
  await setAdmin(false);
  await page.toastSaying("Sie haben keine Admin-Berechtigung.").waitFor();
  await other.page.waitForURL(`${url}/`);
  // Where the device hears nothing of it by itself.
  await setAdmin(true);
  await other.page.route(/\/api\/(?:sync|realtime)/, (route) => route.abort());
  await page.open(url, "?tab=media");
  await page.panel.waitFor();
  await setAdmin(false);
  // Not a click that waits: a request that was still under way may have told already, and the panel be gone.
  await page.page.evaluate(() =>
    document.querySelector<HTMLElement>('[data-testid="admin-media-videos"]')?.click(),
  );
  await page.toastSaying("Sie haben keine Admin-Berechtigung.").waitFor();
  await other.page.waitForURL(`${url}/`);
  expect(chief.errors).toEqual([]);
  expect(other.errors).toEqual([]);
});
