/** What lies behind the panel's Settings button: legal texts with drafts and conflicts, cleanup, settings, audit. */
import { readFile } from "node:fs/promises";
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { RATES } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { LegalEditorPage } from "./pages/legal-editor-page";
import { LoginPage } from "./pages/login-page";

let stage: AdminStage;
let url: string;
let chief: Profile;
let deputy: Profile;
let panel: AdminPage;
let editor: LegalEditorPage;

beforeAll(async () => {
  stage = await setAdminStage();
  url = stage.app.url;
  await stage.change("users", stage.ann.id, { isAdmin: true }, stage.superuser);
  chief = await openProfile({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  deputy = await openProfile({ viewport: { width: 390, height: 844 } });
  panel = new AdminPage(chief.page);
  editor = new LegalEditorPage(chief.page);
  await new LoginPage(chief.page).enter(url, stage.admin);
  await new LoginPage(deputy.page).enter(url, stage.ann);
});

afterAll(async () => {
  await Promise.allSettled([chief?.close(), deputy?.close()]);
  await stage?.app.stop();
});

const stored = async (id: string, field: string) => (await stage.row("settings", id))?.[field];

test("the terms are written, previewed, published and read by everybody", async () => {
  await panel.open(url);
  await panel.page.getByTestId("admin-settings").click();
  await editor.text.click();
  await editor.tool("heading2").click();
  await panel.page.keyboard.type("Be kind");
  await panel.page.keyboard.press("Enter");
  await panel.page.keyboard.type("Only your own pictures.");
  await editor.mode("preview").click();
  await editor.preview.getByRole("heading", { name: "Be kind" }).waitFor();
  await editor.save.click();
  await panel.toastSaying("Published.").waitFor();
  expect(await stored("terms", "content")).toBe("<h2>Be kind</h2><p>Only your own pictures.</p>");
  await editor.state.getByText("No changes").waitFor();
  await deputy.page.goto(`${url}/terms`);
  const terms = deputy.page.getByTestId("legal-terms");
  await terms.getByRole("heading", { name: "Be kind" }).waitFor();
  await terms.getByText(/^Last updated: /).waitFor();
});

test("what would be dangerous never reaches a reader, nor the preview", async () => {
  await editor.open(url, "privacy");
  await editor.mode("html").click();
  await editor.html.fill(
    '<p onclick="window.hurt=1">Text</p><script>window.hurt=1</script><iframe src="/"></iframe><a href="javascript:window.hurt=1">link</a>',
  );
  await editor.mode("preview").click();
  await editor.preview.getByText("link").click();
  expect(await editor.preview.locator("script, iframe, [onclick]").count()).toBe(0);
  await editor.save.click();
  await panel.toastSaying("Published.").waitFor();
  expect(await stored("privacy", "content")).toBe("<p>Text</p><a>link</a>");
  await deputy.page.goto(`${url}/privacy`);
  await deputy.page.getByTestId("legal-privacy").getByText("link").click();
  for (const { page } of [chief, deputy]) {
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  }
});

test("a draft survives the page, and goes when it is discarded", async () => {
  const before = await stored("terms", "content");
  await editor.open(url, "terms");
  await editor.text.click();
  await panel.page.keyboard.press("ControlOrMeta+End");
  await panel.page.keyboard.type(" And ask first.");
  await editor.state.getByText("Draft saved on this device").waitFor();
  await editor.open(url, "terms");
  await editor.restored.waitFor();
  await editor.text.getByText("And ask first.").waitFor();
  expect(await stored("terms", "content")).toBe(before);
  await editor.discard.click();
  await panel.confirm.click();
  await editor.text.getByText("And ask first.").waitFor({ state: "detached" });
  await editor.open(url, "terms");
  await editor.text.getByText("Only your own pictures.").waitFor();
  expect(await editor.restored.count()).toBe(0);
});

test("of two admins who write at once the second is told, and decides", async () => {
  const second = new LegalEditorPage(deputy.page);
  await editor.open(url, "terms");
  await second.open(url, "terms");
  await second.text.click();
  await deputy.page.keyboard.type("Mine. ");
  await second.state.getByText("Draft saved on this device").waitFor();
  await editor.text.click();
  await panel.page.keyboard.type("Theirs. ");
  await editor.save.click();
  await panel.toastSaying("Published.").waitFor();
  await second.save.click();
  await second.conflict.waitFor();
  await second.conflict.getByTestId("conflict-show").click();
  await second.theirs.getByText("Theirs.").waitFor();
  expect(await stored("terms", "content")).toContain("Theirs.");
  await second.conflict.getByTestId("conflict-mine").click();
  await new AdminPage(deputy.page).toastSaying("Published.").waitFor();
  expect(await stored("terms", "content")).toContain("Mine.");
  expect(await stored("terms", "content")).not.toContain("Theirs.");
  await second.conflict.waitFor({ state: "detached" });
});

test("a server that is away loses no word of a draft", async () => {
  await editor.open(url, "terms");
  await editor.text.click();
  await panel.page.keyboard.type("Unsent. ");
  await stage.app.stop();
  await editor.save.click();
  await panel.page.getByText("Couldn't publish the text.").waitFor();
  await stage.app.restart();
  await editor.save.click();
  await panel.toastSaying("Published.").waitFor();
  expect(await stored("terms", "content")).toContain("Unsent.");
});

test("the clean-up shows what it would remove, and removes it when told so", async () => {
  await panel.open(url, "?settings=cleanup");
  const card = panel.page.getByTestId("cleanup-expired-uploads");
  await card.getByTestId("cleanup-look").click();
  await card.getByText("There's nothing to clean up.").waitFor();
  const expired = {
    owner: stage.ben.id,
    size: 10,
    metadata: {},
    expiresAt: "2020-01-01 00:00:00.000Z",
  };
  const removeOne = async (): Promise<string> => {
    const id = await stage.make("uploads", expired, stage.superuser);
    await card.getByTestId("cleanup-look").click();
    await card.getByText("1 item").waitFor();
    expect(await stage.row("uploads", id)).not.toBeNull();
    await card.getByTestId("cleanup-remove").click();
    await panel.confirm.click();
    const told = card.getByText(/^\d items? removed\.$/);
    await told.waitFor();
    expect(await stage.row("uploads", id)).toBeNull();
    return told.innerText();
  };
  // Once an hour, at minute 17, the server's own schedule may take what was shown here.
  if ((await removeOne()) === "0 items removed.") expect(await removeOne()).toBe("1 item removed.");
});

test("product name, mutual follow and limits are set, and a bad number is not sent", async () => {
  await panel.open(url, "?settings=app");
  await panel.page.getByTestId("limit-writesPerMinute").fill("0");
  await panel.page.getByText("A whole number, 1 or more.").waitFor();
  expect(await panel.page.getByTestId("save-settings").isDisabled()).toBe(true);
  await panel.page.getByTestId("limit-writesPerMinute").fill("500");
  await panel.page.getByTestId("product-name").fill("Blink");
  await panel.page.getByTestId("mutual-follow").click();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const row = "**/api/collections/settings/records/app*";
  await panel.page.route(row, async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  const save = panel.page.getByTestId("save-settings");
  await save.click();
  await expect.poll(() => stored("app", "limits")).toEqual({ ...RATES, writesPerMinute: 500 });
  // Typed while the rest is being saved: it stays, and goes with the next save.
  await panel.page.getByTestId("limit-reportsPerHour").fill("7");
  answer();
  await panel.toastSaying("Settings saved.").waitFor();
  await expect.poll(() => save.isEnabled()).toBe(true);
  await panel.page.unroute(row);
  await save.click();
  await expect
    .poll(() => stored("app", "limits"))
    .toEqual({ ...RATES, writesPerMinute: 500, reportsPerHour: 7 });
  expect(await stored("app", "requireMutualFollow")).toBe(true);
  await expect
    .poll(() => panel.page.locator("header").getByText("Blink", { exact: true }).count())
    .toBe(1);
});

test("the audit log tells who did what, is filtered, and taken away as a file", async () => {
  await panel.open(url, "?settings=audit");
  const rows = panel.page.getByTestId("audit-row");
  await rows.filter({ hasText: "Settings and texts: changed" }).first().waitFor();
  await panel.page.getByTestId("audit-action").selectOption("cleanup");
  await expect.poll(() => panel.page.locator('[data-action="settings.update"]').count()).toBe(0);
  const run = rows.filter({ hasText: "Cleanup: carried out" }).first();
  await run.waitFor();
  expect(await run.textContent()).toContain("chief");
  await panel.page.getByTestId("audit-actor").fill("nobody-of-that-name");
  await panel.page.getByTestId("audit-empty").waitFor();
  await panel.page.getByTestId("audit-clear").click();
  await rows.filter({ hasText: "Settings and texts: changed" }).first().waitFor();
  const download = panel.page.waitForEvent("download");
  await panel.page.getByTestId("audit-export").click();
  const file = await (await download).path();
  const lines = (await readFile(file, "utf8")).trim().split(/\r?\n/);
  expect(lines[0]).toContain("action");
  expect(lines.some((line) => line.includes("cleanup.run"))).toBe(true);
  expect(chief.errors).toEqual([]);
  expect(deputy.errors).toEqual([]);
});

test("what is pasted keeps its form; a text that is not cleaned becomes neither markup nor a script", async () => {
  await editor.open(url, "terms");
  await editor.text.click();
  await panel.page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", "<p>Pasted <strong>words</strong></p>");
    const target = document.activeElement;
    target?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await editor.text.locator("strong", { hasText: "words" }).waitFor();
  await editor.discard.click();
  await panel.confirm.click();
  await editor.text.getByText("Pasted").waitFor({ state: "detached" });
  // All pages of this file, with editor, legal texts, workers and service worker, broke no rule.
  expect([...chief.errors, ...deputy.errors]).toEqual([]);
  const refused = await deputy.page.evaluate(() => {
    const attempts = [
      () => {
        document.createElement("p").innerHTML = "<b>bold</b>";
      },
      () => new Worker("/sw.js"),
      () => {
        document.createElement("script").text = "1";
      },
      // biome-ignore lint/suspicious/noExplicitAny: the types of the DOM lack it.
      () => (window as any).trustedTypes.createPolicy("another", {}),
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return "done";
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(refused).toEqual(Array(4).fill("TypeError"));
  deputy.errors.length = 0;
});

test("Health says first what is to be done, and looks again when it is opened again", async () => {
  const spoil = async (n: number) => {
    for (const query of [
      "UPDATE _seq SET guard = 1",
      `UPDATE users SET followers = ${n} WHERE id = '${stage.ben.id}'`,
      "UPDATE _seq SET guard = 0",
    ])
      await sql(stage.app, stage.superuser.token, query);
  };
  await spoil(3);
  await panel.openSettings(url, "health");
  const first = panel.page.getByTestId("health-findings").getByRole("listitem");
  await first.filter({ hasText: "Wrong counters: 1." }).waitFor();
  expect(await first.first().getByRole("img").getAttribute("aria-label")).toBe("To do");
  expect(await first.last().getByRole("img").getAttribute("aria-label")).toBe("All right");
  await panel.page.getByTestId("health-charts").getByRole("img").first().waitFor();
  await spoil(0);
  await panel.section("audit").click();
  // Else both taps may be one change of the address, in which Health is never left.
  await panel.page.getByTestId("audit").waitFor();
  await panel.section("health").click();
  await panel.page.getByTestId("health-counters_good").waitFor();
});
