import type { Page } from "playwright-core";

/**
 * Resolves when the service worker holds every part of the app and answers for this page. Await it before the server goes:
 * nothing else says that the page can do without one.
 */
export async function untilControlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller !== null) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
    );
  });
}
