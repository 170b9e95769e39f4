/** The live reads about people: profiles, how one stands to them, and lists of one's own. */
import { combineLatest, distinctUntilChanged, map, type Observable, of } from "rxjs";
import type { Found, Loaded, ProfileView } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";
import type { PeoplePage, PeopleReads, Relation } from "@/data/people-api";
import type { ProfileRow } from "@/data/schema/profiles";
import type { Shared } from "@/data/scope-parts";
import { writeRecords } from "@/data/sync/apply-changes";
import { pullRecords } from "@/data/sync/pull-lists";
import { pullOne } from "@/data/sync/pull-one";
import { conversationId } from "@/domain/ids";
import { fromCell } from "./from-cell";
import type { LiveMaker } from "./live-maker";
import { foldProfile, profileView } from "./profile-view";
import { blockedIds$ } from "./watch-feed";
import { type Asked, watchOne } from "./watch-one";
import { watchPeople } from "./watch-people";

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
