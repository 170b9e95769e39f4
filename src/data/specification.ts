/**
 * The specification's reads by name (§7), for scripts that ask once instead of watching, and its
 * data loader. A read waits for an answer; on failure a list is empty and a count is 0.
 */
import type { ErrorCode } from "@/domain/error-codes";
import { PAGE_SIZE, SERVICE_PAGE_SIZE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import type { Client } from "./client";
import { mediaIn } from "./media/posts";
import type { FeedQuery, Found, Live, Loaded } from "./shapes";

/** `message` is the server's own sentence, or "". */
export type Served<T> = T & { success: boolean; error: ErrorCode | null; message: string };

const UNKNOWN_NAME = "Unbekannt";
/** Read beyond what was asked for (specification §7, "get latest media"). */
const LATEST_EXTRA = 10;
const COMMENTS_AT_ONCE = 500;

/** `value` is null on failure and where nothing exists; `success` tells the two apart. */
export function specificationOf(client: Client) {
  const { auth, reads } = client;
  const user = (id: string) => readOne(reads.watchProfile(id));
  const relation = (id: string, name: "following" | "blocked") =>
    asUser(client, () => mapped(readLoaded(reads.watchRelation(id)), (now) => now[name]));
  return {
    getUser: (id: string) => one(user(id)),
    getUserIdByUsername: (username: string) => one(reads.findUserId(username)),
    getUsername: async (id: string) => (await one(user(id))).value?.username || UNKNOWN_NAME,
    isUsernameTaken: (username: string) => flag(auth.isUsernameTaken(username)),
    getLatestMedia: (count = SERVICE_PAGE_SIZE) =>
      list(readNewest(client, { limit: count + LATEST_EXTRA }), count),
    getUserMedia: (userId: string, count = SERVICE_PAGE_SIZE, offset = 0) =>
      list(readNewest(client, { userId, limit: offset + count }), count, offset),
    getMedia: (id: string) => one(readOne(reads.watchMedia(id))),
    countUserMedia: (id: string) => total(mapped(user(id), (found) => found?.mediaCount ?? 0)),
    listComments(mediaId: string) {
      const page = readLoaded(reads.watchComments(mediaId, COMMENTS_AT_ONCE));
      return list(
        mapped(page, ({ items }) => items),
        COMMENTS_AT_ONCE,
      );
    },
    isLiked: (mediaId: string) => flag(asUser(client, (me) => readLiked(client, me, mediaId))),
    isFollowing: (id: string) => flag(relation(id, "following")),
    isBlocked: (id: string) => flag(relation(id, "blocked")),
    /** Messages, not conversations (resolution 37). */
    getUnreadChatCount() {
      const chats = asUser(client, () => readLoaded(reads.watchConversations()));
      return total(mapped(chats, (all) => all.reduce((sum, { unread }) => sum + unread, 0)));
    },
  };
}

export type Specification = ReturnType<typeof specificationOf>;

/** The first value that is an answer, and not one of an earlier watch. */
function settled<T extends { state: string }>(
  live: Live<T>,
): Promise<Exclude<T, { state: "loading" }>> {
  return new Promise((resolve) => {
    let stop = () => {};
    const look = () => {
      const value = live.getSnapshot();
      if (value.state === "loading" || live.isStale?.() === true) return;
      resolve(value as Exclude<T, { state: "loading" }>);
      // `subscribe` may call back before it has returned.
      queueMicrotask(() => stop());
    };
    stop = live.subscribe(look);
    look();
  });
}

async function readLoaded<T>(live: Live<Loaded<T>>): Promise<Result<T>> {
  const answer = await settled(live);
  return answer.state === "ready" ? ok(answer.value) : failed(answer.code);
}

/** Null for what the server says is not there. */
async function readOne<T>(live: Live<Found<T>>): Promise<Result<T | null>> {
  const answer = await settled(live);
  if (answer.state === "unreachable") return failed(answer.code);
  return ok(answer.state === "found" ? answer.value : null);
}

/** The newest media of everybody or of one person, brought step by step as if somebody scrolled. */
async function readNewest({ reads }: Client, wanted: Pick<FeedQuery, "limit" | "userId">) {
  const query: FeedQuery = { filter: "all", sort: "latest", ...wanted };
  let pulled: Result<{ more: boolean }> = ok({ more: true });
  for (let rows = 0; rows < query.limit && pulled.success && pulled.value.more; rows += PAGE_SIZE) {
    const limit = Math.min(rows + PAGE_SIZE, query.limit);
    pulled = await reads.pullOlderMedia({ ...query, limit });
  }
  const page = await mapped(readLoaded(reads.watchFeed(query)), ({ items }) =>
    // The specification knows no posts: each medium stands for itself.
    mediaIn(items).slice(0, query.limit),
  );
  // Nothing here while the server cannot be asked is no empty list.
  return page.success && page.value.length === 0 && !pulled.success ? pulled : page;
}

async function readLiked({ reads }: Client, me: string, mediaId: string): Promise<Result<boolean>> {
  const liked = await mapped(
    readOne(reads.watchMedia(mediaId)),
    (medium) => medium?.liked ?? false,
  );
  // A no counts only once the person's own rows are here, and then this relation is ready too.
  return liked.success && !liked.value
    ? mapped(readLoaded(reads.watchRelation(me)), () => false)
    : liked;
}

async function asUser<T>(
  { auth }: Client,
  read: (userId: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const session = await settled(auth.session);
  return session.state === "signed-in" ? read(session.user.id) : failed("unauthenticated");
}

type Asked<T> = Promise<Result<T>>;

async function mapped<T, U>(asked: Asked<T>, change: (value: T) => U): Promise<Result<U>> {
  const result = await asked;
  return result.success ? ok(change(result.value)) : result;
}

async function served<T extends object>(asked: Asked<T>, empty: T): Promise<Served<T>> {
  const result = await asked;
  if (result.success) return { ...result.value, success: true, error: null, message: "" };
  return { ...empty, success: false, error: result.error, message: result.message ?? "" };
}

const one = <T>(asked: Asked<T | null>) =>
  served<{ value: T | null }>(
    mapped(asked, (value) => ({ value })),
    { value: null },
  );
const flag = (asked: Asked<boolean>) =>
  served(
    mapped(asked, (value) => ({ value })),
    { value: false },
  );
const total = (asked: Asked<number>) =>
  served(
    mapped(asked, (count) => ({ count })),
    { count: 0 },
  );
const list = <T>(asked: Asked<T[]>, count: number, offset = 0) =>
  served<{ items: T[]; hasMore: boolean }>(
    mapped(asked, (all) => ({
      items: all.slice(offset, offset + count),
      hasMore: all.length - offset >= count,
    })),
    { items: [], hasMore: false },
  );

export type QueryKey = readonly [path: string, ...rest: unknown[]];

export interface DataLoaderDeps {
  fetch: typeof globalThis.fetch;
  address: (path: string) => string;
  token: () => string;
}

/**
 * The default data loader: GET of the key's path, as JSON. Throws an `Error` that says `{status}:
 * {body}`, or the status text where the body is empty.
 */
export async function loadData(
  deps: DataLoaderDeps,
  [path]: QueryKey,
  { on401 }: { on401: "throw" | "null" },
): Promise<unknown> {
  const token = deps.token();
  const headers: Record<string, string> = token === "" ? {} : { Authorization: token };
  const response = await deps.fetch(deps.address(path), { credentials: "include", headers });
  if (response.status === 401 && on401 === "null") return null;
  if (!response.ok) {
    const body = await response.text();
    throw new Error(`${response.status}: ${body || response.statusText}`);
  }
  return (await response.json()) as unknown;
}
