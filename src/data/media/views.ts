/** Media as screens show them: the replica's rows with the overlay on top (law 1). */
import {
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
  tap,
} from "rxjs";
import type { Scope, Shared } from "@/data/engine/context";
import type { ListWindow } from "@/data/engine/device-store";
import { pullOne } from "@/data/engine/lists";
import { loadedOf, rowOf, rowsOf, sameList, type Views, watchOne } from "@/data/engine/live";
import type { Overlay, Waiting } from "@/data/engine/noun";
import { type Followed, followed$, isTag } from "@/data/people/follows";
import { mutes$, NOTHING_MUTED } from "@/data/people/mutes";
import { blockedIds$ } from "@/data/people/views";
import type { FeedPage, FeedQuery, Found, Loaded, MediaView } from "@/data/shapes";
import { POST_MAX } from "@/domain/limits";
import { kindOfFilter } from "@/domain/media-files";
import { failed, ok } from "@/domain/result";
import { FOLLOWED_AHEAD, followedWindow, tagged$ } from "./followed";
import type { MediaToCreate, MediaToUpdate } from "./intents";
import { byPlace, countEntries, groupPosts } from "./posts";
import type { LikeRow, MediaRow } from "./row";
import {
  deepestKey,
  type FeedBounds,
  feedQuery,
  postQuery,
  pullOlderMedia,
  pullPost,
  seen,
  windowOf,
} from "./windows";

export interface FoldContext {
  overlay: Overlay;
  /** Media that the server says the person likes. */
  likes: ReadonlySet<string>;
  address: (path: string) => string;
  /** Address of a queued blob by its key; "" where there is none to show. */
  blobUrl: (key: string) => string;
}

export function servedMedia(row: MediaRow, address: FoldContext["address"]): MediaView {
  const url = address(row.url);
  const still = row.type === "photo" ? url : "";
  const { sortKey, popularKey, seq, ...shown } = row;
  return {
    ...shown,
    url,
    thumbnailUrl: address(row.thumbnailUrl) || still,
    previewUrl: address(row.previewUrl) || still,
    subtitlesUrl: address(row.subtitlesUrl),
    hasSubtitles: row.subtitlesUrl !== "",
    liked: false,
    pending: null,
  };
}

/** One medium of the replica with what is queued about it. */
export function foldMedia(row: MediaRow, context: FoldContext): MediaView {
  const { overlay, address } = context;
  const update = overlay.updated.get(row.id);
  const serverLikes = context.likes.has(row.id);
  const liked = overlay.likes.get(row.id) ?? serverLikes;
  return {
    ...changed(servedMedia(row, address), update),
    liked,
    likes: Math.max(0, row.likes + Number(liked) - Number(serverLikes)),
    comments: Math.max(0, row.comments + extraComments(overlay, row.id)),
    pending: update?.mark ?? null,
  };
}

/** With what was changed here; new subtitles are shown once they are sent. */
function changed<Shown extends Pick<MediaView, "subtitlesUrl" | "hasSubtitles">>(
  shown: Shown,
  update: Waiting<MediaToUpdate> | undefined,
): Shown {
  const { subtitles, ...texts } = update?.body.changes ?? {};
  if (subtitles === undefined) return { ...shown, ...texts };
  return { ...shown, ...texts, subtitlesUrl: "", hasSubtitles: subtitles !== "" };
}

function extraComments(overlay: Overlay, mediaId: string): number {
  const queued = overlay.comments.get(mediaId) ?? [];
  const shown = queued.filter(({ mark }) => mark.state !== "refused").length;
  return shown - (overlay.fewerComments.get(mediaId) ?? 0);
}

/** What a medium has when it is shared. */
const NEW = { subtitlesUrl: "", hasSubtitles: false, commentsClosed: false };

export function foldCreated(created: Waiting<MediaToCreate>, context: FoldContext): MediaView {
  const { body, mark, createdAt } = created;
  const { mediaId, files, ...shown } = body;
  const { overlay, blobUrl } = context;
  const url = blobUrl(files.file);
  const still = body.type === "photo" ? url : "";
  const liked = overlay.likes.get(mediaId) ?? false;
  return {
    ...changed({ ...shown, ...NEW }, overlay.updated.get(mediaId)),
    id: mediaId,
    post: body.post ?? "",
    postIndex: body.postIndex ?? 0,
    url,
    thumbnailUrl: blobUrl(files.thumbnail) || still,
    previewUrl: blobUrl(files.preview) || still,
    likes: Number(liked),
    comments: Math.max(0, extraComments(overlay, mediaId)),
    views: 0,
    liked,
    createdAt,
    updatedAt: createdAt,
    pending: mark,
  };
}

