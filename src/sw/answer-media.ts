/**
 * Requests for pictures and videos: out of the cache when it is there, whole or the asked-for range of it, otherwise from the
 * server. Only whole, successful answers that are media go into the cache: a captive portal's page never does.
 */
import {
  dropPrivateMedia,
  type MediaPlace,
  mediaBudget,
  mediaPlace,
  PUBLIC_CACHE,
  storeMedia,
} from "@/lib/media-cache";
import { entryId, putEntry, touchEntries } from "@/lib/media-cache-index";
import { partOf } from "./range";

/** A file of more than this share of the budget is not stored just for having been shown. */
const LOOSE_SHARE = 0.25;
/** Uses are noted together, so that a screen of pictures costs one write. */
const TOUCH_DELAY_MS = 500;

let signOuts = 0;
let touched: { ids: Set<string>; written: Promise<void> } | null = null;

export async function answerMedia(request: Request, event: ExtendableEvent): Promise<Response> {
  const place = mediaPlace(request.url, location.href);
  const cached = place && (await readCached(place));
  const range = request.headers.get("Range");
  if (place && cached) {
    event.waitUntil(touch(entryId(place.cache, place.key)));
    return range === null ? cached : partOf(cached, range);
  }
  const session = signOuts;
  const response = await fetch(request);
  if (place && range === null && isWholeMedia(response)) {
    event.waitUntil(storeLoose(place, response.clone(), session));
  }
  return response;
}

/** Fetches a file whole, unless it is there. False when the server did not give it. */
export async function fetchWhole(url: string, kept: boolean): Promise<boolean> {
  const place = mediaPlace(url, location.href);
  if (place === null) return false;
  const cached = await readCached(place);
  if (cached) {
    if (kept) await markKept(place, cached);
    return true;
  }
  const session = signOuts;
  const response = await fetch(url);
  if (!isWholeMedia(response)) return false;
  if (!kept) await storeLoose(place, response, session);
  else await store(place, response, { kept, session });
  return true;
}

/** From now on nothing that was asked for with the old token is stored any more. */
export async function forgetPrivateMedia(): Promise<void> {
  signOuts++;
  await dropPrivateMedia();
}

async function readCached(place: MediaPlace): Promise<Response | undefined> {
  const cache = await caches.open(place.cache);
  return cache.match(place.key, { ignoreVary: true });
}

function isWholeMedia(response: Response): boolean {
  const type = response.headers.get("Content-Type") ?? "";
  return response.status === 200 && !response.redirected && /^(image|video)\//.test(type);
}

async function storeLoose(place: MediaPlace, response: Response, session: number): Promise<void> {
  const bytes = Number(response.headers.get("Content-Length") ?? 0);
  if (bytes > (await mediaBudget()) * LOOSE_SHARE) {
    await response.body?.cancel();
    return;
  }
  try {
    await store(place, response, { kept: false, session });
  } catch {
    // Ignoring a full disk and a page that was left in the middle: the picture was shown, only not kept.
  }
}

async function store(
  place: MediaPlace,
  response: Response,
  { kept, session }: { kept: boolean; session: number },
): Promise<void> {
  const blob = await response.blob();
  if (place.cache !== PUBLIC_CACHE && session !== signOuts) return;
  await storeMedia(place, { blob, headers: response.headers, kept, now: Date.now() });
}

async function markKept(place: MediaPlace, cached: Response): Promise<void> {
  const bytes = Number(cached.headers.get("Content-Length") ?? 0);
  await putEntry({ ...place, bytes, kept: true, usedAt: Date.now() });
}

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
    // Ignoring it: the order of eviction is then a little older than the truth.
  }
}
