/** A page as its keys show it: every stop can be seen, and shows that it has the focus. */
import type { Page } from "playwright-core";

/** Stops of a page that are looked at; long lists go on like they begin. */
const MOST = 70;

/**
 * What is wrong with the element that has the focus, with its name; "" where it is seen, and it or
 * what it is drawn by shows the focus, once that has faded in. All in the page: one question a stop.
 */
async function fault(): Promise<string> {
  const focused = document.activeElement as HTMLElement;
  const sightFault = () => {
    const box = focused.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return "has no size";
    const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
    const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
    if (left >= right || top >= bottom) return "is out of sight";
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isFree = at !== null && (focused.contains(at) || at.contains(focused));
    return isFree ? "" : `is covered by ${at?.outerHTML.slice(0, 80)}`;
  };
  const showsFocus = () => {
    const around: Element[] = [];
    for (let one = document.activeElement; one !== null; one = one.parentElement) {
      around.push(one);
      if (one.matches("main, [role=dialog], [role=alertdialog], header, section")) break;
    }
    return around.some((one) => {
      const { outlineStyle, outlineWidth, opacity } = getComputedStyle(one);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0 && opacity !== "0";
    });
  };
  const drawn = () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const fadedIn = async () => {
    await drawn();
    const fading = document.activeElement?.getAnimations() ?? [];
    await Promise.allSettled(fading.map((animation) => animation.finished));
    return showsFocus();
  };
  // Chromium moves what is sticky with the next frame, also where its place is asked for before.
  if (sightFault() !== "") await drawn();
  const isShown = showsFocus() || (await fadedIn());
  const found = sightFault() || (isShown ? "" : "does not show the focus");
  const { localName, dataset, textContent } = focused;
  return found && `${localName} ${dataset["testid"] ?? textContent?.slice(0, 30)} ${found}`;
}

/** What is wrong with the stop that the keys are at; "" for nothing. */
export const faultOfStop = (page: Page): Promise<string> => page.evaluate(fault);

/** Presses Tab until the stops begin again; answers what was wrong, and how many there were. */
export async function walkByKeys(page: Page): Promise<{ faults: string[]; stops: number }> {
  const faults: string[] = [];
  let stops = 0;
  await page.evaluate(() => Object.assign(window, { walked: new Set() }));
  for (; stops < MOST; stops++) {
    await page.keyboard.press("Tab");
    const isNew = await page.evaluate(() => {
      const { walked } = window as unknown as { walked: Set<unknown> };
      const { activeElement } = document;
      const isKnown = activeElement === null || walked.has(activeElement);
      walked.add(activeElement);
      return !isKnown && activeElement !== document.body;
    });
    if (!isNew) break;
    const found = await faultOfStop(page);
    if (found !== "") faults.push(found);
  }
  return { faults, stops };
}

/** The number of Tab presses from the top of the page to an element of one of these test ids. */
export async function stopsTo(page: Page, testIds: string[], most: number): Promise<number> {
  for (let stop = 1; stop <= most; stop++) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(
      () => (document.activeElement as HTMLElement | null)?.dataset["testid"] ?? "",
    );
    if (testIds.includes(here)) return stop;
  }
  return Number.POSITIVE_INFINITY;
}
