/** A page as somebody meets it who sees little or has a narrow screen: a picture of it, and what is wrong with it. */
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { IS_THOROUGH } from "./thorough";

/** Where pictures of what tests open go, to be looked at: `PICTURES=folder npm test -- screens`. Each takes a quarter of a second. */
const FOLDER = process.env["PICTURES"];

/** Takes a picture where they are wanted. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (FOLDER) await page.screenshot({ path: path.join(inRoot(FOLDER), `${name}.png`) });
}

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

/** Says what is wrong with the page. */
export async function lookAtPage(page: Page, { name, variant, over }: Look): Promise<string[]> {
  await page.evaluate(async () => {
    let fading: Animation[];
    do {
      // A change of the theme is heard and drawn before its colours begin to fade, and what takes
      // its colour from what is around it begins when that has ended.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      fading = document.getAnimations().filter(({ playState }) => playState !== "finished");
      await Promise.allSettled(fading.map((animation) => animation.finished));
    } while (fading.length > 0);
  });
  await takePicture(page, `${name}-${variant}`);
  const pixels = await sideways(page);
  if (pixels > 0) return [`${name} scrolls sideways by ${pixels} px`];
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (selector) => {
    interface Fault {
      id: string;
      nodes: { html: string; failureSummary: string; element: Element }[];
    }
    // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window.
    const run = await (window as any).axe.run(selector ?? document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      // What it would find out beside that takes as long again.
      resultTypes: ["violations"],
      selectors: false,
      elementRef: true,
    });
    // What has scrolled half beneath a bar is large enough once it comes out.
    const isCovered = (element: Element): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const corners = [left + 1, right - 1].flatMap((x) =>
        [top + 1, bottom - 1].map((y) => [x, y]),
      );
      return corners.some(([x = 0, y = 0]) => {
        const seen = document.elementFromPoint(x, y);
        return seen === null || !(element.contains(seen) || seen.contains(element));
      });
    };
    return (run.violations as Fault[])
      .map(({ id, nodes }) => ({
        id,
        nodes: nodes.filter(({ element }) => id !== "target-size" || !isCovered(element)),
      }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(" | ")}`,
      );
  }, over);
  return found.map((fault: string) => `${name}: ${fault}`);
}

const SIZES = {
  narrowest: { width: 320, height: 640 },
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};

/** The page has taken its new size. */
const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

interface Everywhere extends Omit<Look, "variant"> {
  /** Opens it anew for each theme: what lies far below the window would keep its colours. */
  open?: (page: Page) => Promise<void>;
}

/**
 * Says what is wrong with the page on a desktop in the dark theme and on a phone in the light one,
 * or on both in both, and whether it scrolls sideways on the narrowest phone. The window ends as a
 * phone's, in the light theme.
 */
export async function lookInAllSizes(page: Page, { name, over, open }: Everywhere) {
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await open?.(page);
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await twoFrames(page);
      const pixels = await sideways(page);
      if (size === "narrowest" && pixels > 0)
        found.push(`${name} scrolls sideways by ${pixels} px`);
      const variant = `${size}-${colorScheme}`;
      const isLookedAt = IS_THOROUGH || (size === "phone") === (colorScheme === "light");
      if (size !== "narrowest" && isLookedAt)
        found.push(...(await lookAtPage(page, { name, over, variant })));
    }
  }
  return found;
}
