/**
 * Lists that somebody wants to have on this device: what a person posts, what a search finds, or
 * what all whom one follows post. A page plans which files that takes, the newest first
 * (data/media/list-plan.ts); a page or, once it is closed, the worker that sends fetches them, on a
 * connection that costs nothing, until the size that was chosen is reached. The rows lie on users'
 * devices: what they hold is read by every later version.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { ListKind } from "@/domain/kept-lists";
import { fetchFile, filesHere, keepFiles, keepInMediaCache, releaseFiles } from "./cache";

export interface ListWish {
  kind: ListKind;
  /** A person's id, the text that is looked for, "" for those whom one follows. */
  of: string;
  /** Bytes, at most. */
  limit: number;
}

/**
 * `open`: more is to be fetched. `whole`: all of it is here. `full`: what is left is beyond the
 * chosen size. `no-room`: the device takes no more.
 */
export type ListState = "open" | "whole" | "full" | "no-room";

export interface KeptList extends ListWish {
  id: string;
  /** The person's, the text. */
  name: string;
  /** Whose it is; "" of somebody who is not signed in. */
  userId: string;
  /** Milliseconds since 1970. */
  plannedAt: number;
  /** Addresses of the files of one medium each, the newest first. */
  plan: string[][];
  /** How many of these are here with all their files, and their bytes. */
  media: number;
  bytes: number;
  /** Files that stay because of this list alone: nobody else had kept them. */
  own: string[];
  state: ListState;
}

interface ListsDatabase extends DBSchema {
  lists: { key: string; value: KeptList };
}

/** A new one for each call, which are few: none stays open in a worker that the browser stops. */
async function inDatabase<T>(work: (database: IDBPDatabase<ListsDatabase>) => Promise<T>) {
  const database = await openDB<ListsDatabase>("kept-lists", 1, {
    upgrade: (one) => void one.createObjectStore("lists", { keyPath: "id" }),
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

const CHANNEL = "augenblick-kept-lists";
/** Of a wake-up by Background Sync. */
export const KEPT_LISTS_TAG = "kept-lists";

/** Calls back whenever a list has changed, also in the worker or another tab. */
export function onListsChange(changed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = changed;
  return () => channel.close();
}

function tell(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

export const readLists = (): Promise<KeptList[]> =>
  inDatabase((database) => database.getAll("lists"));

export const idOfList = ({ kind, of }: Pick<ListWish, "kind" | "of">): string => `${kind} ${of}`;

type Planned = ListWish & Pick<KeptList, "name" | "userId" | "plan" | "plannedAt">;

/** Puts it beside the others, or in place of what it was. Files that it lacks now are let go. */
export async function putList(planned: Planned): Promise<void> {
  const id = idOfList(planned);
  await inDatabase(async (database) => {
    const before = await database.get("lists", id);
    const files = new Set(planned.plan.flat());
    const own = before?.own ?? [];
    const list = { ...planned, id, media: 0, bytes: 0, state: "open" as const };
    await database.put("lists", { ...list, own: own.filter((url) => files.has(url)) });
    await release(
      database,
      own.filter((url) => !files.has(url)),
    );
  });
  tell();
}

/** Its files stay until the space is needed. */
export async function letGo(ids: readonly string[]): Promise<void> {
  await inDatabase(async (database) => {
    for (const id of ids) {
      const list = await database.get("lists", id);
      await database.delete("lists", id);
      await release(database, list?.own ?? []);
    }
  });
  tell();
}

/** Files that another list wants go on as that one's. */
async function release(database: IDBPDatabase<ListsDatabase>, files: readonly string[]) {
  const left = new Set(files);
  for (const list of await database.getAll("lists")) {
    const wanted = list.plan.flat().filter((url) => left.has(url));
    for (const url of wanted) left.delete(url);
    if (wanted.length > 0) await database.put("lists", { ...list, own: [...list.own, ...wanted] });
  }
  await releaseFiles([...left]);
}

export interface Filling {
  /** Whether a file may be fetched now: not where each byte costs. */
  mayFetch: () => boolean;
  signal?: AbortSignal;
}

const LOCK = "kept-lists";

/**
 * Fetches what is missing, one file after the other. One page or worker does at a time.
 *
 * @returns whether anything is left to be fetched
 */
export const fillLists = (filling: Filling): Promise<boolean> =>
  navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock === null) return true;
    let isLeft = false;
    for (const { id } of await readLists()) isLeft = (await fill(id, filling)) || isLeft;
    return isLeft;
  });

type Here = Awaited<ReturnType<typeof filesHere>>;

async function fill(id: string, filling: Filling): Promise<boolean> {
  const list = await inDatabase((database) => database.get("lists", id));
  if (list === undefined || list.state !== "open") return false;
  const here = await filesHere(list.plan.flat());
  const done = { media: 0, bytes: 0, state: "open" as ListState };
  for (const files of list.plan) {
    const got = await bring(files, list.limit - done.bytes, here, filling);
    if (got === "gone") continue;
    if (typeof got === "string") {
      await change(id, { ...done, state: got }, []);
      return got === "open";
    }
    done.media += 1;
    done.bytes += got.bytes;
    if (got.own.length === 0) continue;
    const now = await change(id, done, got.own);
    // Let go of, or planned anew, meanwhile.
    if (now?.plannedAt !== list.plannedAt) return now !== undefined;
  }
  // Where nothing came at all, something else answers in place of the server.
  done.state = done.media === 0 && list.plan.length > 0 ? "open" : "whole";
  await change(id, done, []);
  return done.state === "open";
}

/** The list as it is now; undefined where it is gone, and then nothing of it stays kept. */
async function change(
  id: string,
  done: Pick<KeptList, "media" | "bytes" | "state">,
  own: readonly string[],
): Promise<KeptList | undefined> {
  const now = await inDatabase(async (database) => {
    const list = await database.get("lists", id);
    if (list === undefined) {
      await release(database, own);
      return undefined;
    }
    const next = { ...list, ...done, own: [...new Set([...list.own, ...own])] };
    await database.put("lists", next);
    return next;
  });
  tell();
  return now;
}

/** All files of one medium, or none: what the list is, then. `gone`: the server has it no more. */
async function bring(
  files: readonly string[],
  room: number,
  here: Here,
  { mayFetch, signal }: Filling,
): Promise<{ bytes: number; own: string[] } | ListState | "gone"> {
  const missing = files.filter((url) => !here.has(url));
  const known = files.reduce((sum, url) => sum + (here.get(url)?.bytes ?? 0), 0);
  if (known > room) return "full";
  try {
    const fetched: { url: string; blob: Blob }[] = [];
    for (const url of missing) {
      if (!mayFetch() || signal?.aborted) return "open";
      fetched.push({ url, blob: await fetchFile(url, undefined, signal) });
    }
    const bytes = fetched.reduce((sum, { blob }) => sum + blob.size, known);
    if (bytes > room) return "full";
    await keepInMediaCache(fetched);
    const loose = files.filter((url) => here.get(url)?.kept === false);
    await keepFiles(loose);
    return { bytes, own: [...missing, ...loose] };
  } catch (error) {
    if (error instanceof DOMException)
      return error.name === "QuotaExceededError" ? "no-room" : "open";
    // What `fetch` itself throws: no answer came.
    return error instanceof TypeError ? "open" : "gone";
  }
}