/** A page of the feed with queued uploads placed by their time, until their rows come back. */
export function foldFeed(
  rows: readonly MediaRow[],
  query: FeedQuery,
  context: FoldContext,
): Omit<FeedPage, "older"> {
  const known = new Set(rows.map((row) => row.id));
  const { overlay } = context;
  const queued = [...overlay.created.values()]
    .filter(({ body }) => !known.has(body.mediaId) && !overlay.deletedMedia.has(body.mediaId))
    .filter(({ body }) => matches(body, query))
    .map((created) => foldCreated(created, context))
    .sort((a, b) => b.createdAt - a.createdAt);
  const shown = rows
    .filter((row) => !overlay.deletedMedia.has(row.id))
    .map((row) => foldMedia(row, context));
  const all = [...queued, ...shown];
  if (query.sort !== "popular") all.sort((a, b) => b.createdAt - a.createdAt);
  const items = groupPosts(all);
  return { items: items.slice(0, query.limit), hasMore: items.length >= query.limit };
}

function matches(body: MediaToCreate, query: FeedQuery): boolean {
  if (query.userId !== undefined && body.userId !== query.userId) return false;
  // Nobody follows themselves.
  if (query.sort === "following") return false;
  return body.type === (kindOfFilter(query.filter) ?? body.type);
}

