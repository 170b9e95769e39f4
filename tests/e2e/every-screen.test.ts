/**
 * Every route and every dialog, in both themes and the languages that people choose between: axe finds
 * nothing, nothing scrolls sideways at 320 pixels, each stop of the Tab key is seen and shows the
 * focus, and with forced colours what is chosen still differs from what is not.
 */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { type FullStage, type Screen, setFullStage } from "@tests/support/every-screen";
import { lookAtScreen } from "@tests/support/look-at-screen";
import { byTurns } from "@tests/support/thorough";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";

/** 1280 pixels at 400 %. */
const NARROWEST = { width: 320, height: 640 };
/**
 * The specification's mixture, and the one that shares no word with it; each theme once. Every
 * other screen is looked at in either.
 */
const WALKED = [
  ["en", "light"],
  ["de", "dark"],
] as const;

let stage: AdminStage;
let visitor: Profile;
let member: Profile;
let full: FullStage;

beforeAll(async () => {
  stage = await setAdminStage();
  [visitor, member] = [
    await openProfile({ viewport: NARROWEST, reducedMotion: "reduce" }),
    await openProfile({ viewport: NARROWEST, reducedMotion: "reduce" }),
  ];
  for (const { page } of [visitor, member]) {
    page.on("dialog", (dialog) => void dialog.accept());
  }
  full = await setFullStage(stage, visitor);
  await new LoginPage(member.page).enter(stage.app.url, stage.admin);
});

afterAll(async () => {
  await Promise.allSettled([visitor?.close(), member?.close()]);
  await stage?.app.stop();
});

const pageOf = ({ who }: Screen): Page => (who === "visitor" ? visitor : member).page;

for (const [turn, [language, theme]] of WALKED.entries()) {
  test(`screens are for everybody in the ${theme} theme, ${language}`, async () => {
    const faults: string[] = [];
    for (const { page } of [visitor, member]) {
      await page.addInitScript((code) => localStorage.setItem("language", code), language);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.goto(stage.app.url);
    }
    for (const screen of byTurns(full.screens, turn, WALKED.length)) {
      const page = pageOf(screen);
      await screen.open(page);
      const variant = `320-${theme}-${language}`;
      faults.push(
        ...(await lookAtScreen(page, { name: `every-${screen.name}`, over: screen.over, variant })),
      );
      await screen.leave?.(page);
    }
    expect(faults).toEqual([]);
    expect([...visitor.errors, ...member.errors]).toEqual([]);
  });
}
