/**
 * Files on their way into the upload form: what another app shares, which the service worker stores
 * before there is a page, and what is dropped, pasted or chosen. They stay on the device until they
 * are queued, taken out of the form, or whoever brought them signs out. A form holds a lock on each
 * file that it shows, so that another form takes only what nobody has.
 */

const INBOX = "upload-inbox";
const FILES = `/${INBOX}/file/`;
const TEXT = `/${INBOX}/text`;
/** An event of the window that brings an open form files (`detail`). Others find theirs here. */
export const BROUGHT = "augenblick:brought";
/** At a time: what one form has no room for is the next one's. */
const BROUGHT_MOST = 120;
const READ_AT_ONCE = 16;
/** Altogether: any site may make its visitor's browser send some. */
const STORED_MOST = 250;
/** A larger file of a form is only in its memory: it would be written twice. */
const KEPT_MAX_BYTES = 67_108_864;
/** As many times its size must be free, or it takes the room that the queue will need. */
const KEPT_ROOM = 8;

/** In an entry's headers. */
const NAME = "X-Name";
const CHANGED = "X-Changed";
const FAULT = "X-Fault";

/** The device had no room for it, or it could not be read: then the file is empty. */
type InboxFault = "storage_full" | "file_missing";

export interface InboxFile {
  key: string;
  file: File;
  fault: InboxFault | null;
}

/** What lets a file go that this page holds, by its key. */
const held = new Map<string, () => void>();

const isThere = (): boolean => "caches" in globalThis && "locks" in navigator;

/** What was on its way at a sign-out is not stored any more. */
let wipes = 0;

let last = 0;

/** In the order in which they come. */
function newKey(): string {
  last = Math.max(last + 1, Date.now());
  return `${FILES}${last}-${crypto.randomUUID()}`;
}

/** Whether no form had it, this page's own ones included. It is held until `letGo`. */
async function hold(key: string): Promise<boolean> {
  if (held.has(key)) return false;
  return new Promise((resolve) => {
    const lock = (given: Lock | null) => {
      resolve(given !== null);
      return given && new Promise<void>((release) => held.set(key, release));
    };
    navigator.locks.request(key, { ifAvailable: true }, lock).catch(() => resolve(false));
  });
}

function entryOf(file: File, fault?: InboxFault): Response {
  const headers = {
    "Content-Type": file.type,
    [NAME]: encodeURIComponent(file.name),
    [CHANGED]: String(file.lastModified),
    ...(fault && { [FAULT]: fault }),
  };
  return new Response(fault ? null : file, { headers });
}

const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "QuotaExceededError";

const keysIn = async (cache: Cache): Promise<string[]> =>
  (await cache.keys()).map(({ url }) => new URL(url).pathname).filter((key) => key !== TEXT);

/** Stores what was shared or dropped. A file that cannot be stored leaves its name. */
export async function putInInbox(files: readonly File[], text = ""): Promise<void> {
  const cache = await caches.open(INBOX);
  const isRoom = (await keysIn(cache)).length <= STORED_MOST;
  const put = async (file: File) => {
    const key = newKey();
    try {
      await cache.put(key, entryOf(file));
    } catch (error) {
      await cache.put(key, entryOf(file, isFull(error) ? "storage_full" : "file_missing"));
    }
  };
  await Promise.allSettled(isRoom ? files.slice(0, BROUGHT_MOST).map(put) : []);
  if (text === "") return;
  const before = await (await cache.match(TEXT))?.text();
  await cache.put(TEXT, new Response(before ? `${before}\n${text}` : text));
}

let keeping: Promise<unknown> = Promise.resolve();

/**
 * Stores a file that a form has already. Its key; null where it lives as long as the page. One
 * after another, because each takes of the room that the next one asks for.
 */
export function keepInInbox(file: File): Promise<string | null> {
  const before = wipes;
  const kept = keeping.then(() => (before === wipes ? keep(file, before) : null));
  keeping = kept.catch(() => undefined);
  return kept;
}

async function keep(file: File, before: number): Promise<string | null> {
  if (!isThere() || file.size > KEPT_MAX_BYTES) return null;
  const key = newKey();
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    if (file.size * KEPT_ROOM > quota - usage) return null;
    await hold(key);
    await (await caches.open(INBOX)).put(key, entryOf(file));
    if (before === wipes) return key;
    await dropFromInbox([key]);
  } catch {
    // Ignoring it: it lives as long as the form.
    letGo([key]);
  }
  return null;
}

/** The files that no form has. They are held for the one that asks. */
export async function takeFromInbox(): Promise<InboxFile[]> {
  if (!isThere() || !(await caches.has(INBOX))) return [];
  const cache = await caches.open(INBOX);
  const keys = (await keysIn(cache)).sort();
  const files: InboxFile[] = [];
  for (let at = 0; at < keys.length; at += READ_AT_ONCE) {
    const some = keys.slice(at, at + READ_AT_ONCE).map((key) => take(cache, key));
    files.push(...(await Promise.all(some)).flat());
  }
  return files;
}

async function take(cache: Cache, key: string): Promise<InboxFile[]> {
  if (!(await hold(key))) return [];
  try {
    const entry = await cache.match(key);
    if (entry !== undefined) return [{ key, ...(await fileOf(entry)) }];
  } catch {
    // Ignoring it: what cannot be read now may be readable by the next form.
  }
  letGo([key]);
  return [];
}

async function fileOf(entry: Response): Promise<Omit<InboxFile, "key">> {
  const { headers } = entry;
  const name = decodeURIComponent(headers.get(NAME) ?? "");
  const about = {
    type: headers.get("Content-Type") ?? "",
    lastModified: Number(headers.get(CHANGED)),
  };
  const fault = headers.get(FAULT);
  return {
    file: new File([await entry.blob()], name, about),
    fault: fault === "storage_full" || fault === "file_missing" ? fault : null,
  };
}

/** The words that were shared, once. */
export async function takeInboxText(): Promise<string> {
  if (!isThere() || !(await caches.has(INBOX))) return "";
  const cache = await caches.open(INBOX);
  const text = await (await cache.match(TEXT))?.text();
  await cache.delete(TEXT);
  return text ?? "";
}

/** A form that ends leaves them for the next one. */
export function letGo(keys: Iterable<string>): void {
  for (const key of keys) {
    held.get(key)?.();
    held.delete(key);
  }
}

/** They are in the queue, or nobody wants them. */
export async function dropFromInbox(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const cache = await caches.open(INBOX);
  await Promise.all(keys.map((key) => cache.delete(key)));
  letGo(keys);
}

/** At a sign-out: the next person at this device must not find them. */
export async function emptyInbox(): Promise<void> {
  wipes += 1;
  if (isThere()) await caches.delete(INBOX);
}
