/** Lists that are pulled page by page with a keyset, beside the feed: the newest media, and rows of one's own. */
import type { FeedQuery } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { REPLICA_FIRST_MEDIA } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isRecord, toFailure } from "./answers";
import { type Changes, writeRecords } from "./apply";
import type { ListWindow } from "./device-store";
import type { Remote } from "./remote";
import { type RawRecord, textOf } from "./rows";
import { CACHE_NAMES, type CacheName, type Replica } from "./store";

const PRIVATE_PAGE = 500;
/** PocketBase takes 3,500 signs and 200 comparisons in a filter. */
const IDS_AT_ONCE = 100;

type Before = Exclude<ListWindow, "end">;

export interface MediaListQuery {
  filter: FeedQuery["filter"];
  userId?: string;
  before?: Before;
  limit: number;
}

/** Media, newest first, older than `before`. */
export async function pullMediaList(
  remote: Remote,
  query: MediaListQuery,
): Promise<Result<RawRecord[]>> {
  const conditions: string[] = [];
  if (query.userId !== undefined)
    conditions.push(remote.filter("userId = {:id}", { id: query.userId }));
  if (query.filter !== "all") {
    conditions.push(`type = '${query.filter === "photos" ? "photo" : "video"}'`);
  }
  if (query.before !== undefined) {
    conditions.push(
      remote.filter("(createdAt < {:createdAt} || (createdAt = {:createdAt} && id < {:id}))", {
        ...query.before,
      }),
    );
  }
  return pullRecords(remote, "media", {
    sort: "-createdAt,-id",
    perPage: query.limit,
    filter: conditions.join(" && "),
  });
}

/** The page of most liked media, then most viewed, then newest. Numbers change meanwhile: pages may overlap. */
export function pullPopularMedia(
  remote: Remote,
  { filter, page, limit }: { filter: FeedQuery["filter"]; page: number; limit: number },
): Promise<Result<RawRecord[]>> {
  return pullRecords(remote, "media", {
    sort: "-likes,-views,-createdAt,-id",
    perPage: limit,
    page,
    filter: filter === "all" ? "" : `type = '${filter === "photos" ? "photo" : "video"}'`,
  });
}

/** Hands over the newest media, as many as the replica's first fill takes; answers how far down they reach. */
export async function pullNewestMedia(
  remote: Remote,
  query: Pick<MediaListQuery, "filter" | "userId">,
  onPage: (records: RawRecord[]) => Promise<void>,
): Promise<Result<ListWindow>> {
  const page = await pullMediaList(remote, { ...query, limit: REPLICA_FIRST_MEDIA });
  if (!page.success) return page;
  await onPage(page.value);
  return ok(listWindow(page.value.length === REPLICA_FIRST_MEDIA, page.value));
}

/** How far a list reaches after a page. */
export function listWindow(more: boolean, records: readonly RawRecord[]): ListWindow {
  return (more ? lastOf(records) : undefined) ?? "end";
}

function lastOf(records: readonly RawRecord[]): Before | undefined {
  const last = records.at(-1);
  return last && { createdAt: textOf(last, "createdAt"), id: textOf(last, "id") };
}

/** Every row of `collection` that `filter` and the caller's rights let through, in pages by id. */
export async function pullAll(
  remote: Remote,
  collection: string,
  onPage: (records: RawRecord[]) => Promise<void>,
): Promise<Result<null>> {
  let after = "";
  for (;;) {
    const page = await pullRecords(remote, collection, {
      sort: "id",
      perPage: PRIVATE_PAGE,
      filter: after === "" ? "" : remote.filter("id > {:after}", { after }),
    });
    if (!page.success) return page;
    await onPage(page.value);
    if (page.value.length < PRIVATE_PAGE) return ok(null);
    after = textOf(page.value.at(-1) ?? {}, "id");
  }
}

/** Those of the rows `ids` that the server has and shows. */
export async function pullIds(
  remote: Remote,
  collection: string,
  ids: readonly string[],
  onPage: (records: RawRecord[]) => Promise<void>,
): Promise<Result<null>> {
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    const filter = some.map((id) => remote.filter("id = {:id}", { id })).join(" || ");
    const page = await pullRecords(remote, collection, { perPage: IDS_AT_ONCE, filter });
    if (!page.success) return page;
    await onPage(page.value);
  }
  return ok(null);
}

export async function pullRecords(
  remote: Remote,
  collection: string,
  query: { sort?: string; perPage?: number; page?: number; filter?: string },
): Promise<Result<RawRecord[]>> {
  const { filter, ...rest } = query;
  const answer = await remote.request(`/api/collections/${collection}/records`, {
    query: { ...rest, filter: filter === "" ? undefined : filter, skipTotal: 1 },
  });
  if (answer.kind !== "accepted") return toFailure(answer);
  const records = parseList(answer.body);
  return records === null ? failed("network") : ok(records);
}

/** The feed's pages, checked where they come in: what is not of this shape is not our server's answer. */

export interface FeedPosition {
  epoch: string;
  checkpoint: number;
}

export interface FeedChanges extends FeedPosition {
  more: boolean;
  /** The server cannot continue from where the caller was. */
  reset: boolean;
  /** Whether the caller is an admin now; null for guests. */
  isAdmin: boolean | null;
  changes: Changes;
}

export function parsePosition(body: unknown): FeedPosition | null {
  if (!isRecord(body)) return null;
  const { epoch, checkpoint } = body;
  if (typeof epoch !== "string" || epoch === "" || typeof checkpoint !== "number") return null;
  return { epoch, checkpoint };
}

export function parsePage(body: unknown): FeedChanges | null {
  const position = parsePosition(body);
  if (position === null || !isRecord(body) || !isRecord(body["changes"])) return null;
  const changes: Changes = {};
  for (const name of CACHE_NAMES) {
    const change = body["changes"][name];
    if (!isRecord(change)) continue;
    changes[name] = {
      documents: recordsOf(change["documents"]),
      deleted: listOf(change["deleted"]).filter((id) => typeof id === "string"),
    };
  }
  const { isAdmin } = body;
  return {
    ...position,
    more: body["more"] === true,
    reset: body["reset"] === true,
    isAdmin: typeof isAdmin === "boolean" ? isAdmin : null,
    changes,
  };
}

/** The items of PocketBase's record list, or null when it is none. */
export function parseList(body: unknown): RawRecord[] | null {
  return isRecord(body) && Array.isArray(body["items"]) ? recordsOf(body["items"]) : null;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const recordsOf = (value: unknown): RawRecord[] => listOf(value).filter(isRecord);

/** Brings one record that the replica lacks. */

export type PulledOne =
  | { state: "pulled" }
  | { state: "gone" }
  | { state: "failed"; code: ErrorCode };

export async function pullOne(
  remote: Remote,
  replica: Replica,
  collection: CacheName,
  id: string,
): Promise<PulledOne> {
  const answer = await remote.request(
    `/api/collections/${collection}/records/${encodeURIComponent(id)}`,
  );
  if (answer.kind === "refusal" && answer.status === 404) return { state: "gone" };
  if (answer.kind !== "accepted") return { state: "failed", code: toFailure(answer).error };
  if (!isRecord(answer.body) || answer.body["id"] !== id) {
    return { state: "failed", code: "network" };
  }
  await writeRecords(replica, collection, [answer.body]);
  return { state: "pulled" };
}
