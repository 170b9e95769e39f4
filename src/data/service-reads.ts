/**
 * The specification's reads by name (§7): each asks the server, keeps what it says in the replica and answers
 * from there; without an answer, from what is already there.
 */
import { firstValueFrom } from "rxjs";
import { LIFETIMES_MS, SERVICE_PAGE_SIZE } from "@/domain/limits";
import { type Failure, failed, ok, type Result } from "@/domain/result";
import type { Freshness } from "@/lib/freshness";
import { commentView } from "./comments";
import { writeRecords } from "./engine/apply";
import { pullMediaList, pullOne, pullRecords } from "./engine/lists";
import { textOf } from "./engine/rows";
import type { Scope, Shared } from "./engine/scope";
import type { MediaRow } from "./media/row";
import { blockedIds$, feedQuery, foldContext$, foldMedia } from "./media/views";
import { profileView } from "./people/views";
import type { ClientService, Served, ServedFlag, ServedList, ServedOne } from "./service-api";
import type { CommentView, MediaView, ProfileView } from "./shapes";

/** Read beyond what was asked for (specification §7, "Latest media fetch"). */
const LATEST_EXTRA = 10;
const COMMENTS_AT_ONCE = 500;

export interface ServiceDeps {
  shared: Shared;
  scope: () => Promise<Scope>;
  address: (path: string) => string;
  /** When the server was last asked for what. */
  asked: Freshness;
}

type Reads = Pick<
  ClientService,
  | "getUser"
  | "getUserIdByUsername"
  | "isUsernameTaken"
  | "getLatestMedia"
  | "getUserMedia"
  | "getMedia"
  | "countUserMedia"
  | "listComments"
  | "isLiked"
  | "isFollowing"
  | "isBlocked"
  | "getUnreadChatCount"
>;

export function createServiceReads(deps: ServiceDeps): Reads {
  const { shared } = deps;
  return {
    getUser: async (userId) => servedOne(await getUser(deps, userId)),
    getUserIdByUsername: async (name) => servedOne(await getUserId(deps, name)),
    isUsernameTaken: async (name) => servedFlag(await shared.auth.isUsernameTaken(name)),
    getLatestMedia: async (count = SERVICE_PAGE_SIZE) =>
      servedList(await listMedia(deps, { limit: count + LATEST_EXTRA }), count),
    async getUserMedia(userId, count = SERVICE_PAGE_SIZE, offset = 0) {
      const listed = await listMedia(deps, { userId, limit: offset + count });
      return servedList(listed.success ? ok(listed.value.slice(offset)) : listed, count);
    },
    getMedia: async (mediaId) => servedOne(await getMedia(deps, mediaId)),
    async countUserMedia(userId) {
      const user = await getUser(deps, userId);
      return { ...served(user), count: user.success ? (user.value?.mediaCount ?? 0) : 0 };
    },
    listComments: async (mediaId) =>
      servedList(await listComments(deps, mediaId), COMMENTS_AT_ONCE),
    isLiked: (mediaId) => ownFlag(deps, (marks) => marks.liked.has(mediaId)),
    isFollowing: (userId) => ownFlag(deps, (marks) => marks.following.has(userId)),
    isBlocked: (userId) => ownFlag(deps, (marks) => marks.blocked.has(userId)),
    getUnreadChatCount: () => getUnreadChatCount(deps),
  };
}

/** What one person asked for says nothing about another's. */
const freshKey = ({ userId }: Scope, kind: string, id: string): string =>
  `${userId ?? ""} ${kind} ${id}`;

/** Brings one row; `not_found` is the server's word that there is none. */
async function askOne(
  shared: Shared,
  open: Scope,
  name: "media" | "profiles",
  id: string,
): Promise<Result<null>> {
  const asked = await pullOne(shared.remote, open.replica, name, id);
  if (asked.state === "pulled") return ok(null);
  return failed(asked.state === "gone" ? "not_found" : asked.code);
}

const isGone = (asked: { success: true } | Failure): boolean =>
  !asked.success && asked.error === "not_found";

/** Null when there is no such person. */
async function getUser(
  { shared, scope, address, asked: freshness }: ServiceDeps,
  userId: string,
): Promise<Result<ProfileView | null>> {
  const open = await scope();
  const asked = await freshness.ask(freshKey(open, "user", userId), LIFETIMES_MS.user, () =>
    askOne(shared, open, "profiles", userId),
  );
  if (isGone(asked)) return ok(null);
  const doc = await open.replica.profiles.findOne(userId).exec();
  if (doc !== null) return ok(profileView(doc.toJSON(), address));
  return asked.success ? ok(null) : asked;
}

async function getUserId(
  { shared, scope }: ServiceDeps,
  name: string,
): Promise<Result<string | null>> {
  const { replica } = await scope();
  const nameKey = name.trim().toLowerCase();
  const filter = shared.remote.filter("username:lower = {:nameKey}", { nameKey });
  const asked = await pullRecords(shared.remote, "profiles", { filter, perPage: 1 });
  if (asked.success) {
    await writeRecords(replica, "profiles", asked.value);
    const [first] = asked.value;
    return ok(first === undefined ? null : textOf(first, "id"));
  }
  const doc = await replica.profiles.findOne({ selector: { nameKey } }).exec();
  return doc === null ? asked : ok(doc.id);
}

