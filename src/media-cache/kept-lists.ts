/**
 * Lists that somebody wants to have on this device: what a person posts, what a search finds, or
 * what all whom one follows post. A page plans which files that takes, the newest first
 * (data/media/list-plan.ts); a page or, once it is closed, the worker that sends fetches them until
 * the size that was chosen is reached. The rows lie on users' devices: every later version reads
 * what they hold.
 *
 * [Note: Claims] A list claims the files that stay because of it. One that somebody keeps by hand
 * is claimed by none. A file that no list claims any more becomes like any other. A claim is
 * written before its file is kept, and what is no longer claimed is nobody's list until it was let
 * go of, so nothing stays without a claim, wherever a page ends.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { ListKind } from "@/domain/kept-lists";
import {
  fetchFile,
  filesHere,
  keepFiles,
  keepInMediaCache,
  keptFiles,
  mediaPlace,
  NoSuchFile,
  releaseFiles,
} from "./cache";

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

/** The files of a list. */
export interface ListPlan {
  /** Addresses of those of one medium each, the newest first. */
  plan: string[][];
  /** Bytes of each medium that are known before it is fetched, at its place; 0 for none. */
  sizes?: number[];
  /** Milliseconds since 1970. No two plans of a list have the same. */
  plannedAt: number;
}

