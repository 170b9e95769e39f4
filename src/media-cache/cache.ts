/**
 * The cache of pictures and videos, shared by page and service worker. Public files are in one
 * cache under their address without the query; files read with a token (chat photos) in one per
 * user, deleted at sign-out. The Cache API knows neither size nor last use, so each file has a row
 * in IndexedDB. Without a Cache API (Node) every write does nothing.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";

export const PUBLIC_CACHE = "media-v1";
const PRIVATE_CACHE_PREFIX = "private-media-v1-";
const FILES = "/api/files/";
/** The collection whose files need a token. */
const PRIVATE_FILES = `${FILES}messages/`;
/** In a query: a file that a moderator only looks at is stored on no device. */
export const UNCACHED = "uncached";

const MB = 1_048_576;
const BUDGET_MAX_BYTES = 500 * MB;
const BUDGET_SHARE = 0.6;
const BUDGET_UNKNOWN_BYTES = 200 * MB;

/** Where a file is stored: the cache's name, and the address without its query. */
export interface MediaPlace {
  cache: string;
  key: string;
}

/** The place of a file's address, or null where it must not be cached. */
export function mediaPlace(url: string, base: string): MediaPlace | null {
  const address = new URL(url, base);
  const inside = address.origin === new URL(base).origin && address.pathname.startsWith(FILES);
  const { searchParams } = address;
  if (!inside || searchParams.has("download") || searchParams.has(UNCACHED)) return null;
  const key = withoutQuery(address);
  const token = searchParams.get("token");
  if (token === null) {
    return address.pathname.startsWith(PRIVATE_FILES) ? null : { cache: PUBLIC_CACHE, key };
  }
  const user = tokenUser(token);
  return user === null ? null : { cache: PRIVATE_CACHE_PREFIX + user, key };
}

const withoutQuery = (url: URL): string => url.origin + url.pathname;

/** Whose token it is. Only a name for a cache on this device: the server alone judges tokens. */
function tokenUser(token: string): string | null {
  try {
    const payload = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const claims: unknown = JSON.parse(atob(payload));
    if (typeof claims !== "object" || claims === null || !("id" in claims)) return null;
    return typeof claims.id === "string" && /^[a-z0-9]{15}$/.test(claims.id) ? claims.id : null;
  } catch {
    // Not a token, so its file is not cached.
    return null;
  }
}

/** A whole, successful answer with a file of ours: not the page of a captive portal. */
export function isWholeMedia(response: Response): boolean {
  const type = response.headers.get("Content-Type") ?? "";
  return (
    response.status === 200 && !response.redirected && /^(image\/|video\/|text\/vtt)/.test(type)
  );
}

export interface CachedEntry extends MediaPlace {
  id: string;
  bytes: number;
  usedAt: number;
  /** Uploaded from here, queued or saved: never evicted. */
  kept: boolean;
}

interface MediaCacheDatabase extends DBSchema {
  entries: { key: string; value: CachedEntry };
}

let opened: Promise<IDBPDatabase<MediaCacheDatabase>> | null = null;

function open(): Promise<IDBPDatabase<MediaCacheDatabase>> {
  if (opened !== null) return opened;
  const forget = () => {
    opened = null;
  };
  const opening = openDB<MediaCacheDatabase>("media-cache", 1, {
    upgrade: (database) => void database.createObjectStore("entries", { keyPath: "id" }),
    // Another tab wants to delete the database. The next call opens it again.
    blocking() {
      forget();
      void opening.then((database) => database.close());
    },
    // Safari closes idle connections.
    terminated: forget,
  });
  opening.catch(forget);
  opened = opening;
  return opening;
}

export const entryId = ({ cache, key }: MediaPlace): string => `${cache} ${key}`;

/** Adds a row or replaces it. A kept file stays kept. */
async function putEntry(entry: Omit<CachedEntry, "id">): Promise<void> {
  const id = entryId(entry);
  const { store, done } = (await open()).transaction("entries", "readwrite");
  const write = async () => {
    const before = await store.get(id);
    await store.put({ ...entry, id, kept: entry.kept || before?.kept === true });
  };
  await Promise.all([write(), done]);
}

