/** What of the search index fits what is looked for. Pure. */
import type { MediaEntry, PersonEntry } from "@/data/media/search-index";
import type { FeedFilter } from "@/data/shapes";
import { kindOfFilter } from "@/domain/media-files";

/** Such short terms match only at the start of a word; anywhere, they would match nearly all. */
const SHORT = /^[a-z0-9]{1,2}$/;
const LETTER = /[a-z0-9]/;

export interface MediaMatch {
  terms: readonly string[];
  tag?: { key: string } | null;
  filter: FeedFilter;
  found: ReadonlySet<string>;
  hiddenPeople: ReadonlySet<string>;
  hiddenMedia: ReadonlySet<string>;
}

/** Entries compared at once: a few milliseconds on a slow phone. */
export const PIECE = 1_000;

/** Ids in the order of `entries`; null when `isOver` before the end. */
export async function findMedia(
  entries: readonly MediaEntry[],
  match: MediaMatch,
  { pause, isOver }: { pause: () => Promise<void>; isOver: () => boolean },
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
  const { terms, tag, filter, found, hiddenPeople, hiddenMedia } = match;
  const type = kindOfFilter(filter);
  const fits = ({ tags, text }: MediaEntry) =>
    tag ? tags.includes(tag.key) : holdsAll(text, terms);
  const ids: string[] = [];
  for (const entry of entries) {
    if (type !== null && entry.type !== type) continue;
    if (!found.has(entry.id) && !fits(entry)) continue;
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

/** Ids: names that begin with the text first, then by followers. A tag matches nobody. */
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
