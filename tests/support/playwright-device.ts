/** Chromium and Firefox as a device. Playwright drives Debian's Firefox by WebDriver BiDi. */
import { findFirefox } from "@scripts/browsers.mjs";
import { type BrowserContext, firefox, type Page } from "playwright-core";
import { openProfile } from "./browser";
import type { Device, Part } from "./device";
import { PAGE_MS } from "./patience";
import { temporaryFolder } from "./pocketbase";

export async function openChromium(): Promise<Device> {
  const { page, errors, close } = await openProfile();
  return deviceOf(page, errors, close);
}

export async function openFirefox(
  preferences: Record<string, string | number | boolean> = {},
): Promise<Device> {
  const folder = temporaryFolder("augenblick-firefox-");
  const context = await firefox.launchPersistentContext(folder, {
    // Without it Playwright expects its own build of Firefox.
    channel: "moz-firefox",
    executablePath: await findFirefox(),
    headless: true,
    env: { ...process.env, HOME: folder } as Record<string, string>,
    firefoxUserPrefs: preferences,
  });
  const errors = collectErrors(context);
  const page = context.pages()[0] ?? (await context.newPage());
  return deviceOf(page, errors, () => context.close());
}

function collectErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on("weberror", (error) => {
    const text = String(error.error());
    // Firefox reports what a page was still loading when it was left in the same way.
    if (!text.includes("Failed to load")) errors.push(text);
  });
  return errors;
}

function deviceOf(page: Page, errors: string[], close: () => Promise<void>): Device {
  page.setDefaultTimeout(PAGE_MS);
  const all = ([first, ...rest]: Part) => {
    const find = (from: Page | ReturnType<Page["locator"]>, step: Part[number] | undefined) =>
      from.locator(step?.css ?? "*", step?.text === undefined ? {} : { hasText: step.text });
    return rest.reduce((found, step) => find(found, step), find(page, first));
  };
  const one = (part: Part) => all(part).first();
  return {
    open: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    address: async () => page.url(),
    sees: (part) => one(part).waitFor(),
    misses: (part) => one(part).waitFor({ state: "detached" }),
    count: (part) => all(part).count(),
    click: (part) => one(part).click(),
    // Not fill(): in Firefox it sets the value without an event that React would take for typing.
    types: (part, text) => one(part).pressSequentially(text),
    picks: (part, files) => one(part).setInputFiles([...files]),
    run: (script, argument) => page.evaluate(script as never, argument) as never,
    errors,
    close,
  };
}
