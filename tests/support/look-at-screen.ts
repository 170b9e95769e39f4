/** A screen as it is for everybody: seen by axe, walked by keys, and in the colours that a person forces. */
import type { Page } from "playwright-core";
import { beginAtTop } from "./go-on";
import { type Look, lookAtPage } from "./look-at-page";
import { faultOfStop, walkByKeys } from "./walk-by-keys";

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

/** Says what is wrong with it, in colours as set and forced, and by keys; a menu keeps its stops. */
export async function lookAtScreen(page: Page, { name, over, variant }: Look): Promise<string[]> {
  const faults = await lookAtPage(page, { name, over, variant });
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
  if (over === undefined) await beginAtTop(page);
  if (over !== '[role="menu"]') faults.push(...(await walkThrough(page, name)));
  return faults;
}
