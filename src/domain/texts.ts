import { ALT_MAX, CAPTION_MAX, TAG_MAX, TAGS_MAX } from "./limits";

/** What counts as text, because comments, messages and reports must show something; and tags. */

/** Invisible code points: spaces, controls, joiners, direction marks, fillers, selectors, tags. */
const UNSEEN: readonly (readonly [first: number, last: number])[] = [
  [0x0000, 0x0020],
  [0x007f, 0x00a0],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe0fff],
];

/** Whether `text` is invisible. Compares numbers: the server's engine does not know `\p{…}`. */
export function isBlank(text: string): boolean {
  for (const sign of text) {
    const point = sign.codePointAt(0) ?? 0;
    if (!UNSEEN.some(([first, last]) => point >= first && point <= last)) return false;
  }
  return true;
}

/** One native search: the server's engine is slow at each step of a loop. */
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Whether `text` is longer than `most` bytes. Long texts are not looked through. */
export const exceedsBytes = (text: string, most: number): boolean =>
  text.length > most || byteLength(text) > most;

export function byteLength(text: string): number {
  if (!BEYOND_ASCII.test(text)) return text.length;
  let bytes = 0;
  for (const sign of text) {
    const point = sign.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Takes a list, or a text with commas. An object or a list within a list is no tag. */
export function parseTags(input: unknown): string[] {
  const parts = Array.isArray(input) ? input : typeof input === "string" ? input.split(",") : [];
  const tags = parts.map((part) => (typeof part === "object" ? "" : `${part}`.trim()));
  return [...new Set(tags)].filter(Boolean);
}

/** Tags that stand more than once among `input`'s, which has them between commas. */
export function repeatedTags(input: string): string[] {
  const tags = input.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag, at) => tag !== "" && tags.indexOf(tag) !== at))];
}

export function tagsFault(tags: readonly string[]) {
  if (tags.length > TAGS_MAX) return "tags_many";
  return tags.some((tag) => tag.length > TAG_MAX) ? "tag_long" : null;
}

export function mediaTextFault(media: { caption: string; tags: readonly string[]; alt: string }) {
  if (media.caption.length > CAPTION_MAX) return "caption_long";
  return tagsFault(media.tags) ?? (media.alt.length > ALT_MAX ? "text_long" : null);
}
