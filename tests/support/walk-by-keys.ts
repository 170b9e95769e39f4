/** A page as its keys show it: every stop can be seen, and shows that it has the focus. */
import type { Page } from "playwright-core";

/** Stops of a page that are looked at; long lists go on like they begin. */
const MOST = 70;

/** Why the element that has the focus is not seen; "" where it is. */
function sightFault(): string {
  const focused = document.activeElement as HTMLElement;
  const box = focused.getBoundingClientRect();
  if (box.width < 1 || box.height < 1) return "has no size";
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  if (left >= right || top >= bottom) return "is out of sight";
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isFree = at !== null && (focused.contains(at) || at.contains(focused));
  return isFree ? "" : `is covered by ${at?.outerHTML.slice(0, 80)}`;
}

/** Whether it, or what it is drawn by, shows that it has the focus; once it has faded in. */
async function showsFocus(): Promise<boolean> {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const fading = document.activeElement?.getAnimations() ?? [];
  await Promise.allSettled(fading.map((animation) => animation.finished));
  const around: Element[] = [];
  for (let one = document.activeElement; one !== null; one = one.parentElement) {
    around.push(one);
    if (one.matches("main, [role=dialog], [role=alertdialog], header, section")) break;
  }
  return around.some((one) => {
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(one);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0 && opacity !== "0";
  });
}

const nameOfFocus = (): string => {
  const { localName, dataset, textContent } = document.activeElement as HTMLElement;
  return `${localName} ${dataset["testid"] ?? textContent?.slice(0, 30)}`;
};

/** What is wrong with the stop that the keys are at; "" for nothing. */
export async function faultOfStop(page: Page): Promise<string> {
  const fault =
    (await page.evaluate(sightFault)) ||
    ((await page.evaluate(showsFocus)) ? "" : "does not show the focus");
  return fault === "" ? "" : `${await page.evaluate(nameOfFocus)} ${fault}`;
}

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
    const fault = await faultOfStop(page);
    if (fault !== "") faults.push(fault);
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
