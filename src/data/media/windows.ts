/**
 * Which media this device holds: the newest first, older ones when a list is scrolled to them;
 * those longest not shown are evicted. A window says how far down a list the replica has every row.
 * Rows below it are hidden until the rows before them are here, or the list would have a hole.
 */
import type { MangoQuery } from "rxdb";
import { writeRecords } from "@/data/engine/apply";
import type { Scope } from "@/data/engine/context";
import type { DeviceStore, ListWindow, Windows } from "@/data/engine/device-store";
import { pullIds, pullRecords } from "@/data/engine/lists";
import type { EvictNeed, FirstPull, Replica, Stores } from "@/data/engine/noun";
import { filterOf, type Remote } from "@/data/engine/remote";
import { newestFirst, type RawRecord, textOf } from "@/data/engine/rows";
import { hiderOf } from "@/data/people/mutes";
import type { FeedQuery } from "@/data/shapes";
import { PAGE_SIZE, POST_MAX, REPLICA_FIRST_MEDIA, REPLICA_MAX_MEDIA } from "@/domain/limits";
import { kindOfFilter } from "@/domain/media-files";
import { ok, type Result } from "@/domain/result";
import { parseInstant } from "@/domain/times";
import { countEntries } from "./posts";
import type { MediaRow } from "./row";

type ListName = Pick<FeedQuery, "filter" | "userId">;

const nameOf = ({ userId, filter }: ListName): string => `${userId ?? ""} ${filter}`;

/** Other nouns keep windows of theirs beside these, under names without a space. */
const isMediaList = (name: string): boolean => name.includes(" ");

/** Undefined where nothing was pulled of the list. What is known of all kinds is known of each. */
export const windowOf = (windows: Windows, list: ListName): ListWindow | undefined =>
  windows.get(nameOf(list)) ?? windows.get(nameOf({ ...list, filter: "all" }));

/** The largest sort key that a list may show; null where there is no end to it. */
export function deepestKey(reached: ListWindow | undefined): number | null {
  if (reached === undefined || reached === "end") return null;
  return newestFirst(parseInstant(reached.createdAt));
}

/** `before`: where the rows were read on from. Evicted rows may have ended the list since. */
function setWindow(
  device: Pick<DeviceStore, "changeWindows">,
  list: ListName,
  reached: ListWindow,
  before?: Exclude<ListWindow, "end">,
): Promise<void> {
  return device.changeWindows((stored) => {
    const now = windowOf(stored, list);
    const goesOn = before === undefined || (now !== "end" && now?.id === before.id);
    return goesOn ? new Map(stored).set(nameOf(list), reached) : stored;
  });
}

/** Rows from `createdAt` (milliseconds) down are no longer all there: no list reaches deeper. */
export function limitWindows(
  device: Pick<DeviceStore, "changeWindows">,
  row: { createdAt: number; id: string },
): Promise<void> {
  const end = { createdAt: new Date(row.createdAt).toISOString().replace("T", " "), id: row.id };
  const limit = ([list, reached]: [string, ListWindow]) => {
    if (!isMediaList(list)) return [list, reached] as const;
    const deeper = reached === "end" || reached.createdAt < end.createdAt;
    return [list, deeper ? end : reached] as const;
  };
  return device.changeWindows((stored) => new Map([...stored].map(limit)));
}

export interface FeedBounds {
  /** Whose media are left out. */
  people?: string[];
  /** Whose alone are shown, … */
  only?: string[];
  /** … and these beside them. */
  tagged?: readonly string[];
  media?: string[];
  /** Words that hide what others wrote, and whose own stays. */
  words?: readonly string[];
  me?: string;
  deepest?: number | null;
}

/** Those without a muted word. */
export function seen(rows: readonly MediaRow[], { words = [], me = "" }: FeedBounds): MediaRow[] {
  const hides = hiderOf({ people: [], words: [...words] }, me);
  return rows.filter((row) => !hides(row.userId, row.caption, ...row.tags));
}

/** Ascending indexes only: a descending sort reads the whole table (platform facts). */
export function feedQuery(query: FeedQuery, bounds: FeedBounds): MangoQuery<MediaRow> {
  const { userId, filter, sort, limit } = query;
  const { people = [], only, tagged = [], media = [], deepest = null } = bounds;
  const type = kindOfFilter(filter);
  const selector = {
    ...(userId === undefined ? {} : { userId }),
    ...(type === null ? {} : { type }),
    ...(people.length === 0 ? {} : { userId: { $nin: people } }),
    ...(only === undefined ? {} : { $or: [{ userId: { $in: only } }, { id: { $in: tagged } }] }),
    ...(media.length === 0 ? {} : { id: { $nin: media } }),
    ...(deepest === null || sort === "popular" ? {} : { sortKey: { $lte: deepest } }),
  } as NonNullable<MangoQuery<MediaRow>["selector"]>;
  if (sort === "popular") {
    return {
      selector,
      sort: [{ popularKey: "asc" }, { sortKey: "asc" }, { id: "asc" }],
      index: ["popularKey", "sortKey", "id"],
      limit,
    };
  }
  const index = ["sortKey", "id"];
  if (userId !== undefined) index.unshift("userId");
  else if (type !== null) index.unshift("type");
  return { selector, sort: [{ sortKey: "asc" }, { id: "asc" }], index, limit };
}

