/** What a page and a service worker give the client alike. */
import { keepInMediaCache } from "@/media-cache/cache";
import type { ClientDeps } from "./engine/deps";

/** Ids are made from it, so it must not repeat between two pages that start in the same moment. */
function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

export const browserBasics = () =>
  ({
    baseUrl: location.origin,
    now: () => Date.now(),
    random: secureRandom,
    delay: wait,
    multiInstance: true,
    ...("locks" in navigator ? { locks: navigator.locks } : {}),
    keepMedia: (entries) => keepInMediaCache(entries),
    // biome-ignore lint/suspicious/noConsole: the one place for what goes wrong unseen.
    log: (message, error) => console.warn(message, error),
  }) satisfies Partial<ClientDeps>;
