/** The live reads of the client: each follows whoever is signed in. */
import {
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  switchMap,
  tap,
} from "rxjs";
import { createChatReads } from "./chat/views";
import type { ClientReads } from "./client";
import { watchComments } from "./comments";
import { pullOne } from "./engine/lists";
import { createLive, createLiveCache, fromCell, type LiveMaker, watchOne } from "./engine/live";
import type { Scope, Shared } from "./engine/scope";
import { pullOlderMedia } from "./media/older";
import type { MediaRow } from "./media/row";
import { foldContext$, foldCreated, foldMedia, watchFeed } from "./media/views";
import { createPeopleReads } from "./people/views";
import { createSearchReads } from "./search/search";
import type { SettingsRow } from "./settings";
import type {
  CommentsPage,
  FeedPage,
  Found,
  Live,
  Loaded,
  MediaView,
  SettingsView,
} from "./shapes";

const PRODUCT_NAME = "Augenblick";

export interface ReadsDeps {
  shared: Shared;
  /** Null while one user's data are closed and another's not yet open. */
  scope$: Observable<Scope | null>;
  /** The open scope, once there is one. */
  scope: () => Promise<Scope>;
  /** Whole address of a path on the server. */
  address: (path: string) => string;
}

export function createReads(deps: ReadsDeps): ClientReads {
  const { shared, scope$, address } = deps;
  const cached = createLiveCache();
  const live: LiveMaker = <T>(
    key: string,
    source: (scope: Scope) => Observable<T>,
    first: T,
    failed: T,
  ) =>
    cached<T>(key, () => {
      const values$ = scope$.pipe(
        switchMap((scope) => (scope === null ? of(first) : source(scope))),
      );
      return createLive(values$, first, failed, { delay: shared.deps.delay, log: shared.log });
    });
  const loading = { state: "loading" } as const;
  const broken = { state: "failed", code: "storage_full" } as const;
  const found = <T>(key: string, source: (scope: Scope) => Observable<Found<T>>): Live<Found<T>> =>
    live<Found<T>>(key, source, loading, { state: "unreachable", code: "storage_full" });
  const product = shared.deps.productName ?? PRODUCT_NAME;
  return {
    ...createChatReads(deps, live),
    ...createPeopleReads({ shared, address, live }),
    ...createSearchReads({ shared, address, live, scope: deps.scope }),
    watchFeed: (query) =>
      live<Loaded<FeedPage>>(
        `feed ${query.filter} ${query.sort} ${query.limit} ${query.userId ?? ""}`,
        (scope) => watchFeed(scope, query, address),
        loading,
        broken,
      ),
    watchMedia: (id) => found(`media ${id}`, (scope) => watchMedia(shared, scope, id, address)),
    watchSettings: (id) =>
      live<Loaded<SettingsView>>(
        `settings ${id}`,
        (scope) => watchSettings(shared, scope, id),
        loading,
        broken,
      ),
    watchComments: (mediaId, limit) =>
      live<Loaded<CommentsPage>>(
        `comments ${mediaId} ${limit}`,
        (scope) => watchComments(shared, scope, { mediaId, limit }),
        loading,
        broken,
      ),
    watchProductName: () =>
      live(
        "product",
        ({ replica }) =>
          replica.settings.findOne("app").$.pipe(map((doc) => doc?.productName || product)),
        product,
        product,
      ),
    pullOlderMedia: async (query) => pullOlderMedia(shared.remote, await deps.scope(), query),
  };
}

function watchMedia(
  shared: Shared,
  scope: Scope,
  id: string,
  address: (path: string) => string,
): Observable<Found<MediaView>> {
  const row$ = scope.replica.media.findOne(id).$;
  const deleted$ = scope.overlay$.pipe(
    map(({ deletedMedia }) => deletedMedia.has(id)),
    distinctUntilChanged(),
  );
  const local$ = combineLatest([row$, foldContext$(scope, address)]).pipe(
    map(([doc, context]) => {
      if (doc !== null) return foldMedia(doc.toJSON() as MediaRow, context);
      const created = context.overlay.created.get(id);
      return created === undefined ? null : foldCreated(created, context);
    }),
  );
  return deleted$.pipe(
    switchMap((deleted) =>
      deleted
        ? of<Found<MediaView>>({ state: "gone" })
        : watchOne(local$, fromCell(shared.connection), () =>
            pullOne(shared.remote, scope.replica, "media", id),
          ),
    ),
  );
}

function watchSettings(
  { log }: Pick<Shared, "log">,
  scope: Scope,
  id: string,
): Observable<Loaded<SettingsView>> {
  const row$ = scope.replica.settings.findOne(id).$;
  return combineLatest([row$, scope.status$]).pipe(
    map(([doc, { filled, failure }]): Loaded<SettingsView> => {
      if (doc !== null) return { state: "ready", value: settingsView(doc.toJSON()) };
      if (filled) return { state: "ready", value: { content: "", lastUpdated: null } };
      return failure === null ? { state: "loading" } : { state: "failed", code: failure };
    }),
    distinctUntilChanged(
      (before, now) =>
        before.state === "failed" && now.state === "failed" && before.code === now.code,
    ),
    // Specification §8: nothing more is made of it.
    tap((now) => {
      if (now.state === "failed") log("Ignoring that a legal text could not be loaded", now.code);
    }),
  );
}

const settingsView = (row: Pick<SettingsRow, "content" | "lastUpdated">): SettingsView => ({
  content: row.content,
  lastUpdated: row.lastUpdated === 0 ? null : row.lastUpdated,
});
