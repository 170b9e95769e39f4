/** A page as somebody meets it who sees little or has a narrow screen: a picture of it, and what is wrong with it. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Pictures of all screens, to be looked at. */
const PICTURES = inRoot("test-results/screens");

export interface Look {
  name: string;
  /** Behind the name in the picture's. */
  variant: string;
  /** Selector of what lies over the page; the page behind is then hidden from assistive technology, and is not looked at. */
  over?: string | undefined;
}

/** Pixels by which the page scrolls sideways. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Takes the picture, and says what is wrong with the page. */
export async function lookAtPage(page: Page, { name, variant, over }: Look): Promise<string[]> {
  await page.evaluate(async () => {
    // A change of the theme is heard and drawn before its colours begin to fade.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}-${variant}.png`) });
  const pixels = await sideways(page);
  if (pixels > 0) return [`${name} scrolls sideways by ${pixels} px`];
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (selector) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window.
    const { violations } = await (window as any).axe.run(selector ?? document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    });
    return violations.map(
      (one: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${one.id}: ${one.nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(" | ")}`,
    );
  }, over);
  return found.map((fault: string) => `${name}: ${fault}`);
}
