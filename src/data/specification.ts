/**
 * The specification's reads by name (§7), for users of `createClient` that ask once instead of
 * watching, such as an importer. Each waits until the live read has an answer. On failure a list is
 * empty and a count is 0.
 */
import type { ErrorCode } from "@/domain/error-codes";
import { PAGE_SIZE, SERVICE_PAGE_SIZE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import type { Client } from "./client";
import type { CommentView, FeedQuery, Found, Live, Loaded, MediaView, ProfileView } from "./shapes";

/** `message` is the server's own sentence, or "". */
export type Served<T> = T & { success: boolean; error: ErrorCode | null; message: string };
/** `hasMore`: as many as asked for came back (specification §9). */
export type ServedList<T> = Served<{ items: T[]; hasMore: boolean }>;
/** Null on failure and for what does not exist; `success` tells the two apart. */
export type ServedOne<T> = Served<{ value: T | null }>;
export type ServedFlag = Served<{ value: boolean }>;
export type ServedCount = Served<{ count: number }>;

export interface Specification {
  getUser(userId: string): Promise<ServedOne<ProfileView>>;
  getUserIdByUsername(username: string): Promise<ServedOne<string>>;
  /** 'Unbekannt' where the name cannot be found out. */
  getUsername(userId: string): Promise<string>;
  isUsernameTaken(username: string): Promise<ServedFlag>;
  getLatestMedia(count?: number): Promise<ServedList<MediaView>>;
  getUserMedia(userId: string, count?: number, offset?: number): Promise<ServedList<MediaView>>;
  getMedia(mediaId: string): Promise<ServedOne<MediaView>>;
  countUserMedia(userId: string): Promise<ServedCount>;
  /** Newest first. */
  listComments(mediaId: string): Promise<ServedList<CommentView>>;
  isLiked(mediaId: string): Promise<ServedFlag>;
  isFollowing(userId: string): Promise<ServedFlag>;
  isBlocked(userId: string): Promise<ServedFlag>;
  /** Messages, not conversations (resolution 37). */
  getUnreadChatCount(): Promise<ServedCount>;
}

const UNKNOWN_NAME = "Unbekannt";
/** Read beyond `count` (specification §7, "get latest media"). */
const LATEST_EXTRA = 10;
const COMMENTS_AT_ONCE = 500;

export function specificationOf(client: Client): Specification {
  const { auth, reads } = client;
  const getUser = (userId: string) => readOne(reads.watchProfile(userId));
  return {
    getUser: async (userId) => servedOne(await getUser(userId)),
    getUserIdByUsername: async (username) => servedOne(await reads.findUserId(username)),
    async getUsername(userId) {
      const user = await getUser(userId);
      return (user.success && user.value?.username) || UNKNOWN_NAME;
    },
    isUsernameTaken: async (username) => servedFlag(await auth.isUsernameTaken(username)),
    getLatestMedia: async (count = SERVICE_PAGE_SIZE) =>
      servedList(await readNewest(client, { limit: count + LATEST_EXTRA }), { count }),
    getUserMedia: async (userId, count = SERVICE_PAGE_SIZE, offset = 0) =>
      servedList(await readNewest(client, { userId, limit: offset + count }), { count, offset }),
    getMedia: async (mediaId) => servedOne(await readOne(reads.watchMedia(mediaId))),
    async countUserMedia(userId) {
      const user = await getUser(userId);
      return served(
        mapped(user, (found) => ({ count: found?.mediaCount ?? 0 })),
        { count: 0 },
      );
    },
    async listComments(mediaId) {
      const page = await readLoaded(reads.watchComments(mediaId, COMMENTS_AT_ONCE));
      return servedList(
        mapped(page, ({ items }) => items),
        { count: COMMENTS_AT_ONCE },
      );
    },
    isLiked: (mediaId) => ownFlag(client, (me) => readLiked(client, me, mediaId)),
    isFollowing: (userId) =>
      ownFlag(client, async () =>
        mapped(await readLoaded(reads.watchRelation(userId)), ({ following }) => following),
      ),
    isBlocked: (userId) =>
      ownFlag(client, async () =>
        mapped(await readLoaded(reads.watchRelation(userId)), ({ blocked }) => blocked),
      ),
    async getUnreadChatCount() {
      const chats = await asUser(client, () => readLoaded(reads.watchConversations()));
      const countOf = (list: { unread: number }[]) =>
        list.reduce((sum, { unread }) => sum + unread, 0);
      return served(
        mapped(chats, (list) => ({ count: countOf(list) })),
        { count: 0 },
      );
    },
  };
}

/** The first value that is an answer, and newer than the question. */
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

/** The newest media of all people or of one, brought step by step as if somebody scrolled. */
async function readNewest(
  { reads }: Client,
  list: Pick<FeedQuery, "limit" | "userId">,
): Promise<Result<MediaView[]>> {
  const query: FeedQuery = { filter: "all", sort: "latest", ...list };
  let pulled: Result<{ more: boolean }> = ok({ more: true });
  for (let rows = 0; rows < list.limit && pulled.success && pulled.value.more; rows += PAGE_SIZE) {
    const limit = Math.min(rows + PAGE_SIZE, list.limit);
    pulled = await reads.pullOlderMedia({ ...query, limit });
  }
  const page = mapped(await readLoaded(reads.watchFeed(query)), ({ items }) => items);
  // Nothing here while the server cannot be asked is no empty list.
  return page.success && page.value.length === 0 && !pulled.success ? pulled : page;
}

async function readLiked({ reads }: Client, me: string, mediaId: string): Promise<Result<boolean>> {
  const medium = await readOne(reads.watchMedia(mediaId));
  if (!medium.success || medium.value?.liked === true) return mapped(medium, () => true);
  // A no counts only once the person's own rows are here, and then this relation is ready too.
  return mapped(await readLoaded(reads.watchRelation(me)), () => false);
}

async function asUser<T>(
  { auth }: Client,
  read: (userId: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const session = await settled(auth.session);
  return session.state === "signed-in" ? read(session.user.id) : failed("unauthenticated");
}

const ownFlag = async (
  client: Client,
  read: (userId: string) => Promise<Result<boolean>>,
): Promise<ServedFlag> => servedFlag(await asUser(client, read));

const mapped = <T, U>(result: Result<T>, change: (value: T) => U): Result<U> =>
  result.success ? ok(change(result.value)) : result;

const served = <T extends object>(result: Result<T>, empty: T): Served<T> =>
  result.success
    ? { ...result.value, success: true, error: null, message: "" }
    : { ...empty, success: false, error: result.error, message: result.message ?? "" };

const servedOne = <T>(result: Result<T | null>): ServedOne<T> =>
  served<{ value: T | null }>(
    mapped(result, (value) => ({ value })),
    { value: null },
  );

const servedFlag = (result: Result<boolean>): ServedFlag =>
  served(
    mapped(result, (value) => ({ value })),
    { value: false },
  );

function servedList<T>(
  result: Result<T[]>,
  { count, offset = 0 }: { count: number; offset?: number },
): ServedList<T> {
  const page = mapped(result, (all) => ({
    items: all.slice(offset, offset + count),
    hasMore: all.length - offset >= count,
  }));
  return served(page, { items: [], hasMore: false });
}

export type QueryKey = readonly [path: string, ...rest: unknown[]];

export interface DataLoaderDeps {
  fetch: typeof globalThis.fetch;
  address: (path: string) => string;
  token: () => string;
}

export interface LoadOptions {
  /** What a 401 becomes: an error like any other, or null. */
  on401: "throw" | "null";
}

/**
 * The default data loader: GET of the path that a query's key begins with, as JSON. Throws an `Error`
 * whose text is `{status}: {body}`, or the status text where the body is empty.
 */
export async function loadData(
  deps: DataLoaderDeps,
  [path]: QueryKey,
  { on401 }: LoadOptions,
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