/** Changes the rows that are still there. */
async function patchEntries(ids: readonly string[], patch: Partial<CachedEntry>): Promise<void> {
  const { store, done } = (await open()).transaction("entries", "readwrite");
  const write = async (id: string) => {
    const entry = await store.get(id);
    if (entry) await store.put({ ...entry, ...patch });
  };
  await Promise.all([...ids.map(write), done]);
}

async function removeEntries(ids: readonly string[]): Promise<void> {
  const { store, done } = (await open()).transaction("entries", "readwrite");
  await Promise.all([...ids.map((id) => store.delete(id)), done]);
}

const readEntries = async (): Promise<CachedEntry[]> => (await open()).getAll("entries");

export const touchEntries = (ids: readonly string[], usedAt: number): Promise<void> =>
  patchEntries(ids, { usedAt });

export interface StoredFile {
  blob: Blob;
  headers?: Headers;
  kept: boolean;
  now: number;
}

export async function storeMedia(place: MediaPlace, file: StoredFile): Promise<void> {
  const { blob, kept, now } = file;
  // The row goes first: a file without one would be neither counted nor evicted.
  await putEntry({ ...place, bytes: blob.size, kept, usedAt: now });
  try {
    await putOrFreeSpace(place, file);
  } catch (error) {
    await evict([{ id: entryId(place), ...place }]);
    throw error;
  }
  sinceTrim += blob.size;
  const budget = await mediaBudget();
  if (sinceTrim < budget / TRIM_PARTS) return;
  sinceTrim = 0;
  await trimMediaCache(budget);
}

/** To know what all files take, all their rows are read: so often for a cache full of new ones. */
const TRIM_PARTS = 50;
/** Bytes stored here since; the first time others may have stored any number. */
let sinceTrim = Number.POSITIVE_INFINITY;

