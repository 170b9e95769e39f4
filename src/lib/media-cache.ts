/**
 * The cache of pictures and videos, shared by page and service worker: names, keys, and what fills and empties it.
 * Public files lie in one cache, keyed without their query. Files read with a token (chat photos) lie in one cache
 * per user, which dies at sign-out. Where the platform has no Cache API (Node), every write does nothing.
 */
import {
  type CachedEntry,
  entryId,
  putEntry,
  readEntries,
  removeEntries,
} from "./media-cache-index";

export const PUBLIC_CACHE = "media-v1";
export const PRIVATE_CACHE_PREFIX = "private-media-v1-";
const FILES = "/api/files/";
/** The collection whose files need a token. */
const PRIVATE_FILES = `${FILES}messages/`;

const MB = 1_048_576;
const BUDGET_MAX_BYTES = 500 * MB;
const BUDGET_SHARE = 0.6;
/** Where the browser does not tell what it grants. */
const BUDGET_UNKNOWN_BYTES = 200 * MB;

/** Where a file lies: the cache's name, and the address without its query. */
export interface MediaPlace {
  cache: string;
  key: string;
}

/** A file to be kept on this device until it is deleted: an own upload, a queued or a saved one. */
export interface KeptFile {
  /** As a page would request it, absolute or from the root. */
  url: string;
  blob: Blob;
  /** It may go again where room is short. */
  evictable?: boolean;
}

export interface MediaUsage {
  files: number;
  bytes: number;
  keptBytes: number;
  budgetBytes: number;
}

/** In a query: what is only looked at by who moderates stays on no device. */
export const UNCACHED = "uncached";

/** The place of a file's address, or null where it must not be cached. */
export function mediaPlace(url: string, base: string): MediaPlace | null {
  const address = new URL(url, base);
  const inside = address.origin === new URL(base).origin && address.pathname.startsWith(FILES);
  const { searchParams } = address;
  if (!inside || searchParams.has("download") || searchParams.has(UNCACHED)) return null;
  const key = address.origin + address.pathname;
  const token = searchParams.get("token");
  if (token === null) {
    return address.pathname.startsWith(PRIVATE_FILES) ? null : { cache: PUBLIC_CACHE, key };
  }
  const user = tokenUser(token);
  return user === null ? null : { cache: PRIVATE_CACHE_PREFIX + user, key };
}

/** Whose token it is. Only a name for a cache on this device: the server alone judges tokens. */
function tokenUser(token: string): string | null {
  try {
    const payload = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const claims: unknown = JSON.parse(atob(payload));
    if (typeof claims !== "object" || claims === null || !("id" in claims)) return null;
    return typeof claims.id === "string" && /^[a-z0-9]{15}$/.test(claims.id) ? claims.id : null;
  } catch {
    // Not a token: its file is then not cached.
    return null;
  }
}

/** Puts whole files into the cache, never to be evicted unless they say so. Throws `QuotaExceededError` when there is no room. */
export async function keepInMediaCache(
  files: readonly KeptFile[],
  now: number = Date.now(),
): Promise<void> {
  for (const { url, blob, evictable } of files) {
    const place = "caches" in globalThis ? mediaPlace(url, location.href) : null;
    if (place === null) continue;
    await storeMedia(place, { blob, kept: evictable !== true, now });
  }
}

export interface StoredFile {
  blob: Blob;
  /** Further headers of the answer it came from. */
  headers?: Headers;
  kept: boolean;
  now: number;
}

/** Stores one file with its row, and evicts what no longer fits. */
export async function storeMedia(place: MediaPlace, file: StoredFile): Promise<void> {
  const { blob, kept, now } = file;
  // The row goes first: a file without one would never be counted nor evicted.
  await putEntry({ ...place, bytes: blob.size, kept, usedAt: now });
  try {
    await putOrMakeRoom(place, file);
  } catch (error) {
    await evict([{ id: entryId(place.cache, place.key), ...place }]);
    throw error;
  }
  await trimMediaCache(await mediaBudget());
}

async function putOrMakeRoom(place: MediaPlace, file: StoredFile): Promise<void> {
  const cache = await caches.open(place.cache);
  try {
    await cache.put(place.key, asResponse(file));
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "QuotaExceededError") throw error;
    const { bytes } = await readUsage();
    await trimMediaCache(Math.max(0, bytes - 2 * file.blob.size));
    await cache.put(place.key, asResponse(file));
  }
}

function asResponse({ blob, headers }: StoredFile): Response {
  const all = new Headers(headers);
  // The body is stored decoded, and the key alone decides what matches.
  for (const name of ["Content-Encoding", "Vary", "Set-Cookie"]) all.delete(name);
  all.set("Content-Type", blob.type);
  all.set("Content-Length", String(blob.size));
  all.set("X-Content-Type-Options", "nosniff");
  return new Response(blob, { headers: all });
}

/** Removes files from the device: deleted media, deleted messages. */
export async function forgetInMediaCache(urls: readonly string[]): Promise<void> {
  if (!("caches" in globalThis)) return;
  const keys = new Set(urls.map((url) => new URL(url, location.href)).map(withoutQuery));
  const entries = (await readEntries()).filter((entry) => keys.has(entry.key));
  await evict(entries);
}

const withoutQuery = (url: URL): string => url.origin + url.pathname;

/** Removes every file that was read with somebody's token (sign-out). */
export async function dropPrivateMedia(): Promise<void> {
  if (!("caches" in globalThis)) return;
  const names = (await caches.keys()).filter((name) => name.startsWith(PRIVATE_CACHE_PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
  const entries = (await readEntries()).filter(({ cache }) => cache !== PUBLIC_CACHE);
  await removeEntries(entries.map(({ id }) => id));
}

/** What must go so that `limit` bytes remain at most: longest unused first, never what is kept. */
export function mediaToEvict(entries: readonly CachedEntry[], limit: number): CachedEntry[] {
  const going: CachedEntry[] = [];
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const loose = entries.filter((entry) => !entry.kept).sort((a, b) => a.usedAt - b.usedAt);
  for (const entry of loose) {
    if (bytes <= limit) break;
    going.push(entry);
    bytes -= entry.bytes;
  }
  return going;
}

export async function trimMediaCache(limit: number): Promise<void> {
  await evict(mediaToEvict(await readEntries(), limit));
}

async function evict(entries: readonly Pick<CachedEntry, "id" | "cache" | "key">[]): Promise<void> {
  if (entries.length === 0) return;
  for (const { cache, key } of entries) await (await caches.open(cache)).delete(key);
  await removeEntries(entries.map(({ id }) => id));
}

/** Bytes that the cache may take: a share of what the device grants, and never more than the maximum. */
export async function mediaBudget(): Promise<number> {
  const quota = (await navigator.storage?.estimate?.())?.quota;
  const granted = quota === undefined ? BUDGET_UNKNOWN_BYTES : quota * BUDGET_SHARE;
  return Math.min(granted, BUDGET_MAX_BYTES);
}

export async function readUsage(): Promise<MediaUsage> {
  const entries = await readEntries();
  const sum = (rows: readonly CachedEntry[]) => rows.reduce((total, row) => total + row.bytes, 0);
  return {
    files: entries.length,
    bytes: sum(entries),
    keptBytes: sum(entries.filter(({ kept }) => kept)),
    budgetBytes: await mediaBudget(),
  };
}
