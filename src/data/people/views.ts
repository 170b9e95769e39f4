/** The live reads about people: profiles, how one stands to them, and lists of one's own. */
import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  switchMap,
  tap,
} from "rxjs";
import type { PeopleReads } from "@/data/client";
import { writeRecords } from "@/data/engine/apply";
import { pullOne, pullRecords } from "@/data/engine/lists";
import { type Asked, fromCell, type LiveMaker, watchOne } from "@/data/engine/live";
import type { Overlay } from "@/data/engine/overlay";
import type { Scope, Shared } from "@/data/engine/scope";
import { blockedIds$ } from "@/data/media/views";
import type {
  Found,
  Loaded,
  PeopleList,
  PeoplePage,
  PersonView,
  ProfileView,
  Relation,
} from "@/data/shapes";
import { conversationId } from "@/domain/ids";
import type { ProfileRow } from "./row";

interface PeopleDeps {
  shared: Shared;
  address: (path: string) => string;
  live: LiveMaker;
}

const NOBODY: Relation = { following: false, blocked: false };

export function createPeopleReads({ shared, address, live }: PeopleDeps): PeopleReads {
  const loading = { state: "loading" } as const;
  const broken = { state: "failed", code: "storage_full" } as const;
  const found = (key: string, source: (scope: Scope) => Observable<Found<ProfileView>>) =>
    live<Found<ProfileView>>(key, source, loading, { state: "unreachable", code: "storage_full" });
  return {
    watchProfile: (id) =>
      found(`profile ${id}`, (scope) => {
        const row$ = scope.replica.profiles.findOne(id).$;
        return watchProfile(shared, { scope, address, row$ }, () =>
          pullOne(shared.remote, scope.replica, "profiles", id),
        );
      }),
    watchProfileByName(username) {
      const nameKey = username.toLowerCase();
      return found(`profile named ${nameKey}`, (scope) => {
        const row$ = scope.replica.profiles.findOne({ selector: { nameKey } }).$;
        return watchProfile(shared, { scope, address, row$ }, () =>
          pullByName(shared, scope, nameKey),
        );
      });
    },
    watchRelation: (userId) =>
      live<Loaded<Relation>>(
        `relation ${userId}`,
        (scope) => watchRelation(scope, userId),
        loading,
        broken,
      ),
    watchPeople: (list, limit) =>
      live<Loaded<PeoplePage>>(
        `people ${list} ${limit}`,
        (scope) => watchPeople({ shared, scope, address }, list, limit),
        loading,
        broken,
      ),
    watchUnreadFrom: (userId) =>
      live(`unread ${userId}`, (scope) => watchUnread(scope, userId), 0, 0),
  };
}

interface ProfileSource {
  scope: Scope;
  address: (path: string) => string;
  row$: Observable<{ toJSON(): unknown } | null>;
}

function watchProfile(
  shared: Shared,
  { scope, address, row$ }: ProfileSource,
  ask: () => Promise<Asked>,
): Observable<Found<ProfileView>> {
  const { overlay$, blobUrls, userId } = scope;
  const local$ = combineLatest([row$, overlay$, followedIds$(scope), blobUrls.urls$]).pipe(
    map(([doc, overlay, followed, urls]) =>
      doc === null
        ? null
        : foldProfile(profileView(doc.toJSON() as ProfileRow, address), overlay, {
            me: userId ?? "",
            blobUrl: (key) => urls.get(key) ?? "",
            follows: (id) => followed.has(id),
          }),
    ),
  );
  return watchOne(local$, fromCell(shared.connection), ask);
}

/** Whom the signed-in person follows by the server's word. */
function followedIds$({ replica, userId }: Scope): Observable<ReadonlySet<string>> {
  if (userId === null) return of(new Set<string>());
  return replica.follows
    .find({ selector: { followerId: userId } })
    .$.pipe(map((docs) => new Set(docs.map((doc) => doc.followingId))));
}

/** `gone`: the server knows nobody of that name. */
async function pullByName(shared: Shared, scope: Scope, nameKey: string): Promise<Asked> {
  const filter = shared.remote.filter("username:lower = {:nameKey}", { nameKey });
  const asked = await pullRecords(shared.remote, "profiles", { filter, perPage: 1 });
  if (!asked.success) return { state: "failed", code: asked.error };
  if (asked.value.length === 0) return { state: "gone" };
  await writeRecords(scope.replica, "profiles", asked.value);
  return { state: "pulled" };
}

