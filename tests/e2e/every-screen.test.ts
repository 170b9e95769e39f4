/**
 * Every route and every dialog, in both themes and the languages that people choose between: axe finds
 * nothing, nothing scrolls sideways at 320 pixels, each stop of the Tab key is seen and shows the
 * focus, and with forced colours what is chosen still differs from what is not.
 */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { type FullStage, type Screen, setFullStage } from "@tests/support/every-screen";
import { lookAtPage } from "@tests/support/look-at-page";
import { faultOfStop, walkByKeys } from "@tests/support/walk-by-keys";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";

/** 1280 pixels at 400 %. */
const NARROWEST = { width: 320, height: 640 };
/** The specification's mixture, and the one that shares no word with it; each theme once. */
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

/** Pairs of something chosen and something not, of which both have the same colours. */
function alike(): string[] {
  const PAIRS = [
    ['[role="tab"][aria-selected="true"]', '[role="tab"][aria-selected="false"]'],
    ['.shell-chip[aria-pressed="true"] > span', '.shell-chip[aria-pressed="false"] > span'],
    [
      '[role="checkbox"][aria-checked="true"] > span',
      '[role="checkbox"][aria-checked="false"] > span',
    ],
    ['[role="switch"][aria-checked="true"] > span', '[role="switch"][aria-checked="false"] > span'],
    ["[data-highlighted]", '[role="menuitem"]:not([data-highlighted])'],
  ] as const;
  const look = (selector: string) => {
    const element = document.querySelector(selector);
    if (element === null) return null;
    const { backgroundColor, color } = getComputedStyle(element);
    return `${backgroundColor} ${color}`;
  };
  const same = PAIRS.filter(([on, off]) => look(on) !== null && look(on) === look(off));
  const bare = [...document.querySelectorAll<HTMLElement>("main button[class*='bg-']")].filter(
    (button) => Number.parseFloat(getComputedStyle(button).borderTopWidth) === 0,
  );
  return [...same.map(([on]) => on), ...bare.map(({ outerHTML }) => outerHTML.slice(0, 90))];
}

async function walkThrough(page: Page, name: string): Promise<string[]> {
  const { faults, stops } = await walkByKeys(page);
  const found = faults.map((one) => `${name}, by keys: ${one}`);
  return stops > 0 ? found : [...found, `${name} has nothing for the keys`];
}

for (const [language, theme] of WALKED) {
  test(`every screen is for everybody in the ${theme} theme, ${language}`, async () => {
    const faults: string[] = [];
    for (const { page } of [visitor, member]) {
      await page.addInitScript((code) => localStorage.setItem("language", code), language);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    }
    for (const screen of full.screens) {
      const page = pageOf(screen);
      const { name, over } = screen;
      await screen.open(page);
      const variant = `320-${theme}-${language}`;
      faults.push(...(await lookAtPage(page, { name: `every-${name}`, over, variant })));
      if (over === '[role="menu"]') {
        await page.keyboard.press("ArrowDown");
        const fault = await faultOfStop(page);
        if (fault !== "") faults.push(`${name}, by keys: ${fault}`);
      }
      await page.emulateMedia({ forcedColors: "active" });
      await page.waitForFunction(() => matchMedia("(forced-colors: active)").matches);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      for (const one of await page.evaluate(alike)) faults.push(`${name}, forced: ${one}`);
      await page.emulateMedia({ forcedColors: "none" });
      await page.waitForFunction(() => !matchMedia("(forced-colors: active)").matches);
      if (over !== '[role="menu"]') faults.push(...(await walkThrough(page, name)));
      await screen.leave?.(page);
    }
    expect(faults).toEqual([]);
    expect([...visitor.errors, ...member.errors]).toEqual([]);
  });
}
