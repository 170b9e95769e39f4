/**
 * The search index of this device: texts of all media, names of all people. It is in memory,
 * because any part of a text may match, and read in portions, so that typing never stutters.
 */
import type { RxCollection } from "rxdb";
import { BehaviorSubject } from "rxjs";
import type { Replica } from "@/data/engine/noun";
import type { ProfileRow } from "@/data/people/row";
import { searchableText } from "@/domain/search-terms";
import { tagsOfMedium } from "@/domain/words";
import type { MediaRow } from "./row";

/** Rows read at once: some milliseconds on a slow phone. */
const PORTION = 100;

export interface MediaEntry
  extends Pick<MediaRow, "id" | "userId" | "type" | "post" | "sortKey" | "likes"> {
  text: string;
  /** Without case and accents. */
  tags: readonly string[];
}

export type PersonEntry = Pick<ProfileRow, "id" | "nameKey" | "followers">;

const mediaEntry = (row: MediaRow): MediaEntry => {
  const { id, userId, type, post, sortKey, likes } = row;
  const tags = tagsOfMedium(row).map(({ tag }) => tag);
  return { id, userId, type, post, sortKey, likes, tags, text: searchableText(row) };
};

const personEntry = ({ id, nameKey, followers }: ProfileRow): PersonEntry => ({
  id,
  nameKey,
  followers,
});

const indexes = new WeakMap<object, SearchIndex>();

/** The one index of a replica. */
export function searchIndexOf(
  replica: Pick<Replica, "media" | "profiles">,
  pause: () => Promise<void>,
): SearchIndex {
  const index = indexes.get(replica) ?? createSearchIndex(replica, pause);
  indexes.set(replica, index);
  return index;
}

export type SearchIndex = ReturnType<typeof createSearchIndex>;

/** `pause` lets the page work between two portions. */
export function createSearchIndex(
  replica: Pick<Replica, "media" | "profiles">,
  pause: () => Promise<void>,
) {
  const version$ = new BehaviorSubject({ version: 0, whole: false });
  const media = new Map<string, MediaEntry>();
  const people = new Map<string, PersonEntry>();
  let sorted: readonly MediaEntry[] | null = null;
  const changed = (whole = version$.value.whole) => {
    sorted = null;
    version$.next({ version: version$.value.version + 1, whole });
  };
  follow(replica.media, media, mediaEntry, changed);
  follow(replica.profiles, people, personEntry, changed);
  let loading: Promise<void> | null = null;
  const load = async () => {
    await readAll(replica.profiles, people, personEntry, pause);
    await readAll(replica.media, media, mediaEntry, pause);
    changed(true);
  };
  return {
    /** `version` counts the changes; `whole` once everything was read. */
    version$,
    media(): readonly MediaEntry[] {
      sorted ??= [...media.values()].sort((a, b) => a.sortKey - b.sortKey);
      return sorted;
    },
    medium: (id: string): MediaEntry | undefined => media.get(id),
    people: (): Iterable<PersonEntry> => people.values(),
    /** One that failed is tried again. */
    load() {
      loading ??= load().catch((error: unknown) => {
        loading = null;
        throw error;
      });
      return loading;
    },
  };
}

function follow<Row extends { id: string }, Entry>(
  collection: RxCollection<Row>,
  entries: Map<string, Entry>,
  entryOf: (row: Row) => Entry,
  changed: () => void,
): void {
  // The stream completes when the database closes.
  collection.$.subscribe((event) => {
    if (event.operation === "DELETE") entries.delete(event.documentId);
    else entries.set(event.documentId, entryOf(event.documentData as Row));
    changed();
  });
}

/** Keeps the entries of changes that came meanwhile: they are newer than what is read here. */
async function readAll<Row extends { id: string }, Entry>(
  collection: RxCollection<Row>,
  entries: Map<string, Entry>,
  entryOf: (row: Row) => Entry,
  pause: () => Promise<void>,
): Promise<void> {
  let after = "";
  for (;;) {
    const portion = await collection
      .find({
        selector: { id: { $gt: after } },
        sort: [{ id: "asc" }],
        // Otherwise RxDB picks another index and reads all rows for each portion.
        index: ["id"],
        limit: PORTION,
      } as never)
      .exec();
    for (const doc of portion) {
      if (!entries.has(doc.primary)) entries.set(doc.primary, entryOf(doc.toJSON() as Row));
    }
    const last = portion.at(-1);
    if (last === undefined || portion.length < PORTION) return;
    after = last.primary;
    await pause();
  }
}
