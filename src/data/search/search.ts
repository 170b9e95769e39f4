/**
 * Searching: what this device knows at once, and behind it what the server finds. Its rows go into the replica like any
 * others; only which of them it named is remembered here, because it may know a reason that this device cannot see.
 */
import {
  asapScheduler,
  auditTime,
  BehaviorSubject,
  combineLatest,
  map,
  Observable,
  of,
  switchMap,
  tap,
} from "rxjs";
import type { SearchReads } from "@/data/client";
import { isRecord, toFailure } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import type { Scope, Shared, Views } from "@/data/engine/context";
import { parseList } from "@/data/engine/lists";
import type { MediaRow } from "@/data/media/row";
import { type FoldContext, foldContext$, foldCreated, foldMedia } from "@/data/media/views";
import type { ProfileRow } from "@/data/people/row";
import { blockedIds$, profileView } from "@/data/people/views";
import type { FeedFilter, Loaded, MediaView, SearchPage, SearchQuery } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { ok, type Result } from "@/domain/result";
import { searchableText, searchTerms } from "@/domain/search-terms";
import { keepOrder } from "@/lib/keep-order";
import {
  createSearchIndex,
  type MediaEntry,
  type PersonEntry,
  type SearchIndex,
} from "./search-index";

/** One text with one filter, for as long as it is among the last few. */
interface Session {
  terms: string[];
  filter: FeedFilter;
  /** Media in the order in which they were shown. */
  order: readonly string[];
  server$: BehaviorSubject<ServerSide>;
}

interface ServerSide {
  /** `idle`: not asked yet. */
  state: "idle" | "asking" | "answered" | "failed";
  media: ReadonlySet<string>;
  people: ReadonlySet<string>;
  more: boolean;
  /** What the next page begins behind. */
  next: string;
}

/** What one person's searches keep in memory; it ends with the scope. */
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
  next: "",
};

export function createSearchReads({ shared, address, loaded, scope }: Views): SearchReads {
  const searches = new WeakMap<Scope, Search>();
  const pause = () => shared.deps.delay(0);
  const searchOf = (of: Scope): Search => {
    const known = searches.get(of);
    if (known !== undefined) return known;
    const index = createSearchIndex(of.replica, pause);
    const search = { index, sessions: new Map<string, Session>() };
    searches.set(of, search);
    return search;
  };
  const sessionOf = (of: Scope, { text, filter }: SearchQuery): Session => {
    const { sessions } = searchOf(of);
    const terms = searchTerms(text);
    const key = `${filter} ${terms.join(" ")}`;
    const session = sessions.get(key) ?? {
      terms,
      filter,
      order: [],
      server$: new BehaviorSubject(UNASKED),
    };
    sessions.delete(key);
    sessions.set(key, session);
    const oldest = sessions.keys().next();
    if (sessions.size > SESSIONS_KEPT && !oldest.done) sessions.delete(oldest.value);
    return session;
  };
  return {
    watchSearch: (query) =>
      loaded(
        `search ${query.filter} ${query.limit} ${searchTerms(query.text).join(" ")}`,
        (from) => {
          const { index } = searchOf(from);
          void index.load().catch((error) => shared.log("The search could not be read", error));
          const session = sessionOf(from, query);
          return watchSearch({ scope: from, index, session, address, pause }, query.limit);
        },
      ),
    async pullSearch(query) {
      const from = await scope();
      return pullSearch(shared, from, sessionOf(from, query), query.limit);
    },
    async warmSearch() {
      await searchOf(await scope()).index.load();
    },
  };
}

interface Source {
  scope: Scope;
  index: SearchIndex;
  session: Session;
  address: (path: string) => string;
  pause: () => Promise<void>;
}

