/** What a page and a service worker give the client alike. */
import { keepInMediaCache, keptMediaIds, readUsage, trimMediaCache } from "@/media-cache/cache";
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

async function estimateRoom() {
  const { storage } = navigator;
  // A browser that stores nothing refuses these too: figures only, which must not make a pull fail.
  const none = () => undefined;
  const [estimate, persisted, cached] = await Promise.all([
    storage?.estimate?.().catch(none),
    storage?.persisted?.().catch(none),
    readUsage().catch(none),
  ]);
  return { ...estimate, persisted: persisted ?? false, cached: cached?.bytes ?? 0 };
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
    room: { estimate: estimateRoom, emptyCaches: () => trimMediaCache(0), keptMedia: keptMediaIds },
    // biome-ignore lint/suspicious/noConsole: the one place for what goes wrong unseen.
    log: (message, error) => console.warn(message, error),
  }) satisfies Partial<ClientDeps>;