function watchRelation(scope: Scope, userId: string): Observable<Loaded<Relation>> {
  if (scope.userId === null) return of({ state: "ready", value: NOBODY });
  return combineLatest([
    scope.overlay$,
    followedIds$(scope),
    blockedIds$(scope),
    scope.status$,
  ]).pipe(
    map(([overlay, followed, blocked, { filled, failure }]): Loaded<Relation> => {
      const following = overlay.follows.get(userId) ?? followed.has(userId);
      const value = { following, blocked: blocked.includes(userId) };
      // Of one's own rows the device has all once it was filled; before, a no means nothing yet.
      if (filled || following || value.blocked) return { state: "ready", value };
      return failure === null ? { state: "loading" } : { state: "failed", code: failure };
    }),
  );
}

function watchUnread({ replica, overlay$, userId }: Scope, otherId: string): Observable<number> {
  if (userId === null) return of(0);
  const chat = conversationId(userId, otherId);
  return combineLatest([replica.conversations.findOne(chat).$, overlay$]).pipe(
    map(([doc, { reads }]) => {
      if (doc === null || reads.has(chat)) return 0;
      return doc.userA === userId ? doc.unreadA : doc.unreadB;
    }),
    distinctUntilChanged(),
  );
}

/** One's own followers, whom one follows, and whom one blocked, with their names as far as they are known. */

/** Names asked for with one request: the address stays short enough for every proxy. */
const NAMES_AT_ONCE = 40;

interface PeopleSource {
  shared: Shared;
  scope: Scope;
  address: (path: string) => string;
}

export function watchPeople(
  source: PeopleSource,
  list: PeopleList,
  limit: number,
): Observable<Loaded<PeoplePage>> {
  const { scope } = source;
  if (scope.userId === null) return of({ state: "ready", value: { items: [], total: 0 } });
  /** Whom the server was asked about, without a word of theirs in the answer. */
  const unknown$ = new BehaviorSubject<ReadonlySet<string>>(new Set());
  const asked = new Set<string>();
  // Whoever could not be asked for is asked for again when the server is back.
  const online$ = fromCell(source.shared.connection).pipe(
    distinctUntilChanged(),
    tap((connection) => {
      if (connection === "online") asked.clear();
    }),
  );
  return ids$(scope, list).pipe(
    switchMap((ids) => {
      const shown = ids.slice(0, limit);
      const names$ = scope.replica.profiles.find({ selector: { id: { $in: shown } } }).$;
      return combineLatest([names$, unknown$, scope.status$, online$]).pipe(
        tap(([docs]) => {
          const known = new Set(docs.map((doc) => doc.id));
          const missing = shown.filter((id) => !known.has(id) && !asked.has(id));
          for (const id of missing) asked.add(id);
          if (missing.length > 0) void askNames(source, missing, unknown$);
        }),
        map(([docs, unknown, { filled, failure }]): Loaded<PeoplePage> => {
          if (ids.length === 0 && !filled) {
            return failure === null ? { state: "loading" } : { state: "failed", code: failure };
          }
          const known = new Map(docs.map((doc) => [doc.id, doc]));
          const items = shown.map((id): PersonView => {
            const doc = known.get(id);
            if (doc === undefined) return { id, state: unknown.has(id) ? "unknown" : "asking" };
            const { username, profileThumbnailUrl } = profileView(doc.toJSON(), source.address);
            return { id, state: "known", username, thumbnailUrl: profileThumbnailUrl };
          });
          return { state: "ready", value: { items, total: ids.length } };
        }),
      );
    }),
  );
}

/** Whoever the answer does not bring stays unknown, for as long as the list is shown. */
async function askNames(
  { shared, scope }: PeopleSource,
  ids: readonly string[],
  unknown$: BehaviorSubject<ReadonlySet<string>>,
): Promise<void> {
  for (let i = 0; i < ids.length; i += NAMES_AT_ONCE) {
    const some = ids.slice(i, i + NAMES_AT_ONCE);
    const filter = some.map((id) => shared.remote.filter("id = {:id}", { id })).join(" || ");
    const pulled = await pullRecords(shared.remote, "profiles", { filter, perPage: some.length });
    if (pulled.success) await writeRecords(scope.replica, "profiles", pulled.value);
    unknown$.next(new Set([...unknown$.value, ...some]));
  }
}