interface Found {
  /** Everything that matches, as it is shown. */
  media: readonly string[];
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
    // Many rows that come together are one change.
    auditTime(0, asapScheduler),
    switchMap(
      ([{ whole }, server, blocked, { deletedMedia }]) =>
        new Observable<Found>((out) => {
          const { terms, filter } = session;
          const hiddenPeople = new Set(blocked);
          const match = { terms, filter, hiddenPeople, hiddenMedia: deletedMedia };
          const breath = { pause, isOver: () => out.closed };
          void findMedia(index.media(), { ...match, found: server.media }, breath).then((media) => {
            if (media === null) return;
            session.order = keepOrder(session.order, media);
            const people = findPeople(index.people(), { ...match, found: server.people });
            out.next({ media: session.order, people, whole, server });
          });
        }),
    ),
  );
}

/** The rows that the page shows; of those that go meanwhile nothing comes. */
function rows$({ scope }: Source, { media, people }: Found, limit: number) {
  const { replica } = scope;
  const shown = media.slice(0, limit);
  const media$ =
    shown.length === 0
      ? of(new Map<string, MediaRow>())
      : replica.media
          .findByIds(shown)
          .$.pipe(
            map((docs) => new Map([...docs].map(([id, doc]) => [id, doc.toJSON() as MediaRow]))),
          );
  const people$ =
    people.length === 0
      ? of(new Map<string, ProfileRow>())
      : replica.profiles
          .findByIds(people)
          .$.pipe(
            map((docs) => new Map([...docs].map(([id, doc]) => [id, doc.toJSON() as ProfileRow]))),
          );
  return combineLatest([media$, people$]).pipe(
    tap(() => scope.shown(shown)),
    map(([mediaRows, profiles]) => ({ mediaRows, profiles })),
  );
}

interface Rows {
  mediaRows: ReadonlyMap<string, MediaRow>;
  profiles: ReadonlyMap<string, ProfileRow>;
  found: Found;
  limit: number;
}

