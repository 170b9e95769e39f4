/** Addresses of the app's pages (specification §2), built only here. */
export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  forgot: "/forgot-password",
  upload: "/upload",
  outbox: "/outbox",
  device: "/device",
  notifications: "/notifications",
  explore: "/explore",
  chats: "/chat",
  terms: "/terms",
  privacy: "/privacy",
  /** The address contains the username itself, percent-encoded (specification §2). */
  user: (username: string): string => `/user/${encodeURIComponent(username)}`,
  admin: "/admin",
  profile: "/profile",
  settings: "/profile?tab=settings",
  saved: "/profile?tab=saved",
  chat: (conversationId: string): string => `/chat/${conversationId}`,
  /** The gallery with the results for `text`. */
  search: (text: string): string => `/?q=${encodeURIComponent(text)}`,
  /** Dots alone would be a way up. */
  tag: (tag: string): string =>
    /^\.+$/.test(tag) ? paths.search(`#${tag}`) : `/tag/${encodeURIComponent(tag)}`,
  slug: (slug: string): string => `/view/${slug}`,
  media: (media: { id: string; caption: string }): string => `/view/${mediaSlug(media)}`,
};

const SLUG_MAX = 50;
const GERMAN: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** The readable part of a slug: transliterated, lower case, at most 50 characters (§9). */
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

/** `{readable part}-{id}`, or the id alone where the caption leaves nothing. */
export function mediaSlug(media: { id: string; caption: string }): string {
  const readable = slugFromCaption(media.caption);
  return readable === "" ? media.id : `${readable}-${media.id}`;
}

/** The media id in a slug: its last dash-separated piece, or all of it (specification §2). */
export const idFromSlug = (slug: string): string => slug.slice(slug.lastIndexOf("-") + 1);

/** Where a link of our own scheme (`protocol_handlers` in the manifest) leads: to a page here. */
export function pathOfLink(link: string): string {
  const visible = link.replace(/[\s\p{Cc}]+/gu, "");
  const rest = /^web\+augenblick:[/\\]*(.*)$/i.exec(visible)?.[1] ?? "";
  return `/${rest}`;
}

const SAFE_LINK = /^(https?:\/\/|mailto:|\/|#)/i;

/** Whether a link leads to the web, a mailbox or this site, and not to a script. */
export const isSafeLink = (href: string): boolean => SAFE_LINK.test(href.trim());