async function putOrFreeSpace(place: MediaPlace, file: StoredFile): Promise<void> {
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

/** The cached file, or undefined. Unlike `caches.open`, looking here creates no cache. */
export const readMedia = ({ cache, key }: MediaPlace): Promise<Response | undefined> =>
  caches.match(key, { cacheName: cache, ignoreVary: true });

/** The files to evict so that `limit` bytes remain: longest unused first, never a kept one. */
export function mediaToEvict(entries: readonly CachedEntry[], limit: number): CachedEntry[] {
  const going: CachedEntry[] = [];
  let bytes = bytesOf(entries);
  const loose = entries.filter((entry) => !entry.kept).sort((a, b) => a.usedAt - b.usedAt);
  for (const entry of loose) {
    if (bytes <= limit) break;
    going.push(entry);
    bytes -= entry.bytes;
  }
  return going;
}

const bytesOf = (entries: readonly CachedEntry[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0);

export async function trimMediaCache(limit: number): Promise<void> {
  await evict(mediaToEvict(await readEntries(), limit));
}

async function evict(entries: readonly Pick<CachedEntry, "id" | "cache" | "key">[]): Promise<void> {
  if (entries.length === 0) return;
  for (const { cache, key } of entries) await (await caches.open(cache)).delete(key);
  await removeEntries(entries.map(({ id }) => id));
}

export async function forgetInMediaCache(urls: readonly string[]): Promise<void> {
  if (!("caches" in globalThis)) return;
  const keys = new Set(urls.map((url) => withoutQuery(new URL(url, location.href))));
  await evict((await readEntries()).filter(({ key }) => keys.has(key)));
}

export async function dropPrivateMedia(): Promise<void> {
  if (!("caches" in globalThis)) return;
  const names = (await caches.keys()).filter((name) => name.startsWith(PRIVATE_CACHE_PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
  const entries = (await readEntries()).filter(({ cache }) => cache !== PUBLIC_CACHE);
  await removeEntries(entries.map(({ id }) => id));
}

/** Bytes that the cache may take: a share of what the device grants, up to the maximum. */
export async function mediaBudget(): Promise<number> {
  const quota = (await navigator.storage?.estimate?.())?.quota;
  const granted = quota === undefined ? BUDGET_UNKNOWN_BYTES : quota * BUDGET_SHARE;
  return Math.min(granted, BUDGET_MAX_BYTES);
}

export type MediaUsage = Awaited<ReturnType<typeof readUsage>>;

export async function readUsage() {
  const entries = await readEntries();
  return {
    files: entries.length,
    bytes: bytesOf(entries),
    keptBytes: bytesOf(entries.filter(({ kept }) => kept)),
    budgetBytes: await mediaBudget(),
  };
}

/** A file to keep on this device until it is deleted: uploaded from here, queued or saved. */
export interface KeptFile {
  /** As a page would request it, absolute or from the root. */
  url: string;
  blob: Blob;
  evictable?: boolean;
}

/** Throws `QuotaExceededError` when there is no space. */
export async function keepInMediaCache(files: readonly KeptFile[], now: number = Date.now()) {
  for (const { url, blob, evictable } of files) {
    const place = "caches" in globalThis ? mediaPlace(url, location.href) : null;
    if (place === null) continue;
    await storeMedia(place, { blob, kept: evictable !== true, now });
  }
}

/** Fetches all files before keeping any. `onPercent` follows the first, the large one. */
export async function fetchAndKeep(urls: readonly string[], onPercent: (percent: number) => void) {
  const files: KeptFile[] = [];
  for (const [i, url] of urls.entries()) {
    files.push({ url, blob: await fetchFile(url, i === 0 ? onPercent : () => {}) });
  }
  await keepInMediaCache(files);
}

/** The server says that there is none, and not only that it cannot be had now. */
export class NoSuchFile extends Error {}

const GONE: ReadonlySet<number> = new Set([404, 410]);

/** A line that brings nothing for so long brings nothing more. */
const STALL_MS = 60_000;

/** Throws where what comes is not the whole file. */
export async function fetchFile(
  url: string,
  onPercent: (percent: number) => void = () => {},
  signal?: AbortSignal,
): Promise<Blob> {
  const stalled = new AbortController();
  const stop = () => stalled.abort();
  signal?.addEventListener("abort", stop);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const goesOn = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, STALL_MS);
  };
  goesOn();
  try {
    return await readFile(url, stalled.signal, (percent) => {
      goesOn();
      if (percent !== null) onPercent(percent);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** @param onPiece `percent` is null where the size is not known */
async function readFile(
  url: string,
  signal: AbortSignal,
  onPiece: (percent: number | null) => void,
): Promise<Blob> {
  const response = await fetch(url, { signal });
  const type = response.headers.get("Content-Type") ?? "";
  if (GONE.has(response.status)) throw new NoSuchFile(url);
  if (!isWholeMedia(response) || response.body === null) {
    throw new Error(`No file at ${url}: ${response.status} ${type}`);
  }
  const total = Number(response.headers.get("Content-Length") ?? 0);
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onPiece(total > 0 ? Math.min(100, Math.floor((100 * bytes) / total)) : null);
      controller.enqueue(chunk);
    },
  });
  const whole = new Response(response.body.pipeThrough(counter), {
    headers: { "Content-Type": type },
  });
  return whole.blob();
}

/** Of those that lie here: their bytes, and whether they are kept. */
export async function filesHere(urls: readonly string[]) {
  const { store } = (await open()).transaction("entries");
  const found = await Promise.all(
    urls.map(async (url) => [url, await store.get(idOf(url))] as const),
  );
  return new Map(
    found.flatMap(([url, entry]) =>
      entry === undefined ? [] : [[url, { bytes: entry.bytes, kept: entry.kept }] as const],
    ),
  );
}

/** Files that lie here stay from now on. */
export const keepFiles = (urls: readonly string[]): Promise<void> =>
  patchEntries(urls.map(idOf), { kept: true });

/** Kept files become like any other: they stay until the space is needed. */
export async function releaseFiles(urls: readonly string[]): Promise<void> {
  await patchEntries(urls.map(idOf), { kept: false });
}

/** What stays of public media: the key of each file, and its bytes. */
export const keptFiles = async (): Promise<Pick<CachedEntry, "key" | "bytes">[]> =>
  (await readEntries()).filter(({ kept, cache }) => kept && cache === PUBLIC_CACHE);

export async function isKept(url: string): Promise<boolean> {
  const id = idOf(url);
  return (await readEntries()).some((entry) => entry.kept && entry.id === id);
}

export async function keptMediaIds(): Promise<ReadonlySet<string>> {
  const kept = (await readEntries()).filter((entry) => entry.kept);
  return new Set(kept.flatMap(({ key }) => /\/api\/files\/media\/([^/]+)\//.exec(key)?.[1] ?? []));
}

function idOf(url: string): string {
  const place = mediaPlace(url, location.href);
  return place === null ? "" : entryId(place);
}
