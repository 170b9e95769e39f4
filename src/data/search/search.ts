/** The search, here first, then on the server. Its ids are kept: only it may know why they fit. */
import {
  asapScheduler,
  auditTime,
  BehaviorSubject,
  combineLatest,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  Observable,
  skip,
  switchMap,
  tap,
} from "rxjs";
import { isRecord, toFailure } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import type { Scope, Shared } from "@/data/engine/context";
import { parseList } from "@/data/engine/lists";
import { byIds$, fromCell, type Views } from "@/data/engine/live";
import type { Replica } from "@/data/engine/noun";
import { countEntries, groupPosts } from "@/data/media/posts";
import type { MediaRow } from "@/data/media/row";
import { type SearchIndex, searchIndexOf } from "@/data/media/search-index";
import { type FoldContext, foldContext$, foldCreated, foldMedia } from "@/data/media/views";
import type { ProfileRow } from "@/data/people/row";
import { blockedIds$, profileView } from "@/data/people/views";
import type {
  FeedFilter,
  Loaded,
  MediaView,
  SearchPage,
  SearchQuery,
  TagOrder,
} from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { kindOfFilter } from "@/domain/media-files";
import { ok } from "@/domain/result";
import { foldText, searchableText, searchTerms } from "@/domain/search-terms";
import { tagsOfMedium } from "@/domain/words";
import { keepOrder } from "@/lib/keep-order";
import { findMedia, findPeople, holdsAll } from "./match";

/** One text with one filter; only the last few are kept. */
interface Session {
  terms: string[];
  /** What all have, without case and accents; null where words are looked for. */
  tag: { key: string; order: TagOrder } | null;
  filter: FeedFilter;
  order: readonly string[];
  /** How many entries of a list they make. */
  entries: number;
  server$: BehaviorSubject<ServerSide>;
}

type Query = Record<string, string | number>;

interface ServerSide {
  /** `idle`: not asked yet. */
  state: "idle" | "asking" | "answered" | "failed";
  /** In its order. */
  media: ReadonlySet<string>;
  people: ReadonlySet<string>;
  more: boolean;
  /** What the request for the next page says. */
  next: Query;
}

/** What one person's searches keep in memory, for the life of the scope. */
interface Search {
  index: SearchIndex;
  sessions: Map<string, Session>;
}

const SESSIONS_KEPT = 8;
const UNASKED: ServerSide = {
  state: "idle",
  media: new Set(),
  people: new Set(),
  more: false,
  next: {},
};

function createSearches({ deps }: Shared) {
  const searches = new WeakMap<Scope, Search>();
  const pause = () => deps.delay(0);
  const searchOf = (scope: Scope): Search => {
    const search = searches.get(scope) ?? {
      index: searchIndexOf(scope.replica, pause),
      sessions: new Map<string, Session>(),
    };
    searches.set(scope, search);
    return search;
  };
  const sessionOf = (scope: Scope, { text, filter, tag: order }: SearchQuery): Session => {
    const { sessions } = searchOf(scope);
    const terms = searchTerms(text);
    const tag = order === undefined ? null : { key: foldText(text), order };
    const key = tag === null ? `${filter} ${terms.join(" ")}` : `${filter} ${order}#${tag.key}`;
    const server$ = () => new BehaviorSubject(UNASKED);
    const session = sessions.get(key) ?? {
      terms,
      tag,
      filter,
      order: [],
      entries: 0,
      server$: server$(),
    };
    sessions.delete(key);
    sessions.set(key, session);
    const oldest = sessions.keys().next();
    if (sessions.size > SESSIONS_KEPT && !oldest.done) sessions.delete(oldest.value);
    return session;
  };
  return { searchOf, sessionOf, pause };
}

export const createSearchReads = (
  { shared, address, loaded, scope }: Views,
  { searchOf, sessionOf, pause } = createSearches(shared),
) => ({
  watchSearch: (query: SearchQuery) =>
    loaded({ key: keyOf(query), limit: query.limit }, (from) => {
      const { index } = searchOf(from);
      void index.load().catch((error) => shared.log("The search could not be read", error));
      const session = sessionOf(from, query);
      const source = { scope: from, index, session, address, pause };
      return merge(watchSearch(source, query.limit), askAgain$(shared, source, query.limit));
    }),
  async pullSearch(query: SearchQuery) {
    const from = await scope();
    return pullSearch(shared, from, sessionOf(from, query), query.limit);
  },
  async warmSearch() {
    await searchOf(await scope()).index.load();
  },
  /** Tags that begin so, of the media here. */
  async offerTags(beginning: string): Promise<string[]> {
    const [file, from] = await Promise.all([import("./offer-tags"), scope()]);
    const { index } = searchOf(from);
    await index.load();
    return file.offerTags(from, index, beginning);
  },
  async pullWeek() {
    const [file, from] = await Promise.all([import("./week"), scope()]);
    return file.pullWeek(shared, from, searchOf(from).index);
  },
});

