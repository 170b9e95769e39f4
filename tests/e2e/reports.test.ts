/** Comments, messages and people are reported, and judged in the panel with what they need for it. */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { noticesOf, openProfile, type Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { goOn } from "@tests/support/go-on";
import { takePicture } from "@tests/support/look-at-page";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { pairId } from "@/domain/ids";
import { parseInstant } from "@/domain/times";
import { AdminPage } from "./pages/admin-page";
import { LoginPage } from "./pages/login-page";

let stage: AdminStage;
let url: string;
let chief: Profile;
let device: Profile;
let panel: AdminPage;
let page: Page;

beforeAll(async () => {
  stage = await setAdminStage();
  url = stage.app.url;
  chief = await openProfile({ viewport: { width: 1280, height: 800 } });
  device = await openProfile({ viewport: { width: 390, height: 844 } });
  page = device.page;
  panel = new AdminPage(chief.page);
  await new LoginPage(chief.page).enter(url, stage.admin);
  await new LoginPage(page).enter(url, stage.ann);
  await untilControlled(page);
});
afterEach(() => {
  expect([...device.errors, ...chief.errors]).toEqual([]);
});
afterAll(async () => {
  await Promise.allSettled([chief?.close(), device?.close()]);
  await stage?.app.stop();
});

const rowOf = (targetId: string) => stage.row("reports", pairId(targetId, stage.ann.id));
const card = (targetId: string) =>
  chief.page.locator(`[data-report-id="${pairId(targetId, stage.ann.id)}"]`);
const outcome = async (): Promise<string> => {
  const path = "/api/collections/notifications/records?perPage=50";
  const { body } = await stage.app.api("GET", path, undefined, stage.ann.token);
  const told = body.items.find(({ kind }: { kind: string }) => kind === "report");
  return told?.outcome ?? "";
};

test("a comment is reported without a network, is deleted by an admin, and who reported learns so", async () => {
  const photo = await drawPhoto(chief.context, 60);
  const mediaId = await stage.media(stage.admin, "The old pier", photo);
  const said = { mediaId, userId: stage.ben.id, text: "Buy cheap watches" };
  const id = await stage.make("comments", said, stage.ben);
  await page.goto(`${url}/view/${mediaId}`);
  await page.getByTestId("report-comment").waitFor();
  await device.context.setOffline(true);
  await page.getByTestId("report-comment").click();
  await page.getByTestId("send-report").click();
  await page.getByText("Please give a reason.").waitFor();
  await page.getByTestId("reason-spam").check();
  await takePicture(page, "report-comment");
  await page.getByTestId("send-report").click();
  await page.getByTestId("report-form").waitFor({ state: "detached" });
  expect(await rowOf(id)).toBe(null);
  await device.context.setOffline(false);
  await expect.poll(() => rowOf(id)).toMatchObject({ kind: "comment", topic: "spam", reason: "" });

  await panel.open(url, "?tab=reports");
  await card(id).getByTestId("report-words").getByText("Buy cheap watches").waitFor();
  expect(await card(id).getByTestId("report-topic").textContent()).toBe("Spam or advertising");
  await takePicture(chief.page, "panel-report-comment");
  await card(id).getByTestId("report-delete-comment").click();
  await panel.confirm.click();
  await card(id).getByTestId("report-delete-comment").waitFor({ state: "detached" });
  expect(await stage.row("comments", id)).toBe(null);
  await expect.poll(outcome).toBe("resolved");
});

test("a message is reported from its chat, and an admin reads those before it", async () => {
  const { ann, ben } = stage;
  const chatId = await stage.chat(
    [
      [ben, "Where do you live?"],
      [ann, "Why?"],
      [ben, "Tell me, or else"],
    ],
    ann,
    ben,
  );
  await page.goto(`${url}/chat/${chatId}`);
  const bubble = page.getByTestId("message").filter({ hasText: "or else" });
  const id = (await bubble.getAttribute("data-message-id")) ?? "";
  await bubble.getByTestId("report-message").focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("reason-violence").check();
  await takePicture(page, "report-message");
  await page.getByTestId("send-report").click();
  await expect.poll(() => rowOf(id)).toMatchObject({ kind: "message", topic: "violence" });

  await panel.open(url, "?tab=reports");
  await chief.page.getByTestId("admin-report-kinds-message").click();
  await card(id).getByTestId("report-context").click();
  const told = chief.page.getByTestId("context-message");
  await expect.poll(() => told.count()).toBe(3);
  expect(await told.last().getAttribute("aria-current")).toBe("true");
  await takePicture(chief.page, "panel-report-context");
  await chief.page.getByTestId("close-context").click();
  await card(id).getByTestId("report-disable-chat").click();
  await panel.confirm.click();
  await card(id).getByTestId("report-disable-chat").waitFor({ state: "detached" });
  expect(await stage.row("users", ben.id)).toMatchObject({ chatDisabled: true });
  await card(id).getByTestId("report-delete-message").click();
  await panel.confirm.click();
  await expect.poll(() => rowOf(id)).toMatchObject({ status: "resolved" });
  expect(await stage.row("messages", id)).toMatchObject({ deleted: true, message: "" });
  await takePicture(chief.page, "panel-report-message");
});

test("a person is reported from the profile, in words of one's own, and suspended", async () => {
  const ask = async () => {
    await goOn(page, `${url}/user/ben`);
    await page.getByTestId("more-options").click();
    await page.getByTestId("report-person").click();
    await page.getByTestId("report-form").waitFor();
  };
  await ask();
  // The question is the page's, and goes with it.
  await page.goBack();
  await page.getByTestId("report-form").waitFor({ state: "detached" });
  await ask();
  await page.getByTestId("report-details").fill("He pretends to be me");
  await takePicture(page, "report-person");
  await page.getByTestId("send-report").click();
  await expect
    .poll(() => rowOf(stage.ben.id))
    .toMatchObject({ kind: "person", topic: "other", reason: "He pretends to be me" });
  await panel.open(url, "?tab=reports");
  await chief.page.getByTestId("admin-report-kinds-person").click();
  await card(stage.ben.id).getByTestId("report-warn").click();
  await chief.page.getByTestId("warning-text").fill("Say who you are");
  await takePicture(chief.page, "panel-warn");
  await panel.confirm.click();
  const path = "/api/collections/notifications/records?perPage=50";
  const warned = async () =>
    (await stage.app.api("GET", path, undefined, stage.ben.token)).body.items.find(
      ({ kind }: { kind: string }) => kind === "warning",
    )?.reason;
  await expect.poll(warned).toBe("Say who you are");
  await card(stage.ben.id).getByTestId("report-suspend").click();
  await chief.page.getByTestId("suspension-time").selectOption("7");
  await panel.confirm.click();
  await card(stage.ben.id).getByTestId("report-suspend").waitFor({ state: "detached" });
  const row = await stage.row("users", stage.ben.id);
  expect(row).toMatchObject({ isBlocked: true });
  const until = parseInstant(row?.["blockedUntil"]);
  expect(Math.round((until - Date.now()) / 86_400_000)).toBe(7);
  // Who tries to sign in learns until when.
  const guest = await openProfile({ viewport: { width: 390, height: 844 } });
  const login = new LoginPage(guest.page);
  await login.open(url);
  await login.signIn(stage.ben.email, stage.ben.password);
  const day = new Date(until).toLocaleDateString("en", { dateStyle: "medium" });
  await expect.poll(() => noticesOf(guest.page)).toContain(`suspended until ${day}`);
  await takePicture(guest.page, "suspended-until");
  await guest.close();
});