export function foldContext$(
  scope: Scope,
  address: (path: string) => string,
): Observable<FoldContext> {
  return combineLatest([scope.overlay$, likedIds$(scope), scope.blobUrls.urls$]).pipe(
    map(([overlay, likes, urls]) => ({
      overlay,
      likes,
      address,
      blobUrl: (key: string) => urls.get(key) ?? "",
    })),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
}

function likedIds$({ replica, userId }: Scope): Observable<ReadonlySet<string>> {
  if (userId === null) return of(new Set<string>());
  return rowsOf<LikeRow>(replica.likes.find()).pipe(
    map((rows) => new Set(rows.map((row) => row.mediaId))),
  );
}

export function createMediaReads({ shared, scope, address, loaded, found }: Views) {
  return {
    watchFeed: (query: FeedQuery) => {
      const { filter, sort, limit, userId = "" } = query;
      return loaded({ key: `feed ${filter} ${sort} ${userId}`, limit }, (open) =>
        watchFeed(open, query, address),
      );
    },
    watchMedia: (id: string) =>
      found(`media ${id}`, (open) => {
        const ask = () => pullOne(shared.remote, open.replica, { name: "media", id });
        return watchDeleted(open, id).pipe(
          switchMap((deleted) =>
            deleted
              ? of<Found<MediaView>>({ state: "gone" })
              : watchOne(shared, open, watchMedium(open, id, address), ask),
          ),
        );
      }),
    /** All media of a post that are on this device, in its order. */
    watchPost: (post: string) => loaded(`post ${post}`, (open) => watchPost(open, post, address)),
    pullPost: async (post: string) => pullPost(shared.remote, (await scope()).replica, post),
    pullOlderMedia: async (query: FeedQuery) => pullOlder(shared, await scope(), query),
    /** What somebody posts who has just been followed, there without a network as well. */
    pullNewlyFollowed: async (userId: string) => pullNewlyFollowed(shared, await scope(), userId),
  };
}

async function pullOlder({ remote }: Shared, scope: Scope, query: FeedQuery) {
  const bounds = await firstValueFrom(bounds$(scope, query));
  const { followed } = bounds;
  if (followed === undefined) return pullOlderMedia(remote, scope, query, bounds);
  const stores = { ...scope, filled: scope.status$.value.filled };
  // Of use with a network alone, as what loads it.
  const pulling = await import("./pull-followed").catch(() => null);
  if (pulling === null) return failed("network");
  return pulling.pullFollowed(remote, stores, query, { ...bounds, followed });
}

async function pullNewlyFollowed(shared: Shared, scope: Scope, userId: string) {
  const theirs = isTag(userId)
    ? ok(null)
    : await pullOlder(shared, scope, { ...FOLLOWED_AHEAD, sort: "latest", userId });
  // The list is named after the newest follow that the server knows.
  const isSent$ = scope.overlay$.pipe(filter(({ follows }) => !follows.has(userId)));
  await firstValueFrom(isSent$, { defaultValue: null });
  return theirs.success ? pullOlder(shared, scope, FOLLOWED_AHEAD) : theirs;
}

const watchDeleted = ({ overlay$ }: Scope, id: string): Observable<boolean> =>
  overlay$.pipe(
    map(({ deletedMedia }) => deletedMedia.has(id)),
    distinctUntilChanged(),
  );

/** Null while neither the replica nor the queue has it. */
function watchMedium(scope: Scope, id: string, address: (path: string) => string) {
  const row$ = rowOf<MediaRow>(scope.replica.media.findOne(id));
  return combineLatest([row$, foldContext$(scope, address)]).pipe(
    map(([row, context]) => {
      if (row !== null) return foldMedia(row, context);
      const created = context.overlay.created.get(id);
      return created === undefined ? null : foldCreated(created, context);
    }),
  );
}

function watchFeed(scope: Scope, query: FeedQuery, address: (path: string) => string) {
  const all$ = bounds$(scope, query);
  const rows$ = all$.pipe(
    switchMap((bounds) => feedRows(scope.replica, query, bounds)),
    tap((rows) => scope.shown(rows.map((row) => row.id))),
  );
  const isWhole$ = all$.pipe(
    map(({ reached }) => query.sort === "popular" || reached === "end"),
    distinctUntilChanged(),
  );
  return combineLatest([rows$, foldContext$(scope, address), scope.status$, isWhole$]).pipe(
    map(([rows, context, status, isWhole]) => {
      const page = { ...foldFeed(rows, query, context), older: status.filled && !isWhole };
      return loadedOf(page, page.items.length > 0, status);
    }),
  );
}

/** As many rows as make the entries that are asked for, with all that belong to their posts. */
function feedRows(
  { media }: Scope["replica"],
  query: FeedQuery,
  bounds: FeedBounds,
): Observable<MediaRow[]> {
  const read = (limit: number): Observable<MediaRow[]> =>
    rowsOf<MediaRow>(media.find(feedQuery({ ...query, limit }, bounds))).pipe(
      switchMap((found) => {
        const rows = seen(found, bounds);
        const isShort = found.length === limit && countEntries(rows) < query.limit;
        return isShort ? read(2 * limit) : whole(rows);
      }),
    );
  // The last rows may be of posts whose others come further down.
  const whole = (rows: MediaRow[]): Observable<MediaRow[]> => {
    const posts = [...new Set(rows.map(({ post }) => post))].filter((post) => post !== "");
    if (posts.length === 0) return of(rows);
    const known = new Set(rows.map(({ id }) => id));
    return rowsOf<MediaRow>(media.find(postQuery(posts, query.filter))).pipe(
      map((all) => [...rows, ...seen(all, bounds).filter(({ id }) => !known.has(id))]),
    );
  };
  return read(query.limit);
}

function watchPost(
  scope: Scope,
  post: string,
  address: (path: string) => string,
): Observable<Loaded<MediaView[]>> {
  if (post === "") return of({ state: "ready", value: [] });
  const rows$ = rowsOf<MediaRow>(scope.replica.media.find(postQuery([post], "all")));
  return combineLatest([rows$, foldContext$(scope, address)]).pipe(
    map(([rows, context]) => {
      const { created, deletedMedia } = context.overlay;
      const known = new Set(rows.map(({ id }) => id));
      const queued = [...created.values()]
        .filter(({ body }) => body.post === post && !known.has(body.mediaId))
        .map((waiting) => foldCreated(waiting, context));
      const value = [...queued, ...rows.map((row) => foldMedia(row, context))]
        .filter(({ id }) => !deletedMedia.has(id))
        .sort(byPlace);
      return { state: "ready", value };
    }),
  );
}

type Bounds = FeedBounds & { reached: ListWindow | undefined; followed?: Followed };

function bounds$(scope: Scope, query: FeedQuery): Observable<Bounds> {
  const isFollowing = query.sort === "following";
  const isPersons = query.userId !== undefined;
  const blocked$ = isPersons || isFollowing ? of([]) : blockedIds$(scope);
  // On the page of whoever is muted one sees what they post.
  const muted$ = isPersons ? of(NOTHING_MUTED) : mutes$(scope);
  const media$ = scope.overlay$.pipe(
    map(({ deletedMedia }) => [...deletedMedia].sort()),
    distinctUntilChanged(sameList),
  );
  const only$ = isFollowing ? followedMedia$(scope, query) : of(undefined);
  return combineLatest([blocked$, muted$, media$, only$, scope.device.windows$]).pipe(
    map(([blocked, { people: muted, words }, media, only, windows]) => {
      const reached = only ? followedWindow(windows, only.followed) : windowOf(windows, query);
      const people = [...new Set([...blocked, ...muted])].sort();
      const bounds = { people, media, words, me: scope.userId ?? "", reached };
      return { ...bounds, deepest: deepestKey(reached), ...only };
    }),
    distinctUntilChanged(isSame),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
}

/** Whose media the list of the followed shows, and which beside them. */
function followedMedia$(scope: Scope, { limit }: FeedQuery) {
  return followed$(scope).pipe(
    switchMap((followed) => {
      const { people: only, tags } = followed;
      const ofTags$ =
        tags.length === 0
          ? of([])
          : // The newest that so many entries can hold.
            tagged$(scope, tags, limit * POST_MAX);
      return ofTags$.pipe(map((tagged) => ({ followed, only, tagged })));
    }),
  );
}

const isSame = (one: Bounds, other: Bounds): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