/** All rows of these posts that a list with this filter may show. */
export function postQuery(posts: string[], filter: FeedQuery["filter"]): MangoQuery<MediaRow> {
  const type = kindOfFilter(filter);
  const selector = { post: { $in: posts }, ...(type === null ? {} : { type }) };
  return { selector, index: ["post", "id"] } as MangoQuery<MediaRow>;
}

const ofType = (filter: FeedQuery["filter"]): string => {
  const type = kindOfFilter(filter);
  return type === null ? "" : `type = '${type}'`;
};

function pullMediaList(
  remote: Remote,
  { filter, userId }: ListName,
  limit: number,
  before?: Exclude<ListWindow, "end">,
): Promise<Result<RawRecord[]>> {
  const older = "(createdAt < {:createdAt} || (createdAt = {:createdAt} && id < {:id}))";
  const conditions = [
    userId === undefined ? "" : filterOf("userId = {:userId}", { userId }),
    ofType(filter),
    before === undefined ? "" : filterOf(older, { ...before }),
  ];
  return pullRecords(remote, "media", {
    sort: "-createdAt,-id",
    perPage: limit,
    filter: conditions.filter((condition) => condition !== "").join(" && "),
  });
}

/** How far a list reaches after a page; a short page is its end. */
export function windowAfter(records: readonly RawRecord[], limit: number): ListWindow {
  const last = records.length === limit ? records.at(-1) : undefined;
  return last ? { createdAt: textOf(last, "createdAt"), id: textOf(last, "id") } : "end";
}

export async function pullFirstMedia({
  remote,
  device,
  userId,
  take,
}: FirstPull): Promise<Result<null>> {
  const lists: ListName[] = [{ filter: "all" }];
  if (userId !== null) lists.push({ filter: "all", userId });
  for (const list of lists) {
    const page = await pullMediaList(remote, list, REPLICA_FIRST_MEDIA);
    if (!page.success) return page;
    await take("media")(page.value);
    await setWindow(device, list, windowAfter(page.value, REPLICA_FIRST_MEDIA));
  }
  return ok(null);
}

/**
 * An empty device gets its first screen while the feed's head is asked for. The lists that follow
 * bring these rows again, with what changed in between.
 */
export async function pullScreen({
  remote,
  replica,
}: Pick<FirstPull, "remote" | "replica">): Promise<void> {
  if ((await replica.media.count().exec()) > 0) return;
  const first = await pullMediaList(remote, { filter: "all" }, PAGE_SIZE);
  if (first.success) await writeRecords(replica, "media", first.value);
}

/** Rows per request: more than one screen's step, so that the next one is there at once. */
const PAGE = 4 * PAGE_SIZE;

/**
 * Asks the server only when this device has fewer rows to show than `query.limit` (resolution 24).
 */
export async function pullOlderMedia(
  remote: Remote,
  { replica, device, status$ }: Scope,
  query: FeedQuery,
  bounds: FeedBounds,
): Promise<Result<{ more: boolean }>> {
  if (query.sort === "popular") return pullPopular(remote, replica, query, bounds);
  const { filter, userId } = query;
  const list = userId === undefined ? { filter } : { filter, userId };
  const windows = device.windows$.value;
  const reached = windowOf(windows, list);
  if (reached === "end") return ok({ more: false });
  const isHere = reached !== undefined && status$.value.filled;
  if (isHere && (await hasEnough(replica, query, bounds))) return ok({ more: true });
  const page = await pullMediaList(remote, list, PAGE, reached);
  if (!page.success) return page;
  await writeRecords(replica, "media", page.value);
  await setWindow(device, list, windowAfter(page.value, PAGE), reached);
  return ok({ more: page.value.length === PAGE });
}

/** All media of a post, which are ten at most. */
export async function pullPost(
  remote: Remote,
  replica: Replica,
  post: string,
): Promise<Result<null>> {
  const filter = filterOf("post = {:post}", { post });
  const pulled = await pullRecords(remote, "media", { perPage: POST_MAX, filter });
  if (!pulled.success) return pulled;
  await writeRecords(replica, "media", pulled.value);
  return ok(null);
}

