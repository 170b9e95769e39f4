/** Whether the browser wakes a worker for what waits: Background Sync, which only Chromium has. */
export const sendsWhenClosed = (): boolean =>
  "serviceWorker" in navigator && "SyncManager" in globalThis && "caches" in globalThis;
