/** Keeps decoded pictures in memory, so that they show at once (specification §9). */
const MOST = 100;
const FIRST = 10;
const BATCH = 3;
const LOAD_TIMEOUT_MS = 3_000;

/** Loads and decodes one picture; holding the result keeps it in memory. */
export type LoadImage = (url: string) => Promise<unknown>;

export type ImagePreloader = ReturnType<typeof createImagePreloader>;

export function createImagePreloader({
  load,
  delay,
}: {
  load: LoadImage;
  delay: (ms: number) => Promise<void>;
}) {
  // In the order of last use: the first is dropped first.
  const held = new Map<string, unknown>();
  const keep = (url: string, image: unknown): void => {
    held.delete(url);
    held.set(url, image);
    for (const oldest of held.keys()) {
      if (held.size <= MOST) break;
      held.delete(oldest);
    }
  };
  const loadOne = async (url: string): Promise<void> => {
    if (held.has(url)) return keep(url, held.get(url));
    const late = delay(LOAD_TIMEOUT_MS).then(() => null);
    const image = await Promise.race([load(url).catch(() => null), late]);
    if (image !== null) keep(url, image);
  };
  return {
    /** Loads the first of `urls`. The page loads the failed and slow ones itself. */
    preload: async (urls: readonly string[]) => {
      const wanted = [...new Set(urls)].filter((url) => url !== "").slice(0, FIRST);
      for (let at = 0; at < wanted.length; at += BATCH) {
        await Promise.all(wanted.slice(at, at + BATCH).map(loadOne));
      }
    },
    has: (url: string) => held.has(url),
    clear: () => held.clear(),
  };
}