/** Asks for those of the media that are not here. */
export async function bringMedia(
  remote: Remote,
  replica: Replica,
  ids: readonly string[],
): Promise<Result<null>> {
  const here = await replica.media.findByIds([...ids]).exec();
  const missing = ids.filter((id) => !here.has(id));
  const pulled = await pullIds(remote, "media", missing, async (records) => {
    await writeRecords(replica, "media", records);
  });
  return pulled.success ? ok(null) : pulled;
}

/** More than the query asks for. */
export async function hasEnough(
  replica: Replica,
  query: FeedQuery,
  bounds: FeedBounds,
): Promise<boolean> {
  const wanted: FeedQuery = { ...query, sort: "latest", limit: query.limit + 1 };
  return (await readHere(replica, wanted, bounds)).entries > query.limit;
}

/** How many rows make the entries that are asked for, and how many of these are here. */
async function readHere({ media }: Replica, query: FeedQuery, bounds: FeedBounds) {
  for (let { limit } = query; ; limit *= 2) {
    const rows = await media.find(feedQuery({ ...query, limit }, bounds)).exec();
    const entries = countEntries(seen(rows, bounds));
    if (rows.length < limit || entries >= query.limit) return { rows: rows.length, entries };
  }
}

/** Popular media may be of any age. Their counts change meanwhile, so pages may overlap. */
async function pullPopular(remote: Remote, replica: Replica, query: FeedQuery, bounds: FeedBounds) {
  const { filter, limit } = query;
  const here = await readHere(replica, query, bounds);
  // A post takes more rows than it makes entries.
  const wanted = Math.ceil((limit * here.rows) / Math.max(1, here.entries));
  const pulled = await pullRecords(remote, "media", {
    sort: "-likes,-views,-createdAt,-id",
    perPage: PAGE,
    page: Math.max(1, Math.ceil(wanted / PAGE)),
    filter: ofType(filter),
  });
  if (!pulled.success) return pulled;
  await writeRecords(replica, "media", pulled.value);
  return ok({ more: pulled.value.length === PAGE });
}

/** Rows that must go so that `most` remain; those never shown and oldest come first. */
export function mediaToEvict<Row extends Pick<MediaRow, "id" | "userId" | "createdAt">>(
  rows: readonly Row[],
  shown: ReadonlyMap<string, number>,
  { ownerId, kept }: { ownerId: string | null; kept: ReadonlySet<string> },
  most: number,
): Row[] {
  const excess = rows.length - most;
  if (excess <= 0) return [];
  const shownAt = (row: Row) => shown.get(row.id) ?? 0;
  return rows
    .filter((row) => row.userId !== ownerId && !kept.has(row.id))
    .sort((a, b) => shownAt(a) - shownAt(b) || a.createdAt - b.createdAt)
    .slice(0, excess);
}

/** How many media remain: usually, when space is short, and when the person clears the caches. */
const MOST: Record<EvictNeed, number> = {
  usual: REPLICA_MAX_MEDIA,
  room: REPLICA_FIRST_MEDIA,
  asked: PAGE_SIZE,
};

/**
 * The media longest not shown go first, the user's own and what is saved or kept offline never.
 * What others said on them goes before, because no pull tells of its changes once they are not
 * held.
 */
export async function evictMedia({ deps, replica, device, userId }: Stores, need: EvictNeed) {
  if ((await replica.media.count().exec()) <= MOST[need]) return;
  // Without a cache to ask, nothing was kept in it.
  const kept = await deps.room?.keptMedia?.().catch(() => undefined);
  const saved = (await replica.saves.find().exec()).map(({ mediaId }) => mediaId);
  const stays = { ownerId: userId, kept: new Set([...(kept ?? []), ...saved]) };
  const rows = (await replica.media.find().exec()).map(({ id, userId: ownerId, createdAt }) => ({
    id,
    userId: ownerId,
    createdAt,
  }));
  const going = mediaToEvict(rows, await device.readShown(), stays, MOST[need]);
  const [newest] = [...going].sort((a, b) => b.createdAt - a.createdAt);
  // First: a list that ends too early is pulled again, one with a hole is not.
  if (newest !== undefined) await limitWindows(device, newest);
  const ids = new Set(going.map((row) => row.id));
  const said = (await replica.comments.find().exec()).filter((row) => ids.has(row.mediaId));
  const others = said.filter((row) => row.userId !== userId);
  await replica.comments.bulkRemove(others.map((row) => row.id));
  await replica.comments.storageInstance.cleanup(0);
  await replica.media.bulkRemove([...ids]);
  await replica.media.storageInstance.cleanup(0);
}
