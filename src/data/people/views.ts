/** People as screens show them, with queued writes on top (law 1). */
import {
  combineLatest,
  distinctUntilChanged,
  from,
  map,
  type Observable,
  of,
  startWith,
  switchMap,
} from "rxjs";
import { toFailure } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import type { Scope, Shared } from "@/data/engine/context";
import { type PulledOne, parseList, pullIds, pullOne, pullRecords } from "@/data/engine/lists";
import {
  askUntilAnswered,
  loadedOf,
  rowOf,
  rowsOf,
  sameList,
  type Views,
  watchOne,
} from "@/data/engine/live";
import type { Overlay } from "@/data/engine/noun";
import { filterOf } from "@/data/engine/remote";
import { textOf } from "@/data/engine/rows";
import type {
  Found,
  KnownPerson,
  Loaded,
  PeopleList,
  PeoplePage,
  PersonView,
  ProfileView,
  Relation,
} from "@/data/shapes";
import { conversationId } from "@/domain/ids";
import { ok, type Result } from "@/domain/result";
import { followedIds$, followedTags$, isTag } from "./follows";
import { findKnownPerson, findNames, partialProfile } from "./known-people";
import { mutes$ } from "./mutes";
import type { BlockRow, FollowRow, ProfileRow } from "./row";

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
  const followers = view.followers + extraFollow(overlay, context, view.id);
  const following = view.following + (view.id === context.me ? extraFollows(overlay, context) : 0);
  return {
    ...view,
    ...body?.changes,
    ...(body === undefined ? {} : picturesOf(view, body, context.blobUrl)),
    followers: Math.max(0, followers),
    following: Math.max(0, following),
    pending: queued?.mark ?? null,
  };
}

type Follows = Pick<Overlay, "follows">;

/** +1, 0 or -1: what the queued follow of `id` changes in what the server counted. */
function extraFollow({ follows }: Follows, context: ProfileContext, id: string): number {
  const wanted = follows.get(id);
  return wanted === undefined ? 0 : Number(wanted) - Number(context.follows(id));
}

const extraFollows = (overlay: Follows, context: ProfileContext): number =>
  [...overlay.follows.keys()]
    .filter((id) => !isTag(id))
    .reduce((sum, id) => sum + extraFollow(overlay, context, id), 0);

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

/** Whom the signed-in user blocks: the server's rows with what is queued on top. */
export function blockedIds$({ replica, overlay$ }: Scope): Observable<string[]> {
  return combineLatest([rowsOf<BlockRow>(replica.blocks.find()), overlay$]).pipe(
    map(([stored, { blocks }]) => {
      const ids = new Set(stored.map((row) => row.blockedId).filter((id) => id !== ""));
      for (const [id, on] of blocks) on ? ids.add(id) : ids.delete(id);
      return [...ids].sort();
    }),
    distinctUntilChanged(sameList),
  );
}