function pageOf(
  { mediaRows, profiles, found, limit }: Rows,
  session: Session,
  context: FoldContext,
): Loaded<SearchPage> {
  const { server, whole } = found;
  const queued = queuedMatches(session, mediaRows, context);
  const stored = found.media.slice(0, limit).flatMap((id) => mediaRows.get(id) ?? []);
  const items = [...queued, ...stored.map((row) => foldMedia(row, context))].slice(0, limit);
  const count = found.media.length + queued.length;
  const people = found.people
    .flatMap((id) => profiles.get(id) ?? [])
    .map((row) => profileView(row, context.address));
  // Nothing yet is not nothing (law 4).
  const asking = server.state === "idle" || server.state === "asking" || !whole;
  if (asking && count === 0 && people.length === 0) return { state: "loading" };
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

/** Uploads that wait and match. */
function queuedMatches(
  { terms, filter }: Session,
  known: ReadonlyMap<string, MediaRow>,
  context: FoldContext,
): MediaView[] {
  const { overlay } = context;
  return [...overlay.created.values()]
    .filter(({ body }) => !known.has(body.mediaId) && !overlay.deletedMedia.has(body.mediaId))
    .filter(
      ({ body }) => filter === "all" || body.type === (filter === "photos" ? "photo" : "video"),
    )
    .filter(({ body }) => holdsAll(searchableText(body), terms))
    .map((created) => foldCreated(created, context))
    .sort((a, b) => b.createdAt - a.createdAt);
}

async function pullSearch(
  { remote }: Shared,
  { replica }: Scope,
  session: Session,
  limit: number,
): Promise<Result<null>> {
  const { terms, filter, server$ } = session;
  const { state, more, media } = server$.value;
  const enough = state === "answered" && (!more || session.order.length > limit);
  if (state === "asking" || enough || terms.length === 0) return ok(null);
  const before = server$.value;
  server$.next({ ...before, state: "asking" });
  const answer = await remote.request("/api/search", {
    query: {
      q: terms.join(" "),
      type: filter === "all" ? undefined : filter === "photos" ? "photo" : "video",
      before: before.next === "" ? undefined : before.next,
      limit: 2 * PAGE_SIZE,
    },
  });
  if (answer.kind !== "accepted" || !isRecord(answer.body)) {
    server$.next({ ...before, state: "failed" });
    return answer.kind === "accepted" ? ok(null) : toFailure(answer);
  }
  const { body } = answer;
  const found = parseList({ items: body["media"] }) ?? [];
  const people = parseList({ items: body["people"] }) ?? [];
  await writeRecords(replica, "profiles", people);
  await writeRecords(replica, "media", found);
  const ids = (list: readonly Record<string, unknown>[]) => list.map((row) => String(row["id"]));
  server$.next({
    state: "answered",
    media: new Set([...media, ...ids(found)]),
    people: new Set([...before.people, ...ids(people)]),
    more: body["more"] === true,
    next: typeof body["next"] === "string" ? body["next"] : "",
  });
  return ok(null);
}

/** Which entries of the index a search finds. */

/** Shorter words of these letters are found at the beginning of a word alone, or nearly everything would be. */
const SHORT = /^[a-z0-9]{1,2}$/;
const LETTER = /[a-z0-9]/;

export interface MediaMatch {
  terms: readonly string[];
  filter: FeedFilter;
  /** Media that the server found, whatever their text. */
  found: ReadonlySet<string>;
  /** People and media that are left out. */
  hiddenPeople: ReadonlySet<string>;
  hiddenMedia: ReadonlySet<string>;
}

/** Entries looked through at once: a few milliseconds on a slow phone. */
export const PIECE = 1_000;

export interface Breath {
  /** Lets the page answer a key or paint. */
  pause: () => Promise<void>;
  /** Whether nobody waits for the answer any more. */
  isOver: () => boolean;
}

/** Ids, in the order of `entries`; null when it was over before the end. */
export async function findMedia(
  entries: readonly MediaEntry[],
  match: MediaMatch,
  { pause, isOver }: Breath,
): Promise<string[] | null> {
  const ids: string[] = [];
  for (let from = 0; from < entries.length; from += PIECE) {
    if (from > 0) await pause();
    if (isOver()) return null;
    ids.push(...findIn(entries.slice(from, from + PIECE), match));
  }
  return ids;
}

function findIn(entries: readonly MediaEntry[], match: MediaMatch): string[] {
  const { terms, filter, found, hiddenPeople, hiddenMedia } = match;
  const type = filter === "all" ? null : filter === "photos" ? "photo" : "video";
  const ids: string[] = [];
  for (const entry of entries) {
    if (type !== null && entry.type !== type) continue;
    if (!found.has(entry.id) && !holdsAll(entry.text, terms)) continue;
    if (hiddenPeople.has(entry.userId) || hiddenMedia.has(entry.id)) continue;
    ids.push(entry.id);
  }
  return ids;
}

export const holdsAll = (text: string, terms: readonly string[]): boolean =>
  terms.every((term) => holds(text, term));

function holds(text: string, term: string): boolean {
  if (!SHORT.test(term)) return text.includes(term);
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (at === 0 || !LETTER.test(text.charAt(at - 1))) return true;
  }
  return false;
}

const PEOPLE_MOST = 20;

/** Ids: those whose name begins with the text first, then the most followed. A tag names nobody. */
export function findPeople(
  entries: Iterable<PersonEntry>,
  match: Pick<MediaMatch, "terms" | "found" | "hiddenPeople">,
): string[] {
  const names = match.terms.map((term) => term.replace(/^@/, ""));
  const [first = ""] = names;
  if (names.some((name) => name === "" || name.startsWith("#"))) return [];
  const begins = (entry: PersonEntry) => Number(entry.nameKey.startsWith(first));
  return [...entries]
    .filter((entry) => match.found.has(entry.id) || holdsAll(entry.nameKey, names))
    .filter((entry) => !match.hiddenPeople.has(entry.id))
    .sort((a, b) => begins(b) - begins(a) || b.followers - a.followers)
    .slice(0, PEOPLE_MOST)
    .map((entry) => entry.id);
}