export interface KeptList extends ListWish, ListPlan {
  id: string;
  /** The person's, the text. */
  name: string;
  /** Whose it is; "" of somebody who is not signed in. */
  userId: string;
  /** How many media are here with all their files, and the bytes of these. */
  media: number;
  bytes: number;
  /** What it claims. */
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

export const readLists = (): Promise<KeptList[]> =>
  inDatabase((database) => database.getAll("lists"));

const claimsOf = (lists: readonly KeptList[]): Set<string> =>
  new Set(lists.flatMap(({ own }) => own));

/** No person has this id: what is somebody else's is let go of at every start of a page. */
const NOBODY = "nobody";

/** What no list claims any more, as a list of nobody's. */
const unclaimed = (own: string[]): KeptList => ({
  id: `${NOBODY} ${crypto.randomUUID()}`,
  userId: NOBODY,
  kind: "search",
  of: "",
  name: "",
  limit: 0,
  plan: [],
  plannedAt: 0,
  media: 0,
  bytes: 0,
  state: "whole",
  own,
});

/** So that no file is kept for a list in the moment in which its files are let go of. */
const whileNoneKeeps = (work: () => Promise<void>): Promise<void> =>
  navigator.locks.request("kept-files", work);

/**
 * Changes the lists in one step, and lets go of the files that none claims any more, but for those
 * in `stay`.
 */
async function change(
  edit: (lists: KeptList[]) => KeptList[],
  stay: readonly string[] = [],
): Promise<void> {
  const left = await inDatabase(async (database) => {
    const { store, done } = database.transaction("lists", "readwrite");
    const write = async () => {
      const lists = await store.getAll();
      const next = edit(lists);
      const gone = lists.filter(({ id }) => !next.some((one) => one.id === id));
      const fresh = next.filter((list) => !lists.includes(list));
      const claimed = new Set([...claimsOf(next), ...stay]);
      const going = unclaimed([...claimsOf(lists)].filter((url) => !claimed.has(url)));
      if (going.own.length > 0) fresh.push(going);
      await Promise.all([
        ...gone.map(({ id }) => store.delete(id)),
        ...fresh.map((list) => store.put(list)),
      ]);
      return going;
    };
    const [going] = await Promise.all([write(), done]);
    return going;
  });
  if (left.own.length > 0)
    await whileNoneKeeps(async () => {
      await releaseFiles(left.own);
      await inDatabase((database) => database.delete("lists", left.id));
    });
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** One list, as long as it is the one of that plan. Answers whether it was. */
async function changeOne(
  { id, plannedAt }: Pick<KeptList, "id" | "plannedAt">,
  edit: (list: KeptList, claimed: ReadonlySet<string>) => Partial<KeptList>,
): Promise<boolean> {
  let isThere = false;
  await change((lists) =>
    lists.map((list) => {
      if (list.id !== id || list.plannedAt !== plannedAt) return list;
      isThere = true;
      return { ...list, ...edit(list, claimsOf(lists)) };
    }),
  );
  return isThere;
}

export const idOfList = ({ kind, of }: Pick<ListWish, "kind" | "of">): string => `${kind} ${of}`;

type Planned = ListWish & ListPlan & Pick<KeptList, "name" | "userId">;

/** A list that somebody wants, beside the others or in place of what it was. */
export const putList = (planned: Planned): Promise<void> =>
  change((lists) => {
    const id = idOfList(planned);
    const before = lists.find((list) => list.id === id);
    return [...lists.filter((list) => list !== before), begun(planned, before?.own ?? [])];
  });

/** What it holds now; nothing happens where it was let go of, or planned by another, meanwhile. */
export const replan = (before: KeptList, plan: ListPlan & { name: string }): Promise<boolean> =>
  changeOne(before, (list) => begun({ ...list, ...plan }, list.own));

/** It goes on claiming what is still part of it, until it is known what fits. */
function begun(planned: Planned, claims: readonly string[]): KeptList {
  const files = new Set(planned.plan.flat());
  return {
    ...planned,
    id: idOfList(planned),
    media: 0,
    bytes: 0,
    state: "open",
    own: claims.filter((url) => files.has(url)),
  };
}

export const letGo = (ids: readonly string[]): Promise<void> =>
  change((lists) => lists.filter(({ id }) => !ids.includes(id)));

/** Kept by hand from now on: they stay when a list is let go of. */
export async function keepByHand(urls: readonly string[]): Promise<void> {
  const without = (list: KeptList) => ({
    ...list,
    own: list.own.filter((url) => !urls.includes(url)),
  });
  const claims = ({ own }: KeptList) => own.some((url) => urls.includes(url));
  await change((lists) => lists.map((list) => (claims(list) ? without(list) : list)), urls);
  await keepFiles(urls);
}

/** No longer kept by hand. What is part of a list stays, until it is known whether it fits. */
export async function releaseByHand(urls: readonly string[]): Promise<void> {
  await change((lists) =>
    lists.map((list) => {
      const files = new Set(list.plan.flat());
      const taken = urls.filter((url) => files.has(url) && !list.own.includes(url));
      return taken.length === 0
        ? list
        : { ...list, own: [...list.own, ...taken], state: "open" as const };
    }),
  );
  await releaseUnclaimed(urls);
}

async function releaseUnclaimed(urls: readonly string[]): Promise<void> {
  const claimed = claimsOf(await readLists());
  await releaseFiles(urls.filter((url) => !claimed.has(url)));
}

/** Kept for other reasons than a list: one by one, or because they were sent from here. */
export async function readSingles() {
  const claimed = new Set(
    [...claimsOf(await readLists())].map((url) => mediaPlace(url, location.href)?.key),
  );
  const files = (await keptFiles()).filter(({ key }) => !claimed.has(key));
  const media = new Set(files.map(({ key }) => key.slice(0, key.lastIndexOf("/"))));
  return {
    urls: files.map(({ key }) => key),
    media: media.size,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

export interface Filling {
  /** Whether a file may be fetched now: not where each byte costs. */
  mayFetch: () => boolean;
  signal?: AbortSignal;
  /** Until nobody else fetches; otherwise nothing happens where somebody does. */
  waits: boolean;
}

/**
 * Fetches what is missing, one file after the other. One page or worker does at a time.
 *
 * @returns whether anything is left to be fetched
 */
export const fillLists = (filling: Filling): Promise<boolean> =>
  navigator.locks.request("kept-lists", { ifAvailable: !filling.waits }, async (lock) => {
    if (lock === null) return true;
    const tried = new Set<string>();
    // Read anew after each: others come and go meanwhile.
    for (;;) {
      const open = (await readLists()).filter(({ state }) => state === "open");
      const next = open.find(({ id, plannedAt }) => !tried.has(`${id} ${plannedAt}`));
      if (next === undefined) return open.length > 0;
      tried.add(`${next.id} ${next.plannedAt}`);
      await fill(next, filling);
    }
  });

async function fill(list: KeptList, filling: Filling): Promise<void> {
  const done = { media: 0, bytes: 0, state: "whole" as ListState };
  const files: string[] = [];
  let { mayFetch } = filling;
  for (const [i, medium] of list.plan.entries()) {
    const room = { done, known: list.sizes?.[i] ?? 0 };
    const got = await bring(list, medium, room, { ...filling, mayFetch });
    if (got === "changed") return;
    if (typeof got === "number") {
      files.push(...medium);
      done.media += 1;
      done.bytes += got;
    } else if (got === "too-large" && done.state === "whole") done.state = "full";
    else if (got === "open") {
      done.state = got;
      // What is here already is counted all the same.
      mayFetch = () => false;
    } else if (got === "full" || got === "no-room") {
      done.state = got;
      break;
    }
  }
  // One that is not at its end goes on claiming what came before.
  const counted = new Set(files);
  const isOver = done.state !== "open";
  await changeOne(list, ({ own }) => ({
    ...done,
    own: isOver ? own.filter((url) => counted.has(url)) : own,
  }));
}

/**
 * Why a medium is not here: it is `gone` on the server, `too-large` for what is left by what is
 * known, `full` by what came, or as the list is then. `changed`: the list is another.
 */
type Missing = "gone" | "too-large" | "changed" | Exclude<ListState, "whole">;

interface Room {
  /** What is here of the list already. */
  done: { media: number; bytes: number };
  /** Bytes of the medium as far as they are known. */
  known: number;
}

/** All files of one medium, or none. The bytes that it takes. */
async function bring(
  list: KeptList,
  files: readonly string[],
  room: Room,
  filling: Filling,
): Promise<number | Missing> {
  // No address of ours, as very old records have them: it cannot be kept.
  if (files.some((url) => mediaPlace(url, location.href) === null)) return "gone";
  try {
    // Others make room meanwhile: then what was here comes once more.
    return (
      (await tryToBring(list, files, room, filling)) ??
      (await tryToBring(list, files, room, filling)) ??
      "open"
    );
  } catch (error) {
    if (error instanceof NoSuchFile) return "gone";
    return isFull(error) ? "no-room" : "open";
  }
}

/** Null where a file that was here is not any more. */
async function tryToBring(
  list: KeptList,
  files: readonly string[],
  { done, known }: Room,
  filling: Filling,
): Promise<number | Missing | null> {
  const left = list.limit - done.bytes;
  const before = await filesHere(files);
  const missing = files.filter((url) => !before.has(url));
  if (missing.length > 0 && known > left) return "too-large";
  const fetched = await fetchAll(missing, filling);
  if (fetched === null) return "open";
  // Fetching may have taken minutes.
  const here = missing.length === 0 ? before : await filesHere(files);
  const stayed = files.filter((url) => !missing.includes(url));
  if (stayed.some((url) => !here.has(url))) return null;
  const sizes = [
    ...stayed.map((url) => here.get(url)?.bytes ?? 0),
    ...fetched.map(({ blob }) => blob.size),
  ];
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > left) return missing.length === 0 ? "too-large" : "full";
  const mine = await claim(list, files, here);
  if (mine === null) return "changed";
  if (mine.length === 0) return bytes;
  if (!(await keep(list, files, fetched, mine))) return null;
  const now = { media: done.media + 1, bytes: done.bytes + bytes };
  return (await changeOne(list, () => now)) ? bytes : "changed";
}

type Fetched = Parameters<typeof keepInMediaCache>[0];

/** Null where one may not be fetched now. */
async function fetchAll(
  urls: readonly string[],
  { mayFetch, signal }: Filling,
): Promise<Fetched | null> {
  const fetched: { url: string; blob: Blob }[] = [];
  for (const url of urls) {
    if (!mayFetch() || signal?.aborted) return null;
    fetched.push({ url, blob: await fetchFile(url, undefined, signal) });
  }
  return fetched;
}

/** Those of the files that the list claims from now on; null where it is another. */
async function claim(
  list: KeptList,
  files: readonly string[],
  here: Awaited<ReturnType<typeof filesHere>>,
): Promise<string[] | null> {
  const before = new Set(list.own);
  const isSettled = (url: string) => here.get(url)?.kept === true && before.has(url);
  if (files.every(isSettled)) return [];
  let mine: string[] = [];
  const isThere = await changeOne(list, ({ own }, claimed) => {
    // Kept, and by no list: by hand.
    mine = files.filter((url) => here.get(url)?.kept !== true || claimed.has(url));
    return { own: [...new Set([...own, ...mine])] };
  });
  return isThere ? mine : null;
}

const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "QuotaExceededError";

/** Whether all are here afterwards; otherwise the claim on them is taken back. */
async function keep(
  list: KeptList,
  files: readonly string[],
  fetched: Fetched,
  mine: readonly string[],
): Promise<boolean> {
  let isKept = false;
  try {
    await whileNoneKeeps(async () => {
      const claimed = claimsOf(await readLists());
      // Where the list was let go of meanwhile, so was what it claimed.
      if (!mine.every((url) => claimed.has(url))) return;
      await keepFiles(mine);
      await keepInMediaCache(fetched);
    });
    isKept = (await filesHere(files)).size === files.length;
    return isKept;
  } finally {
    if (!isKept)
      await changeOne(list, ({ own }) => ({ own: own.filter((url) => !mine.includes(url)) }));
  }
}
