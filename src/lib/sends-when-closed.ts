/** The worker that sends what waits while the app is closed (sw/sender.ts), as a page sees it. */

export const SENDER_SCOPE = "/sender/";

export type SenderRegistration = ServiceWorkerRegistration & {
  sync?: { register(tag: string): Promise<void> };
  periodicSync?: { register(tag: string, options: { minInterval: number }): Promise<void> };
};

/** Whether the browser can wake it: Background Sync, which only Chromium has. */
export const canSendWhenClosed = (): boolean =>
  "serviceWorker" in navigator && "SyncManager" in globalThis && "caches" in globalThis;

/** Whether a push can wake it, and it may show what is new. */
export const canBeWoken = (): boolean =>
  canSendWhenClosed() && "PushManager" in globalThis && "Notification" in globalThis;

/** It, once it can be woken; null where it is not there. */
export async function findSender(): Promise<SenderRegistration | null> {
  if (!canSendWhenClosed()) return null;
  // Where there is none, the one of the whole app answers.
  const found = await navigator.serviceWorker.getRegistration(SENDER_SCOPE).catch(() => undefined);
  return found?.active && found.scope.endsWith(SENDER_SCOPE) ? found : null;
}