const keyOf = ({ filter, text, tag }: SearchQuery): string =>
  `search ${filter} ${tag === undefined ? searchTerms(text).join(" ") : `${tag}#${text}`}`;

interface Source {
  scope: Scope;
  index: SearchIndex;
  session: Session;
  address: (path: string) => string;
  pause: () => Promise<void>;
}

interface Found {
  /** Ids; those of one post are one entry. */
  media: readonly string[][];
  people: string[];
  whole: boolean;
  server: ServerSide;
}

function watchSearch(source: Source, limit: number): Observable<Loaded<SearchPage>> {
  const { scope, session, address } = source;
  const context$ = foldContext$(scope, address);
  return found$(source).pipe(
    switchMap((found) =>
      combineLatest([rows$(source, found, limit), context$]).pipe(
        map(([rows, context]) => pageOf({ ...rows, found, limit }, session, context)),
      ),
    ),
  );
}

function found$({ scope, index, session, pause }: Source): Observable<Found> {
  return combineLatest([index.version$, session.server$, blockedIds$(scope), scope.overlay$]).pipe(
    // Rows that arrive together are one change.
    auditTime(0, asapScheduler),
    switchMap(
      ([{ whole }, server, blocked, { deletedMedia }]) =>
        new Observable<Found>((out) => {
          const { terms, tag, filter } = session;
          const hiddenPeople = new Set(blocked);
          const match = { terms, tag, filter, hiddenPeople, hiddenMedia: deletedMedia };
          const breath = { pause, isOver: () => out.closed };
          void findMedia(index.media(), { ...match, found: server.media }, breath).then((media) => {
            if (media === null) return;
            session.order = orderOf(session, media, index);
            const people =
              tag === null ? findPeople(index.people(), { ...match, found: server.people }) : [];
            const found = entriesOf(session.order, index);
            session.entries = found.length;
            out.next({ media: found, people, whole, server });
          });
        }),
    ),
  );
}

/** The most liked are asked of the server before any is shown. */
const isWaiting = ({ tag, server$: { value: server } }: Session): boolean =>
  tag?.order === "popular" && server.media.size === 0 && ["idle", "asking"].includes(server.state);

/** What is shown keeps its order. `ids` are newest first. */
function orderOf(session: Session, ids: readonly string[], index: SearchIndex): readonly string[] {
  if (isWaiting(session)) return [];
  const { order, tag, server$ } = session;
  if (tag?.order !== "popular") return keepOrder(order, ids);
  const matching = new Set(ids);
  const ofServer = [...server$.value.media].filter((id) => matching.has(id));
  const likesOf = (id: string) => index.medium(id)?.likes ?? 0;
  const here = ids.filter((id) => !server$.value.media.has(id));
  return keepOrder(order, [...ofServer, ...here.sort((a, b) => likesOf(b) - likesOf(a))]);
}

/** The media of one post come where the first of them was found. */
function entriesOf(ids: readonly string[], index: SearchIndex): string[][] {
  const entries = new Map<string, string[]>();
  for (const id of ids) {
    const key = index.medium(id)?.post || id;
    entries.set(key, [...(entries.get(key) ?? []), id]);
  }
  return [...entries.values()];
}

function rows$({ scope }: Source, { media, people }: Found, limit: number) {
  const { replica } = scope;
  const shown = media.slice(0, limit).flat();
  const rows = combineLatest({
    media: byIds$(replica.media, shown),
    people: byIds$(replica.profiles, people),
  });
  return rows.pipe(tap(() => scope.shown(shown)));
}

interface Rows {
  media: MediaRow[];
  people: ProfileRow[];
  found: Found;
  limit: number;
}

