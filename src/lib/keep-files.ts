/** Keeping whole files on this device because the person asked for it, and letting go of them again. */
import { type KeptFile, keepInMediaCache, mediaPlace } from "./media-cache";
import { entryId, readEntries, releaseEntries } from "./media-cache-index";

/** Ids of the media whose files are kept, by the addresses of their files. */
export async function keptMediaIds(): Promise<ReadonlySet<string>> {
  const kept = (await readEntries()).filter((entry) => entry.kept);
  return new Set(kept.flatMap(({ key }) => /\/api\/files\/media\/([^/]+)\//.exec(key)?.[1] ?? []));
}

export async function isKept(url: string): Promise<boolean> {
  const id = idOf(url);
  return (await readEntries()).some((entry) => entry.kept && entry.id === id);
}

/** Still there, but it goes when the room is needed. */
export async function releaseFiles(urls: readonly string[]): Promise<void> {
  await releaseEntries(urls.map(idOf).filter((id) => id !== ""));
}

/** Fetches all whole before any is kept. `onPercent` follows the first, which is the large one. */
export async function fetchAndKeep(
  urls: readonly string[],
  onPercent: (percent: number) => void,
): Promise<void> {
  const files: KeptFile[] = [];
  for (const [i, url] of urls.entries()) {
    files.push({ url, blob: await fetchWhole(url, i === 0 ? onPercent : () => {}) });
  }
  await keepInMediaCache(files);
}

function idOf(url: string): string {
  const place = mediaPlace(url, location.href);
  return place === null ? "" : entryId(place.cache, place.key);
}

async function fetchWhole(url: string, onPercent: (percent: number) => void): Promise<Blob> {
  const response = await fetch(url);
  const type = response.headers.get("Content-Type") ?? "";
  // Only the media themselves: a captive portal's page is none.
  if (response.status !== 200 || !/^(image|video)\//.test(type) || response.body === null) {
    throw new Error(`No file at ${url}: ${response.status} ${type}`);
  }
  const total = Number(response.headers.get("Content-Length") ?? 0);
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (total > 0) onPercent(Math.min(100, Math.floor((100 * bytes) / total)));
      controller.enqueue(chunk);
    },
  });
  const whole = new Response(response.body.pipeThrough(counter), {
    headers: { "Content-Type": type },
  });
  return whole.blob();
}
