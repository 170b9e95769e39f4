/**
 * A copy of what a worker must know to send somebody's queue and to tell of what is new, and cannot
 * read in localStorage: the session, whether files wait for Wi-Fi, and the language; and beside it
 * what of the new was told. All is gone with the session.
 */
import type { KeyValue } from "@/data/engine/deps";
import { communityLanguage, type Language } from "@/domain/languages";
import { WIFI_ONLY_KEY } from "@/lib/connection-kind";
import { createSerialQueue } from "@/lib/serial-queue";
import { SESSION_KEY } from "./session-store";

/** Gone with the session, and with it all that lies in it. */
export const SESSION_CACHE = "session-copy";
const ENTRY = "/session-copy";
const COPIED = [SESSION_KEY, WIFI_ONLY_KEY];
/** What the page alone knows, in no storage by these names. */
const LANGUAGE = "language that is read";
const PRODUCT = "name of the product";

const inTurn = createSerialQueue();

interface OfPage {
  language: string;
  productName: string;
}

/** Copies what is stored now, if it is not what was copied last. */
export const copySession = (local: KeyValue, page: OfPage): Promise<void> =>
  inTurn(async () => {
    const stored = COPIED.map((key) => [key, local.getItem(key)]);
    const copied = JSON.stringify([
      ...stored,
      [LANGUAGE, page.language],
      [PRODUCT, page.productName],
    ]);
    if (copied === last) return;
    if (local.getItem(SESSION_KEY) === null) await caches.delete(SESSION_CACHE);
    else await (await caches.open(SESSION_CACHE)).put(ENTRY, new Response(copied));
    last = copied;
  });

let last = "";

/** The copy as a storage of its own; null where nobody is signed in. */
export async function readSessionCopy(): Promise<KeyValue | null> {
  const entry = await caches.match(ENTRY, { cacheName: SESSION_CACHE });
  if (entry === undefined) return null;
  const values = new Map<string, string | null>(await entry.json());
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** @param copy as `readSessionCopy` gives it */
export const pageOf = (copy: KeyValue): OfPage & { language: Language } => ({
  language: communityLanguage(copy.getItem(LANGUAGE)),
  productName: copy.getItem(PRODUCT) ?? "",
});
