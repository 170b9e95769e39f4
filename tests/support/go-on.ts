/** The app as somebody goes through it who does not load it anew for each page. */
import type { Page } from "playwright-core";

/**
 * Goes to another page of the app as Forward would, over one that nothing is at: so that nothing
 * of the page before is taken for the next one's. Loads the app where it is not open yet.
 *
 * @param address absolute
 */
export async function goOn(page: Page, address: string): Promise<void> {
  const { origin } = new URL(address);
  if (!page.url().startsWith(`${origin}/`)) {
    await page.goto(address);
    return;
  }
  await show(page, `${origin}/nowhere`);
  await page.getByTestId("not-found").waitFor();
  await show(page, address);
}

const show = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    const { idx = 0 } = (window.history.state ?? {}) as { idx?: number };
    window.history.pushState({ idx: idx + 1, key: `on-${idx}` }, "", to);
    window.dispatchEvent(new PopStateEvent("popstate", { state: window.history.state }));
  }, address);

/** The next Tab goes to the first stop of the page, as when it has just been loaded. */
export const beginAtTop = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    window.scrollTo(0, 0);
  });
