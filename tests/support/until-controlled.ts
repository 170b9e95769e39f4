import type { Page } from "playwright-core";

/**
 * In a page: whether the service worker holds every part of the app and answers for this page. It
 * comes when the worker has claimed what stood then; a page that was on its way in that moment is
 * nobody's until it is loaded again, and no event says so.
 */
export async function isClaimed(): Promise<boolean> {
  const { serviceWorker } = navigator;
  const { active } = await serviceWorker.ready;
  if (active === null) return false;
  while (active.state !== "activated")
    await new Promise((resolve) => active.addEventListener("statechange", resolve, { once: true }));
  // What the browser said of the claim comes before its answer to this.
  await serviceWorker.getRegistration();
  return serviceWorker.controller !== null;
}

/**
 * Resolves when the service worker holds every part of the app and answers for this page. Await it before the server goes:
 * nothing else says that the page can do without one.
 */
export async function untilControlled(page: Page): Promise<void> {
  if (await page.evaluate(isClaimed)) return;
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}
