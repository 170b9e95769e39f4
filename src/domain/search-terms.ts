/** How a search text is parsed, the same on the device and on the server. */

export const SEARCH_MAX = 200;
const TERMS_MAX = 8;
/** Longer words are found by their beginning: each sign more is one more look-up in the index. */
const TERM_MAX = 40;

/** Accents of letters in decomposed text. */
const MARKS = /[\u0300-\u036f]/g;
/** Spaces and control characters, listed because the server's engine does not know `\p{…}`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters separate words.
const BREAKS = /[\u0000-\u0020\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/;

/** Removes case and accents: "Straße" and "strasse", "Küste" and "kuste" become the same. */
export const foldText = (text: string): string =>
  text.normalize("NFD").replace(MARKS, "").toLowerCase().replace(/ß/g, "ss");

/** The folded words of a search text, each of which must be found. A leading `#` means a tag. */
export function searchTerms(text: string): string[] {
  // First by code units, then by signs: a megabyte would take the server's engine a second.
  const signs = [...text.slice(0, 2 * SEARCH_MAX)].slice(0, SEARCH_MAX);
  const words = foldText(signs.join("")).split(BREAKS);
  const terms = words
    .filter((word) => word !== "" && word !== "#" && word !== "@")
    .map((word) => [...word].slice(0, TERM_MAX).join(""));
  return [...new Set(terms)].slice(0, TERMS_MAX);
}

/** The text of a medium that a search compares: caption, `@owner`, and each `#tag`. */
export function searchableText(media: {
  caption: string;
  username: string;
  tags: readonly string[];
}): string {
  const tags = media.tags.map((tag) => `#${tag}`);
  return foldText([media.caption, `@${media.username}`, ...tags].join("\n"));
}
