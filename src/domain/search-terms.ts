/** How a search text is read, the same on this device and on the server. */

/** More of a text is not looked at. */
export const SEARCH_MAX = 200;
const TERMS_MAX = 8;

/** Marks that letters carry, once a text is decomposed. */
const MARKS = /[\u0300-\u036f]/g;
/** Nothing that anybody searches for, and no sign of a word. Written out: the server's engine matches no `\p{…}`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const BREAKS = /[\u0000-\u0020\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/;

/** Case and accents do not matter: "Straße" and "strasse", "Küste" and "kuste" are the same. */
export const foldText = (text: string): string =>
  text.normalize("NFD").replace(MARKS, "").toLowerCase().replace(/ß/g, "ss");

/** The folded words of a search text, each of which must be found. A leading `#` means a tag. */
export function searchTerms(text: string): string[] {
  const words = foldText([...text].slice(0, SEARCH_MAX).join("")).split(BREAKS);
  const terms = words.filter((word) => word !== "" && word !== "#" && word !== "@");
  return [...new Set(terms)].slice(0, TERMS_MAX);
}

/** What is looked through of a medium: caption, owner behind an `@`, each tag behind its `#`. */
export function searchableText(media: {
  caption: string;
  username: string;
  tags: readonly string[];
}): string {
  const tags = media.tags.map((tag) => `#${tag}`);
  return foldText([media.caption, `@${media.username}`, ...tags].join("\n"));
}