export function createPeopleReads(views: Views) {
  const { shared, address, found, loaded, value } = views;
  /** Asked for already, for each replica: who is gone is not asked for again. */
  const askedFor = new WeakMap<object, Set<string>>();
  return {
    watchProfile: (id: string) =>
      found(`profile ${id}`, (scope) => {
        const row$ = rowOf<ProfileRow>(scope.replica.profiles.findOne(id));
        return watchOne(shared, scope, watchProfile(scope, row$, address), () =>
          pullOne(shared.remote, scope.replica, { name: "profiles", id }),
        );
      }),
    /** Addresses of the small pictures of everybody known here, by id; "" for none. */
    watchFaces: () =>
      value<Record<string, string>>("faces", (scope) => watchFaces(scope, address), {}),
    /** Brings the profiles that are not here; without an answer the next call asks again. */
    async pullFaces(ids: readonly string[]): Promise<void> {
      const { replica } = await views.scope();
      const asked = askedFor.get(replica) ?? new Set<string>();
      askedFor.set(replica, asked);
      const here = await replica.profiles.findByIds([...ids]).exec();
      const wanted = ids.filter((id) => !here.has(id) && !asked.has(id));
      for (const id of wanted) asked.add(id);
      const pulled = await pullIds(shared.remote, "profiles", wanted, async (records) => {
        await writeRecords(replica, "profiles", records);
        // Somebody else signed in meanwhile: the replica is closed.
      }).catch(() => null);
      if (!pulled?.success) for (const id of wanted) asked.delete(id);
    },
    /** By the name in an address, whatever its case; partial where only media here have it. */
    watchProfileByName(username: string) {
      const nameKey = username.toLowerCase();
      return found(`profile named ${nameKey}`, (scope) => {
        const row$ = rowOf<ProfileRow>(scope.replica.profiles.findOne({ selector: { nameKey } }));
        const asked$ = watchOne(shared, scope, watchProfile(scope, row$, address), async () =>
          wordOf(await pullByName(shared, scope, nameKey)),
        );
        return asked$.pipe(
          switchMap((asked) =>
            asked.state === "unreachable" ? from(partlyFound(scope, nameKey, asked)) : of(asked),
          ),
        );
      });
    },
    /** For visitors ready at once, with nothing. */
    watchRelation: (userId: string) =>
      loaded(`relation ${userId}`, (scope) => watchRelation(scope, userId)),
    watchPeople: (list: PeopleList, limit: number) =>
      loaded({ key: `people ${list}`, limit }, (of) => watchPeople(views, of, { list, limit })),
    watchMutedWords: () =>
      value<string[]>("muted words", (scope) => mutes$(scope).pipe(map(({ words }) => words)), []),
    watchFollowedTags: () => value("followed tags", (scope) => followedTags$(scope), []),
    watchUnreadFrom: (userId: string) =>
      value(`unread ${userId}`, (scope) => watchUnreadFrom(scope, userId), 0),
    /** The ids of whom the server would follow in one's place; their profiles are here then. */
    suggestPeople: async () => suggestPeople(shared, await views.scope()),
    /** Asks the server, without an answer this device; null where there is nobody. */
    async findUserId(username: string): Promise<Result<string | null>> {
      const scope = await views.scope();
      const nameKey = username.trim().toLowerCase();
      const pulled = await pullByName(shared, scope, nameKey);
      if (pulled.success) return pulled;
      const known = await findKnownPerson(scope, nameKey);
      return known === null ? pulled : ok(known.id);
    },
  };
}

async function suggestPeople({ remote }: Shared, { replica }: Scope): Promise<Result<string[]>> {
  const answer = await remote.request("/api/following/suggested");
  if (answer.kind !== "accepted") return toFailure(answer);
  const records = parseList(answer.body) ?? [];
  await writeRecords(replica, "profiles", records);
  return ok(records.map((record) => textOf(record, "id")));
}

/** Who cannot be asked for, but has media or comments here. */
async function partlyFound(
  scope: Scope,
  nameKey: string,
  otherwise: Found<ProfileView>,
): Promise<Found<ProfileView>> {
  const known = await findKnownPerson(scope, nameKey);
  return known === null ? otherwise : { state: "found", value: partialProfile(known) };
}

const wordOf = (pulled: Result<string | null>): PulledOne => {
  if (!pulled.success) return { state: "failed", code: pulled.error };
  return { state: pulled.value === null ? "gone" : "pulled" };
};

/** The id of the person with this name, whose profile is then stored; null where there is none. */
async function pullByName({ remote }: Shared, { replica }: Scope, nameKey: string) {
  const filter = filterOf("username:lower = {:nameKey}", { nameKey });
  const pulled = await pullRecords(remote, "profiles", { filter, perPage: 1 });
  if (!pulled.success) return pulled;
  await writeRecords(replica, "profiles", pulled.value);
  const [first] = pulled.value;
  return ok(first === undefined ? null : textOf(first, "id"));
}

function watchProfile(
  scope: Scope,
  row$: Observable<ProfileRow | null>,
  address: (path: string) => string,
): Observable<ProfileView | null> {
  const { overlay$, blobUrls, userId } = scope;
  return combineLatest([row$, overlay$, followedIds$(scope), blobUrls.urls$]).pipe(
    map(([row, overlay, followed, urls]) => {
      if (row === null) return null;
      return foldProfile(profileView(row, address), overlay, {
        me: userId ?? "",
        blobUrl: (key) => urls.get(key) ?? "",
        follows: (id) => followed.has(id),
      });
    }),
  );
}

