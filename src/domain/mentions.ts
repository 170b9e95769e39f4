/**
 * Whom a text names by `@name`. The server, which tells them, and the screens, which make links of
 * the names, find them alike.
 */
import { MENTIONS_MAX, USERNAME_MAX, USERNAME_MIN } from "./limits";

const UNSEEN = "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff";
const ADDRESS = new RegExp(`\\b(?:https?://|www\\.)[^\\s<>"'\`${UNSEEN}]+`, "giu");
/** Punctuation after an address usually ends the sentence and is not part of it. */
const AFTER_ADDRESS = ".,;:!?…»”’)]}";

/** What stands before a name or a tag: no part of an e-mail address, a path or another word. */
export const BEFORE = "(^|[^A-Za-z0-9_@#&/=.%+?~-])";
const NAME = new RegExp(`${BEFORE}@([A-Za-z0-9._-]+)`, "g");

/** A name may end with these, but far more often they belong to the sentence. */
const AFTER_NAME = ".-";

/** Whom a text names, in lower case: the first ones, each once. */
export function mentionsOf(text: string): string[] {
  if (!text.includes("@")) return [];
  const names = stretchesOf(text)
    .filter(({ isAddress }) => !isAddress)
    .flatMap((stretch) => namesIn(stretch.text).map(({ word }) => word.toLowerCase()));
  return [...new Set(names)].slice(0, MENTIONS_MAX);
}

/** A part of a text: in an address of the web no names are looked for. */
export interface Stretch {
  text: string;
  isAddress: boolean;
}

/** The texts of all, joined, are `text`. An address only looks like one. */
export function stretchesOf(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const shown = withoutTail(match[0]);
    stretches.push({ text: text.slice(at, match.index), isAddress: false });
    stretches.push({ text: shown, isAddress: true });
    at = match.index + shown.length;
  }
  return [...stretches, { text: text.slice(at), isAddress: false }];
}

/** A closing bracket stays if the address opened one, as in Wikipedia's addresses. */
function withoutTail(address: string): string {
  const trimmed = trimEnd(address, AFTER_ADDRESS);
  const kept = address.charAt(trimmed.length) === ")" && trimmed.includes("(") ? ")" : "";
  return trimmed + kept;
}

/** A loop, because a pattern would begin anew at each sign of a long text. */
function trimEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export interface Word {
  /** Where its sign stands, and the word without it. */
  at: number;
  word: string;
}

/** In a stretch that is no address. */
export function namesIn(text: string): Word[] {
  return [...text.matchAll(NAME)]
    .map(({ index, 1: before = "", 2: name = "" }) => ({
      at: index + before.length,
      word: trimEnd(name, AFTER_NAME),
    }))
    .filter(({ word }) => word.length >= USERNAME_MIN && word.length <= USERNAME_MAX);
}
