/**
 * A copy of what a worker must know to send somebody's queue, and cannot read in localStorage: the
 * session, and whether files wait for Wi-Fi. It is gone with the session.
 */
import type { KeyValue } from "@/data/engine/deps";
import { WIFI_ONLY_KEY } from "@/lib/connection-kind";
import { createSerialQueue } from "@/lib/serial-queue";
import { SESSION_KEY } from "./session-store";

const CACHE = "session-copy";
const ENTRY = "/session-copy";
const COPIED = [SESSION_KEY, WIFI_ONLY_KEY];

const inTurn = createSerialQueue();

/** Copies what is stored now, if it is not what was copied last. */
export const copySession = (local: KeyValue): Promise<void> =>
  inTurn(async () => {
    const copied = JSON.stringify(COPIED.map((key) => [key, local.getItem(key)]));
    if (copied === last) return;
    if (local.getItem(SESSION_KEY) === null) await caches.delete(CACHE);
    else await (await caches.open(CACHE)).put(ENTRY, new Response(copied));
    last = copied;
  });

let last = "";

/** The copy as a storage of its own; null where nobody is signed in. */
export async function readSessionCopy(): Promise<KeyValue | null> {
  const entry = await caches.match(ENTRY, { cacheName: CACHE });
  if (entry === undefined) return null;
  const values = new Map<string, string | null>(await entry.json());
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