/** With the own picture that waits to be sent. */
function watchFaces(scope: Scope, address: (path: string) => string) {
  const { replica, overlay$, blobUrls } = scope;
  const rows$ = rowsOf<ProfileRow>(replica.profiles.find());
  return combineLatest([rows$, overlay$, blobUrls.urls$]).pipe(
    map(([rows, overlay, urls]) => {
      const blobUrl = (key: string) => urls.get(key) ?? "";
      const faces = rows.map((row) => {
        const view = profileView(row, address);
        const queued = overlay.profiles.get(row.id)?.body;
        const face = queued === undefined ? view : picturesOf(view, queued, blobUrl);
        return [row.id, face.profileThumbnailUrl] as const;
      });
      return Object.fromEntries(faces);
    }),
  );
}

function watchRelation(scope: Scope, userId: string): Observable<Loaded<Relation>> {
  if (scope.userId === null) {
    return of({ state: "ready", value: { following: false, blocked: false, muted: false } });
  }
  const { overlay$, status$ } = scope;
  const kept$ = [followedIds$(scope), blockedIds$(scope), mutes$(scope)] as const;
  return combineLatest([overlay$, status$, ...kept$]).pipe(
    map(([overlay, status, followed, blocked, { people }]) => {
      const following = overlay.follows.get(userId) ?? followed.has(userId);
      const muted = people.includes(userId);
      const value = { following, blocked: blocked.includes(userId), muted };
      // Once filled, the device has all of the user's own rows; before, a no means nothing.
      return loadedOf(value, following || value.blocked, status);
    }),
  );
}

function watchUnreadFrom({ replica, overlay$, userId }: Scope, otherId: string) {
  if (userId === null) return of(0);
  const chat = conversationId(userId, otherId);
  return combineLatest([replica.conversations.findOne(chat).$, overlay$]).pipe(
    map(([row, { reads }]) => {
      if (row === null || reads.has(chat)) return 0;
      return row.userA === userId ? row.unreadA : row.unreadB;
    }),
    distinctUntilChanged(),
  );
}

/** `unreachable`: not on this device, and the server cannot be asked. */
export type NamedPerson =
  | { state: "known"; username: string; thumbnailUrl: string }
  | { state: "asking" | "gone" | "unreachable" };

export function watchNames(
  { shared, address }: Pick<Views, "shared" | "address">,
  scope: Scope,
  ids: readonly string[],
): Observable<ReadonlyMap<string, NamedPerson>> {
  if (ids.length === 0) return of(new Map());
  const { replica } = scope;
  const here$ = replica.profiles
    .findByIds([...ids])
    .$.pipe(map((docs) => new Map([...docs].map(([id, doc]) => [id, doc.toJSON() as ProfileRow]))));
  const gone = new Set<string>();
  /** Of people whose profile could not be asked for. */
  let signed: ReadonlyMap<string, string> = new Map();
  const asked$ = here$.pipe(
    map((here) => ids.filter((id) => !here.has(id) && !gone.has(id))),
    distinctUntilChanged(sameList),
    switchMap((missing) =>
      missing.length === 0
        ? of("answered" as const)
        : askUntilAnswered(shared, scope, () =>
            pullIds(shared.remote, "profiles", missing, async (records) => {
              await writeRecords(replica, "profiles", records);
            }),
          ).pipe(
            switchMap(async (asked) => {
              if (asked === null) return "asking" as const;
              if (!asked.success) {
                signed = await findNames(scope, missing);
                return "unreachable" as const;
              }
              for (const id of asked.value.missing) gone.add(id);
              return "answered" as const;
            }),
          ),
    ),
    startWith("asking" as const),
  );
  return combineLatest([here$, asked$]).pipe(
    map(([here, asked]) => {
      const nameOf = (id: string): NamedPerson => {
        const row = here.get(id);
        if (row === undefined) {
          if (gone.has(id)) return { state: "gone" };
          if (asked !== "unreachable") return { state: "asking" };
          const username = signed.get(id);
          if (username === undefined) return { state: "unreachable" };
          return { state: "known", username, thumbnailUrl: "" };
        }
        const { username, profileThumbnailUrl } = profileView(row, address);
        return { state: "known", username, thumbnailUrl: profileThumbnailUrl };
      };
      return new Map(ids.map((id) => [id, nameOf(id)]));
    }),
  );
}

