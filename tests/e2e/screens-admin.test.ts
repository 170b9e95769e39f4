/**
 * Every screen of the admin panel: axe finds nothing, nothing scrolls sideways, no policy is broken, the keyboard is enough.
 */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { goOn } from "@tests/support/go-on";
import { lookInAllSizes } from "@tests/support/look-at-page";
import type { SignedIn } from "@tests/support/pocketbase";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { LoginPage } from "./pages/login-page";

let stage: AdminStage;
let chief: Profile;
let page: Page;
let panel: AdminPage;

beforeAll(async () => {
  stage = await setAdminStage();
  chief = await openProfile({ viewport: { width: 1280, height: 800 } });
  page = chief.page;
  panel = new AdminPage(page);
  const { ann, ben, admin } = stage;
  const mediaId = await stage.media(
    ben,
    "A caption that is long enough for two lines on a phone",
    await drawPhoto(chief.context, 30),
  );
  const gone = await stage.media(ann, "Gone by now", await drawPhoto(chief.context, 300));
  for (const [id, reason] of [
    [mediaId, "This shows me, and nobody asked"],
    [gone, "Advertising"],
  ] as const) {
    const who = id === mediaId ? ann : ben;
    await stage.make("reports", { mediaId: id, userId: who.id, reason }, who);
  }
  await stage.app.api("DELETE", `/api/collections/media/records/${gone}`, undefined, admin.token);
  await stage.chat(
    [
      [ann, "A first word"],
      [ben, "And a much longer answer, that does not fit on one line of a phone held upright"],
      ...Array.from({ length: 24 }, (_, i): [SignedIn, string] => [ben, `Line ${i}`]),
    ],
    ann,
    ben,
  );
  const terms =
    "<h2>Be kind</h2><p>Only your own pictures.</p><ul><li><p>none of others</p></li></ul>";
  await stage.change("settings", "terms", { content: terms }, admin);
  await stage.change("users", ben.id, { isBlocked: true, chatDisabled: true }, admin);
  await stage.app.api("POST", "/api/crons/keepHealth", undefined, stage.superuser.token);
  await new LoginPage(page).enter(stage.app.url, admin);
});

afterAll(async () => {
  await chief?.close();
  await stage?.app.stop();
});

interface Screen {
  name: string;
  query: string;
  /** What shows that it is there. */
  there: string;
  /** Brings up what lies over it. */
  bringUp?: () => Promise<void>;
  /** Selector of what lies over the page. */
  over?: string;
}

const SCREENS: Screen[] = [
  { name: "admin-stats", query: "", there: "admin-stats" },
  { name: "admin-users", query: "?tab=users", there: "user-row" },
  {
    name: "admin-confirm",
    query: "?tab=users",
    there: "user-row",
    over: '[role="alertdialog"]',
    bringUp: async () => {
      await page.getByTestId("toggle-admin").first().click();
      await panel.confirm.waitFor();
    },
  },
  { name: "admin-chats", query: "?tab=chats", there: "access-row" },
  {
    name: "admin-chat",
    query: "?tab=chats",
    there: "chat-row",
    over: '[role="dialog"]',
    bringUp: async () => {
      await page.getByTestId("view-chat").first().click();
      await page.getByTestId("admin-message").first().waitFor();
    },
  },
  { name: "admin-media", query: "?tab=media", there: "admin-media-card" },
  { name: "admin-reports", query: "?tab=reports", there: "report-card" },
  { name: "admin-terms", query: "?settings=terms", there: "rich-editor" },
  { name: "admin-cleanup", query: "?settings=cleanup", there: "cleanup" },
  { name: "admin-app", query: "?settings=app", there: "app-settings" },
  { name: "admin-audit", query: "?settings=audit", there: "audit-row" },
  { name: "admin-health", query: "?settings=health", there: "health-charts" },
];

async function open({ query, there, bringUp }: Screen): Promise<void> {
  await goOn(page, `${stage.app.url}/admin${query}`);
  await page.getByTestId(there).first().waitFor();
  await bringUp?.();
}

test("every screen is fit to be shown on a phone and on a desktop, in both themes", async () => {
  const broken: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) broken.push(message.text());
  });
  for (const screen of SCREENS) {
    const { name, over } = screen;
    broken.push(...(await lookInAllSizes(page, { name, over, open: () => open(screen) })));
  }
  page.removeAllListeners("console");
  expect(broken).toEqual([]);
  expect(chief.errors).toEqual([]);
});

const isSeen = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return at !== null && (element.contains(at) || at.contains(element));
  });

test("a chat opens at its title, with the newest message in sight", async () => {
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await open({ name: "", query: "?tab=chats", there: "chat-row" });
    await page.getByTestId("view-chat").first().click();
    const last = page.getByTestId("admin-message").last();
    await last.waitFor();
    await expect.poll(() => isSeen(last)).toBe(true);
    expect(await isSeen(page.getByRole("dialog").getByRole("heading"))).toBe(true);
    expect(await isSeen(page.getByTestId("close-chat"))).toBe(true);
  }
});

test("on a phone one sees that there are more tabs, until the last one is in sight", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await panel.open(stage.app.url);
  const more = page.getByTestId("admin-tab-more");
  await more.waitFor();
  await panel.tab("reports").focus();
  await more.waitFor({ state: "detached" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await panel.open(stage.app.url);
  await panel.tab("reports").waitFor();
  await expect.poll(() => more.count()).toBe(0);
});

const focused = (): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute("data-testid") ?? element?.textContent ?? "";
  });

test("the keyboard alone goes through tabs, asks, and comes back to where it was", async () => {
  await panel.open(stage.app.url);
  await panel.tab("stats").focus();
  await page.keyboard.press("ArrowRight");
  const promote = panel.userRow("ann").getByTestId("toggle-admin");
  await promote.waitFor();
  expect(await panel.tab("users").getAttribute("aria-selected")).toBe("true");
  await promote.focus();
  await page.keyboard.press("Enter");
  await panel.confirm.waitFor();
  await expect.poll(focused).toBe("Cancel");
  await page.keyboard.press("Escape");
  await panel.confirm.waitFor({ state: "detached" });
  await expect.poll(() => promote.evaluate((own) => own === document.activeElement)).toBe(true);
  await panel.open(stage.app.url, "?settings=terms");
  await page.getByTestId("tool-heading2").focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(focused).toBe("tool-heading3");
});

test("deleting reported media closes its reports, and the audit book names owner and caption", async () => {
  await panel.open(stage.app.url, "?tab=reports");
  const card = page.getByTestId("report-card").filter({ hasText: "nobody asked" });
  await card.getByTestId("report-delete-media").click();
  await panel.confirm.click();
  await card.getByTestId("report-status").getByText("Resolved").waitFor();
  await page.reload();
  await card.getByTestId("report-status").getByText("Resolved").waitFor();
  await panel.open(stage.app.url, "?settings=audit");
  const row = page.locator('[data-testid="audit-row"][data-action="media.delete"]').first();
  await row.waitFor();
  const words = await row.textContent();
  expect(words).toContain("A caption that is long enough");
  expect(words).toContain("of ben");
  expect(words).toContain("1 report resolved");
  const suspended = page.locator('[data-action="users.update"]').filter({ hasText: "ben" });
  await suspended.filter({ hasText: "Suspended: yes" }).first().waitFor();
});
