/**
 * Answers requests for media from the cache or the server. Only whole files are stored, and private
 * ones never after a sign-out that came between.
 */
import { createPartialResponse } from "workbox-range-requests";
import {
  dropPrivateMedia,
  entryId,
  isWholeMedia,
  type MediaPlace,
  mediaBudget,
  mediaPlace,
  PUBLIC_CACHE,
  readMedia,
  storeMedia,
  touchEntries,
} from "@/media-cache/cache";

/** A larger file than this share of the budget is not stored just because it was shown. */
const STORED_SHARE = 0.25;
/** Uses are written together, so that a screen of pictures costs one transaction. */
const TOUCH_DELAY_MS = 500;

interface WaitUntil {
  waitUntil(work: Promise<unknown>): void;
}

let letsGo = new AbortController();

/** Ends every request to the server that runs now; later ones are made as before. */
export function letGo(): void {
  letsGo.abort();
  letsGo = new AbortController();
}

/** Asks the server, until the page or `letGo` ends it. Safari knows `any` from 17.4 on. */
export const load = (request: Request): Promise<Response> =>
  fetch(request, {
    signal: AbortSignal.any?.([request.signal, letsGo.signal]) ?? request.signal,
  });

export async function answerMedia(request: Request, event: WaitUntil): Promise<Response> {
  const place = mediaPlace(request.url, location.href);
  const cached = place && (await readMedia(place));
  const range = request.headers.get("Range");
  if (place && cached) {
    event.waitUntil(touch(entryId(place)));
    return range === null ? cached : answerRange(cached, range);
  }
  const session = signOuts;
  const response = await load(request);
  if (place && range === null) event.waitUntil(store(place, response.clone(), session));
  return response;
}

/** One after another: these files must not crowd out the requests of the screen. */
export async function warmMedia(urls: readonly unknown[]): Promise<void> {
  const { signal } = letsGo;
  for (const url of urls) {
    // Ignoring a failure: it is fetched when it is next shown.
    if (typeof url === "string" && !signal.aborted) await warmOne(url).catch(() => undefined);
  }
}

async function warmOne(url: string): Promise<void> {
  const place = mediaPlace(url, location.href);
  if (place === null || (await readMedia(place))) return;
  const session = signOuts;
  await store(place, await load(new Request(url)), session);
}

/** One byte range of a whole answer (RFC 9110, section 14). Players seek with it. */
export async function answerRange(whole: Response, header: string): Promise<Response> {
  const blob = await whole.blob();
  const range = satisfiableRange(header, blob.size);
  if (range === null) {
    const headers = { "Content-Range": `bytes */${blob.size}` };
    return new Response(null, { status: 416, headers });
  }
  const request = new Request(location.href, { headers: { Range: range } });
  const { headers } = whole;
  return createPartialResponse(request, new Response(blob, { headers }));
}

/**
 * The range within `size` bytes, null where it is outside. Workbox needs both ends, and refuses a
 * range that reaches beyond the file.
 */
function satisfiableRange(header: string, size: number): string | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === "" && to === "") return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first <= last ? `bytes=${first}-${last}` : null;
}

/** A request remembers this number; what it brings after a sign-out is not stored. */
let signOuts = 0;
/** Private files being written, which a sign-out waits for so that it can delete them. */
const privateWrites = new Set<Promise<void>>();

/** Deletes every private file, and stores none that was asked for before. */
export async function forgetPrivateMedia(): Promise<void> {
  signOuts += 1;
  await Promise.allSettled(privateWrites);
  await dropPrivateMedia();
}

async function store(place: MediaPlace, response: Response, session: number): Promise<void> {
  const bytes = Number(response.headers.get("Content-Length") ?? 0);
  if (!isWholeMedia(response) || bytes > (await mediaBudget()) * STORED_SHARE) {
    await response.body?.cancel();
    return;
  }
  try {
    const blob = await response.blob();
    const isPrivate = place.cache !== PUBLIC_CACHE;
    if (isPrivate && session !== signOuts) return;
    const file = { blob, headers: response.headers, kept: false, now: Date.now() };
    const written = storeMedia(place, file);
    if (isPrivate) privateWrites.add(written);
    await written.finally(() => privateWrites.delete(written));
  } catch {
    // Ignoring a full disk and an aborted request: the picture was shown, only not stored.
  }
}

let touched: { ids: Set<string>; written: Promise<void> } | null = null;

function touch(id: string): Promise<void> {
  touched ??= { ids: new Set(), written: writeTouches() };
  touched.ids.add(id);
  return touched.written;
}

async function writeTouches(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, TOUCH_DELAY_MS));
  const ids = [...(touched?.ids ?? [])];
  touched = null;
  try {
    await touchEntries(ids, Date.now());
  } catch {
    // Ignoring it: the order of eviction is then slightly out of date.
  }
}