function pageOf(
  { media, people: profiles, found, limit }: Rows,
  session: Session,
  context: FoldContext,
): Loaded<SearchPage> {
  const { server, whole } = found;
  const queued = queuedMatches(session, new Set(media.map(({ id }) => id)), context);
  const entries = groupPosts([...queued, ...media.map((row) => foldMedia(row, context))]);
  const items = entries.slice(0, limit);
  const count = found.media.length + entries.length - countEntries(media);
  const people = profiles.map((row) => profileView(row, context.address));
  // Nothing yet does not mean nothing (law 4).
  const asking = server.state === "idle" || server.state === "asking" || !whole;
  const isEmpty = count === 0 && people.length === 0;
  if (asking && (isEmpty || isWaiting(session))) return { state: "loading" };
  return {
    state: "ready",
    value: {
      items,
      count,
      hasMore: count > limit || server.more,
      people,
      reach: server.state === "failed" ? "device" : asking ? "asking" : "everywhere",
    },
  };
}

function queuedMatches(
  { terms, tag, filter }: Session,
  known: ReadonlySet<string>,
  context: FoldContext,
): MediaView[] {
  const { overlay } = context;
  return [...overlay.created.values()]
    .filter(({ body }) => !known.has(body.mediaId) && !overlay.deletedMedia.has(body.mediaId))
    .filter(({ body }) => body.type === (kindOfFilter(filter) ?? body.type))
    .filter(({ body }) =>
      tag === null
        ? holdsAll(searchableText(body), terms)
        : tagsOfMedium(body).some((one) => one.tag === tag.key),
    )
    .map((created) => foldCreated(created, context))
    .sort((a, b) => b.createdAt - a.createdAt);
}

/** What asks the server for more. */
function requestOf({ terms, tag, filter }: Session, next: Query) {
  const limit = 2 * PAGE_SIZE;
  if (tag !== null)
    return {
      path: `/api/tags/${encodeURIComponent(tag.key)}/media`,
      query: { ...next, sort: tag.order, limit },
    };
  const type = kindOfFilter(filter) ?? undefined;
  return { path: "/api/search", query: { ...next, q: terms.join(" "), type, limit } };
}

/** Of a search it is a number, of a tag the parameters themselves. */
function nextOf(next: unknown): Query {
  if (typeof next === "string") return next === "" ? {} : { before: next };
  return isRecord(next) ? (next as Query) : {};
}

/** One that failed is asked again when the connection returns, and when a pull succeeds. */
function askAgain$(shared: Shared, { scope, session }: Source, limit: number): Observable<never> {
  const online$ = fromCell(shared.connection).pipe(
    skip(1),
    filter((now) => now === "online"),
  );
  const pulled$ = scope.status$.pipe(
    skip(1),
    filter(({ failure }) => failure === null),
  );
  return merge(online$, pulled$).pipe(
    filter(() => session.server$.value.state === "failed"),
    mergeMap(() => pullSearch(shared, scope, session, limit)),
    ignoreElements(),
  );
}

async function pullSearch({ remote }: Shared, { replica }: Scope, session: Session, limit: number) {
  const { terms, tag, server$ } = session;
  const before = server$.value;
  const enough = before.state === "answered" && (!before.more || session.entries > limit);
  if (before.state === "asking" || enough || (tag === null && terms.length === 0)) return ok(null);
  server$.next({ ...before, state: "asking" });
  let after: ServerSide = { ...before, state: "failed" };
  try {
    const { path, query } = requestOf(session, before.next);
    const answer = await remote.request(path, { query });
    if (answer.kind !== "accepted") return toFailure(answer);
    if (isRecord(answer.body)) after = await takePage(replica, session, answer.body);
    return ok(null);
  } finally {
    // Also where the device could not store what came: or it would be waited for without an end.
    server$.next(after);
  }
}

async function takePage(
  replica: Replica,
  { tag, server$ }: Session,
  body: Record<string, unknown>,
): Promise<ServerSide> {
  const before = server$.value;
  const found = parseList({ items: body[tag === null ? "media" : "items"] }) ?? [];
  const people = parseList({ items: body["people"] }) ?? [];
  await writeRecords(replica, "profiles", people);
  await writeRecords(replica, "media", found);
  const ids = (list: readonly Record<string, unknown>[]) => list.map((row) => String(row["id"]));
  return {
    state: "answered",
    media: new Set([...before.media, ...ids(found)]),
    people: new Set([...before.people, ...ids(people)]),
    more: body["more"] === true,
    next: nextOf(body["next"]),
  };
}
