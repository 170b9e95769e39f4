/**
 * The readable part of a media address: `/view/{slug}-{id}`, or `/view/{id}` where the caption leaves
 * nothing. Lower case, at most 50 characters (specification §9), transliterated.
 */
const SLUG_MAX = 50;
const GERMAN: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

export function slugFromCaption(caption: string): string {
  const plain = caption
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => GERMAN[letter] ?? letter)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, SLUG_MAX).replace(/-+$/, "");
}

/** The whole slug of a medium. */
export function mediaSlug(media: { id: string; caption: string }): string {
  const readable = slugFromCaption(media.caption);
  return readable === "" ? media.id : `${readable}-${media.id}`;
}

/** The media id in a slug: its last dash-separated piece, or all of it (specification §2). */
export const idFromSlug = (slug: string): string => slug.slice(slug.lastIndexOf("-") + 1);