/** Newest first; what is queued stands on top. */
function ids$(scope: Scope, list: PeopleList): Observable<string[]> {
  return combineLatest([rows$(scope, list), scope.overlay$]).pipe(
    map(([rows, { follows, blocks }]) => {
      const ids = rows.sort((a, b) => b.createdAt - a.createdAt).map((row) => row.id);
      if (list === "followers") return ids;
      const wanted = list === "following" ? follows : blocks;
      const more = [...wanted].filter(([id, on]) => on && !ids.includes(id)).map(([id]) => id);
      return [...more.reverse(), ...ids.filter((id) => wanted.get(id) !== false)];
    }),
  );
}

interface Row {
  id: string;
  createdAt: number;
}

function rows$({ replica, userId }: Scope, list: PeopleList): Observable<Row[]> {
  const me = userId ?? "";
  if (list === "blocked") {
    return replica.blocks
      .find()
      .$.pipe(map((docs) => docs.map((doc) => ({ id: doc.blockedId, createdAt: doc.createdAt }))));
  }
  const [mine, other] =
    list === "following"
      ? (["followerId", "followingId"] as const)
      : (["followingId", "followerId"] as const);
  return replica.follows
    .find({ selector: { [mine]: me } })
    .$.pipe(map((docs) => docs.map((doc) => ({ id: doc[other], createdAt: doc.createdAt }))));
}

/** A person as a screen shows them: the server's row with what is queued about it on top. */

export function profileView(row: ProfileRow, address: (path: string) => string): ProfileView {
  const { nameKey, seq, ...shown } = row;
  return {
    ...shown,
    profilePictureUrl: address(row.profilePictureUrl),
    profileThumbnailUrl: address(row.profileThumbnailUrl || row.profilePictureUrl),
    pending: null,
  };
}

interface ProfileContext {
  /** Who is signed in; "" is nobody. */
  me: string;
  blobUrl: (key: string) => string;
  /** Whether the server says that this person follows them. */
  follows: (userId: string) => boolean;
}

/** With the person's own changes that wait, and the follow that is to come or to go. */
export function foldProfile(
  view: ProfileView,
  overlay: Pick<Overlay, "profiles" | "follows">,
  context: ProfileContext,
): ProfileView {
  const queued = overlay.profiles.get(view.id);
  const body = queued?.body;
  return {
    ...view,
    ...body?.changes,
    ...(body === undefined ? {} : picturesOf(view, body, context.blobUrl)),
    followers: Math.max(0, view.followers + followMore(overlay, context, view.id)),
    following: Math.max(
      0,
      view.following + (view.id === context.me ? sumMore(overlay, context) : 0),
    ),
    pending: queued?.mark ?? null,
  };
}

type Follows = Pick<Overlay, "follows">;

/** +1, 0 or -1: what the queued follow of `id` changes in what the server counted. */
function followMore({ follows }: Follows, context: ProfileContext, id: string): number {
  const wanted = follows.get(id);
  return wanted === undefined ? 0 : Number(wanted) - Number(context.follows(id));
}

const sumMore = (overlay: Follows, context: ProfileContext): number =>
  [...overlay.follows.keys()].reduce((sum, id) => sum + followMore(overlay, context, id), 0);

function picturesOf(
  view: ProfileView,
  { picture, thumbnail }: { picture: string; thumbnail: string },
  blobUrl: (key: string) => string,
): Pick<ProfileView, "profilePictureUrl" | "profileThumbnailUrl"> {
  const { profilePictureUrl, profileThumbnailUrl } = view;
  if (picture === "") return { profilePictureUrl, profileThumbnailUrl };
  if (picture === "delete") return { profilePictureUrl: "", profileThumbnailUrl: "" };
  const whole = blobUrl(picture);
  return {
    profilePictureUrl: whole,
    profileThumbnailUrl: blobUrl(thumbnail === "delete" ? "" : thumbnail) || whole,
  };
}
