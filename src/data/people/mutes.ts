/**
 * What one has muted: people and words. What they post and say, and what has such a word, is hidden
 * in lists on this person's devices; nobody is told, and one's own is never hidden.
 */
import { combineLatest, distinctUntilChanged, map, type Observable } from "rxjs";
import type { Scope } from "@/data/engine/context";
import { rowsOf, sameList } from "@/data/engine/live";
import type { Overlay } from "@/data/engine/noun";
import { WORD_SIGN } from "@/domain/ids";
import { foldText } from "@/domain/search-terms";
import type { BlockRow } from "./row";

export interface Mutes {
  /** Ids, the latest first. */
  people: string[];
  /** As they were written, the latest first. */
  words: string[];
}

export const NOTHING_MUTED: Mutes = { people: [], words: [] };

/** What is stored, with what is queued on top. */
export function mutesOf(rows: readonly BlockRow[], queued: Overlay["mutes"]): Mutes {
  const stored = [...rows].sort((one, other) => other.createdAt - one.createdAt);
  const here = new Map<string, string>();
  for (const { muted, word = "", on } of [...queued.values()].reverse())
    if (on) here.set(muted, word);
  for (const { mutedId, word } of stored) {
    const muted = mutedId || (word && WORD_SIGN + foldText(word));
    if (muted !== "" && !queued.has(muted)) here.set(muted, word);
  }
  const all = [...here];
  return {
    people: all.filter(([muted]) => !muted.startsWith(WORD_SIGN)).map(([muted]) => muted),
    words: all.filter(([muted]) => muted.startsWith(WORD_SIGN)).map(([, word]) => word),
  };
}

export const mutes$ = ({ replica, overlay$ }: Scope): Observable<Mutes> =>
  combineLatest([rowsOf<BlockRow>(replica.blocks.find()), overlay$]).pipe(
    map(([rows, { mutes }]) => mutesOf(rows, mutes)),
    distinctUntilChanged((a, b) => sameList(a.people, b.people) && sameList(a.words, b.words)),
  );

/** Whether to hide what `by` posted or said in these words. */
export type Hides = (by: string, ...texts: readonly string[]) => boolean;

/** `me`: whose own is never hidden; "" for nobody. */
export function hiderOf({ people, words }: Mutes, me: string): Hides {
  if (people.length + words.length === 0) return () => false;
  const muted = new Set(people);
  const finds = words.map(finderOf);
  return (by, ...texts) => {
    if (by === me) return false;
    if (muted.has(by)) return true;
    if (finds.length === 0) return false;
    return texts.map(foldText).some((folded) => {
      const spaced = ` ${wordsOf(folded)} `;
      return finds.some((find) => find(folded, spaced));
    });
  };
}

const BETWEEN = /[^\p{L}\p{N}]+/u;

const wordsOf = (folded: string): string =>
  folded
    .split(BETWEEN)
    .filter((word) => word !== "")
    .join(" ");

/** A word stands by itself: "art" is not in "party". What has no letters (a heart) is anywhere. */
function finderOf(word: string): (folded: string, spaced: string) => boolean {
  const sought = foldText(word);
  const phrase = wordsOf(sought);
  return phrase === ""
    ? (folded) => folded.includes(sought)
    : (_, spaced) => spaced.includes(` ${phrase} `);
}