async function listMedia(
  { shared, scope, address, asked: freshness }: ServiceDeps,
  query: { limit: number; userId?: string },
): Promise<Result<MediaView[]>> {
  const open = await scope();
  const { replica } = open;
  const key = freshKey(open, "media", `${query.userId ?? ""} ${query.limit}`);
  const asked = await freshness.ask(key, LIFETIMES_MS.mediaList, async () => {
    const listed = await pullMediaList(shared.remote, { ...query, filter: "all" });
    if (listed.success) await writeRecords(replica, "media", listed.value);
    return listed;
  });
  const context = await firstValueFrom(foldContext$(open, address));
  const hidden = query.userId === undefined ? await firstValueFrom(blockedIds$(open)) : [];
  const local = feedQuery({ ...query, filter: "all", sort: "latest" }, { people: hidden });
  const docs = await replica.media.find(local).exec();
  if (!asked.success && docs.length === 0) return asked;
  return ok(docs.map((doc) => foldMedia(doc.toJSON() as MediaRow, context)));
}

async function getMedia(
  { shared, scope, address, asked: freshness }: ServiceDeps,
  mediaId: string,
): Promise<Result<MediaView | null>> {
  const open = await scope();
  const asked = await freshness.ask(freshKey(open, "medium", mediaId), LIFETIMES_MS.medium, () =>
    askOne(shared, open, "media", mediaId),
  );
  if (isGone(asked)) return ok(null);
  const doc = await open.replica.media.findOne(mediaId).exec();
  if (doc === null) return asked.success ? ok(null) : asked;
  const context = await firstValueFrom(foldContext$(open, address));
  return ok(foldMedia(doc.toJSON() as MediaRow, context));
}

async function listComments(
  { shared, scope, asked: freshness }: ServiceDeps,
  mediaId: string,
): Promise<Result<CommentView[]>> {
  const open = await scope();
  const { replica } = open;
  const key = freshKey(open, "comments", mediaId);
  const asked = await freshness.ask(key, LIFETIMES_MS.comments, async () => {
    const listed = await pullRecords(shared.remote, "comments", {
      filter: shared.remote.filter("mediaId = {:mediaId}", { mediaId }),
      sort: "-createdAt",
      perPage: COMMENTS_AT_ONCE,
    });
    if (listed.success) await writeRecords(replica, "comments", listed.value);
    return listed;
  });
  const docs = await replica.comments
    .find({ selector: { mediaId }, sort: [{ sortKey: "asc" }], index: ["mediaId", "sortKey"] })
    .exec();
  if (!asked.success && docs.length === 0) return asked;
  return ok(docs.map((doc) => commentView(doc.toJSON())));
}

interface OwnMarks {
  liked: Set<string>;
  following: Set<string>;
  blocked: Set<string>;
}

/** Of one's own rows the device has all, once it was filled: no need to ask. */
async function ownFlag(deps: ServiceDeps, look: (marks: OwnMarks) => boolean) {
  const open = await deps.scope();
  if (open.userId === null) return servedFlag(failed("unauthenticated"));
  if (!open.status$.value.filled) {
    const pulled = await open.loop.pull();
    if (!pulled.success) return servedFlag(pulled);
  }
  return servedFlag(ok(look(await readMarks(open))));
}

async function readMarks(open: Scope): Promise<OwnMarks> {
  const { replica, userId } = open;
  const [likes, follows, blocked, overlay] = await Promise.all([
    replica.likes.find().exec(),
    replica.follows.find({ selector: { followerId: userId ?? "" } }).exec(),
    firstValueFrom(blockedIds$(open)),
    firstValueFrom(open.overlay$),
  ]);
  return {
    liked: withOverlay(
      likes.map((doc) => doc.mediaId),
      overlay.likes,
    ),
    following: withOverlay(
      follows.map((doc) => doc.followingId),
      overlay.follows,
    ),
    blocked: new Set(blocked),
  };
}

function withOverlay(ids: string[], overlay: ReadonlyMap<string, boolean>): Set<string> {
  const all = new Set(ids);
  for (const [id, on] of overlay) on ? all.add(id) : all.delete(id);
  return all;
}

async function getUnreadChatCount({ scope }: ServiceDeps) {
  const { replica, userId, status$ } = await scope();
  if (userId === null) return { ...served(failed("unauthenticated")), count: 0 };
  const docs = await replica.conversations.find().exec();
  if (docs.length === 0 && !status$.value.filled) {
    return { ...served(failed(status$.value.failure ?? "network")), count: 0 };
  }
  const count = docs.reduce(
    (sum, doc) => sum + (doc.userA === userId ? doc.unreadA : doc.unreadB),
    0,
  );
  return { ...served(ok(null)), count };
}

/** The answers of the specification's operations (§7), made from results. */

export function served(result: Result<unknown>): Served {
  return result.success
    ? { success: true, error: null, message: "" }
    : { success: false, error: result.error, message: result.message ?? "" };
}

export const servedOne = <T>(result: Result<T | null>): ServedOne<T> => ({
  ...served(result),
  value: result.success ? result.value : null,
});

export const servedFlag = (result: Result<boolean>): ServedFlag => ({
  ...served(result),
  value: result.success && result.value,
});

/** `count` is what was asked for. */
export const servedList = <T>(result: Result<T[]>, count: number): ServedList<T> => ({
  ...served(result),
  items: result.success ? result.value.slice(0, count) : [],
  hasMore: result.success && result.value.length >= count,
});
