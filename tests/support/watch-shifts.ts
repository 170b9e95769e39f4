/** What moved on a page without a hand on it, as the browser counts it (layout shift). */
import type { Page } from "playwright-core";

/** From the next page on that is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watching = window as unknown as Watching;
    watching.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Shift[]) {
        if (entry.hadRecentInput) continue;
        const nodes = entry.sources.map(({ node }) => node);
        const moved = nodes.map((node) =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : String(node),
        );
        watching.shifts.push({ value: entry.value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

interface Watching {
  shifts: { value: number; moved: string[] }[];
}

interface Shift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** How far each moved, and the beginning of its HTML. */
export const shiftsOf = (page: Page): Promise<Watching["shifts"]> =>
  page.evaluate(() => (window as unknown as Watching).shifts);