function watchPeople(
  views: Views,
  scope: Scope,
  { list, limit }: { list: PeopleList; limit: number },
): Observable<Loaded<PeoplePage>> {
  if (scope.userId === null) return of({ state: "ready", value: { items: [], total: 0 } });
  return listedIds$(scope, list).pipe(
    switchMap((ids) => {
      const shown = ids.slice(0, limit);
      return combineLatest([watchNames(views, scope, shown), scope.status$]).pipe(
        map(([names, status]): Loaded<PeoplePage> => {
          const items = shown.map((id) => personView(id, names.get(id)));
          return loadedOf({ items, total: ids.length }, ids.length > 0, status);
        }),
      );
    }),
  );
}

function personView(id: string, name: NamedPerson | undefined): PersonView {
  if (name?.state === "known") return { id, ...name };
  return { id, state: name?.state === "asking" ? "asking" : "unknown" };
}

/** Newest first; what is queued comes on top. */
function listedIds$(scope: Scope, list: PeopleList): Observable<string[]> {
  if (list === "muted") return mutes$(scope).pipe(map(({ people }) => people));
  return combineLatest([listedRows$(scope, list), scope.overlay$]).pipe(
    map(([rows, { follows, blocks }]) => {
      const ids = rows
        .sort((a, b) => b.createdAt - a.createdAt)
        .map((row) => row.id)
        .filter((id) => !isTag(id));
      if (list === "followers") return ids;
      const wanted = list === "following" ? follows : blocks;
      const more = [...wanted]
        .filter(([id, on]) => on && !isTag(id) && !ids.includes(id))
        .map(([id]) => id);
      return [...more.reverse(), ...ids.filter((id) => wanted.get(id) !== false)];
    }),
    distinctUntilChanged(sameList),
  );
}

function listedRows$(
  { replica, userId }: Scope,
  list: PeopleList,
): Observable<{ id: string; createdAt: number }[]> {
  if (list === "blocked") {
    return rowsOf<BlockRow>(replica.blocks.find()).pipe(
      map((rows) =>
        rows
          .filter(({ blockedId }) => blockedId !== "")
          .map(({ blockedId, createdAt }) => ({ id: blockedId, createdAt })),
      ),
    );
  }
  const [mine, other] =
    list === "following"
      ? (["followerId", "followingId"] as const)
      : (["followingId", "followerId"] as const);
  const own = replica.follows.find({ selector: { [mine]: userId ?? "" } });
  return rowsOf<FollowRow>(own).pipe(
    map((rows) => rows.map((row) => ({ id: row[other], createdAt: row.createdAt }))),
  );
}

/** Newest media whose authors are among the people known here. */
const AUTHORS_OF = 300;

/** Whom this device has met: those whose profile is here, and the authors of the newest media. */
export function watchKnownPeople(scope: Scope, address: (path: string) => string) {
  const { replica, userId } = scope;
  if (userId === null) return of([]);
  const media$ = rowsOf<{ userId: string; username: string }>(
    replica.media.find({
      sort: [{ sortKey: "asc" }, { id: "asc" }],
      index: ["sortKey", "id"],
      limit: AUTHORS_OF,
    }),
  );
  const profiles$ = rowsOf<ProfileRow>(replica.profiles.find());
  return combineLatest([profiles$, media$, blockedIds$(scope)]).pipe(
    map(([profiles, media, blocked]) => {
      const known = new Map<string, KnownPerson>();
      for (const { userId: id, username } of media) {
        known.set(id, { id, username, thumbnailUrl: "" });
      }
      for (const row of profiles) {
        const { id, username, profileThumbnailUrl, isBlocked } = profileView(row, address);
        if (isBlocked) known.delete(id);
        else known.set(id, { id, username, thumbnailUrl: profileThumbnailUrl });
      }
      for (const id of [userId, ...blocked]) known.delete(id);
      return [...known.values()].sort((a, b) => a.username.localeCompare(b.username));
    }),
  );
}
