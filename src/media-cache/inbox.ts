/**
 * Files on their way into the upload form: what another app shares, which the service worker stores
 * before there is a page, and what is dropped, pasted or chosen. They stay on the device until they
 * are queued, taken out of the form, or whoever brought them signs out. A form holds a lock on each
 * file that it shows, so that another form takes only what nobody has.
 */

const INBOX = "upload-inbox";
const FILES = `/${INBOX}/file/`;
const TEXT = `/${INBOX}/text`;
/** An event of the window that tells an open form. Another one looks when it opens. */
export const BROUGHT = "augenblick:brought";
/** More than a form takes, so that it says so. */
const MOST = 61;
/** A larger file of a form is only in its memory: it would be written twice. */
const KEPT_MAX_BYTES = 67_108_864;
/** As many times its size must be free, or it takes the room that the queue will need. */
const KEPT_ROOM = 8;

/** In an entry's headers. */
const NAME = "X-Name";
const CHANGED = "X-Changed";
const FULL = "X-Full";

export interface InboxFile {
  key: string;
  file: File;
  /** There was no room for it: the file is empty. */
  isFull: boolean;
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

/** Whether nobody else has it. It is held until `letGo`, or until the page ends. */
const hold = (key: string): Promise<boolean> =>
  new Promise((resolve) => {
    const lock = (given: Lock | null) => {
      resolve(given !== null);
      return given && new Promise<void>((release) => held.set(key, release));
    };
    navigator.locks.request(key, { ifAvailable: true }, lock).catch(() => resolve(false));
  });

function entryOf(file: File, isFull = false): Response {
  const headers = {
    "Content-Type": file.type,
    [NAME]: encodeURIComponent(file.name),
    [CHANGED]: String(file.lastModified),
    ...(isFull && { [FULL]: "1" }),
  };
  return new Response(isFull ? null : file, { headers });
}

/** Stores what was shared or dropped. A file for which there is no room leaves its name. */
export async function putInInbox(files: readonly File[], text = ""): Promise<void> {
  const cache = await caches.open(INBOX);
  const room = Math.max(0, MOST - (await cache.keys()).length);
  for (const file of files.slice(0, room)) {
    const key = newKey();
    await cache.put(key, entryOf(file)).catch(() => cache.put(key, entryOf(file, true)));
  }
  if (text !== "") await cache.put(TEXT, new Response(text));
}

async function hasRoom(size: number): Promise<boolean> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return size <= KEPT_MAX_BYTES && size * KEPT_ROOM <= quota - usage;
}

/** Stores a file that a form has already. Its key; null where it lives as long as the page. */
export async function keepInInbox(file: File): Promise<string | null> {
  if (!isThere() || !(await hasRoom(file.size))) return null;
  const key = newKey();
  const before = wipes;
  try {
    await hold(key);
    await (await caches.open(INBOX)).put(key, entryOf(file));
    if (before === wipes) return key;
    await dropFromInbox([key]);
  } catch {
    letGo([key]);
  }
  return null;
}

/** The files that no other form has, and the text that was shared with them. */
export async function takeFromInbox(): Promise<{ files: InboxFile[]; text: string }> {
  const files: InboxFile[] = [];
  if (!isThere() || !(await caches.has(INBOX))) return { files, text: "" };
  const cache = await caches.open(INBOX);
  const shared = await cache.match(TEXT);
  const text = (await shared?.text()) ?? "";
  await cache.delete(TEXT);
  const keys = (await cache.keys()).map(({ url }) => new URL(url).pathname).sort();
  for (const key of keys) {
    const entry = (await hold(key)) ? await cache.match(key) : undefined;
    if (entry === undefined) letGo([key]);
    else files.push({ key, ...(await fileOf(entry)) });
  }
  return { files, text };
}

async function fileOf(entry: Response): Promise<Omit<InboxFile, "key">> {
  const { headers } = entry;
  const name = decodeURIComponent(headers.get(NAME) ?? "");
  const about = {
    type: headers.get("Content-Type") ?? "",
    lastModified: Number(headers.get(CHANGED)),
  };
  return { file: new File([await entry.blob()], name, about), isFull: headers.has(FULL) };
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
