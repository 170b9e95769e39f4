/**
 * The app's page as it is sent: with the product's name, in the community's language, on `/view/…`
 * with the link preview of the medium, and with the headers that keep foreign scripts out. The
 * built `index.html` has none of it.
 */
import { isId } from "@/domain/ids";
import { isLanguage, type Language, STANDARD_LANGUAGE } from "@/domain/languages";
import { idFromSlug, paths } from "@/domain/paths";
import { findRecord, headerOf, keptSettings } from "./request";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text inside HTML, in elements and in quoted attributes. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const BUILT_IN_NAME = "Augenblick";

/** The operator's name from the settings row, else `APP_NAME`, else the built-in one. */
export function productName(app: CoreApp): string {
  return storedName(app) || $os.getenv("APP_NAME").trim() || BUILT_IN_NAME;
}

function storedName(app: CoreApp): string {
  try {
    return keptSettings(app).productName;
  } catch {
    // There is no settings row before the migrations have run.
    return "";
  }
}

/** The operator's choice: what whoever reads is not known to read otherwise. */
export function communityLanguage(app: CoreApp): Language {
  try {
    const { defaultLanguage } = keptSettings(app);
    return isLanguage(defaultLanguage) ? defaultLanguage : STANDARD_LANGUAGE;
  } catch {
    // There is no settings row before the migrations have run.
    return STANDARD_LANGUAGE;
  }
}

export const isGerman = (app: CoreApp): boolean => communityLanguage(app) === "de";

const LANGUAGE = /(<html\b[^<>]*\slang=")[^"]*(")/i;
const GERMAN_DESCRIPTION = "Fotos und Videos, überall dabei.";

/** `page` with its language, which the inline script reads and in which it says the shell. */
export function speakPage(page: string, language: Language): string {
  const spoken = page.replace(LANGUAGE, (_all, before: string, after: string) =>
    [before, language, after].join(""),
  );
  if (language !== "de") return spoken;
  return spoken.replace(DESCRIPTION, `<meta name="description" content="${GERMAN_DESCRIPTION}" />`);
}

const TITLE = /<title>[^<]*<\/title>/i;
const MARKED = /(<[a-z][^<>]*\sdata-app-name\b[^<>]*>)[^<]*/gi;
const NAME_META =
  /(<meta\s[^<>]*name="(?:application-name|apple-mobile-web-app-title)"[^<>]*content=")[^"]*(")/gi;

/** `page` with `name` in the title, in `data-app-name` elements and in the name's meta tags. */
export function namePage(page: string, name: string): string {
  if (name === BUILT_IN_NAME) return page;
  const safe = escapeHtml(name);
  return page
    .replace(TITLE, () => `<title>${safe}</title>`)
    .replace(MARKED, (_all, tag: string) => `${tag}${safe}`)
    .replace(NAME_META, (_all, before: string, after: string) => `${before}${safe}${after}`);
}

const GERMAN_SHORTCUTS: Readonly<Record<string, string>> = {
  "/upload": "Hochladen",
  "/chat": "Chats",
  "/?q=": "Suche",
  "/outbox": "Noch nicht gesendet",
};

interface Manifest {
  shortcuts?: { url: string }[];
}

/** The web app manifest with `name` as its name and short name, in `language`. */
export function nameManifest(manifest: string, name: string, language: Language): string {
  if (name === BUILT_IN_NAME && language !== "de") return manifest;
  const parsed = JSON.parse(manifest) as Manifest;
  const named = { ...parsed, name, short_name: name };
  if (language !== "de") return JSON.stringify(named);
  const shortcuts = named.shortcuts?.map((one) => ({ ...one, name: GERMAN_SHORTCUTS[one.url] }));
  return JSON.stringify({ ...named, lang: "de", description: GERMAN_DESCRIPTION, shortcuts });
}

const TITLE_MAX = 80;
const DESCRIPTION_MAX = 200;
const VIEW = /^view\/([^/]+)\/?$/;
const USER = /^user\/([^/]+)\/?$/;
const DESCRIPTION = /<meta\s[^<>]*name="description"[^<>]*>/i;

type Tag = [attribute: "name" | "property", key: string, content: string];

/** What the page at a path is about: a medium, or null; `missing`: nobody and nothing any more. */
export interface Subject {
  media: core.Record | null;
  missing: boolean;
}

/** A database that cannot look says of nothing that it is missing. */
export function subjectOf(app: CoreApp, path: string): Subject {
  const [slug, name] = [VIEW.exec(path)?.[1], USER.exec(path)?.[1]];
  try {
    if (slug !== undefined) {
      const id = idFromSlug(slug);
      const media = isId(id) ? findRecord(app, "media", id) : null;
      return { media, missing: media === null };
    }
    const missing = name !== undefined && !isSomebody(app, name);
    return { media: null, missing };
  } catch {
    return { media: null, missing: false };
  }
}

const isSomebody = (app: CoreApp, username: string): boolean =>
  app.countRecords("users", $dbx.exp("username = {:username} COLLATE NOCASE", { username })) > 0;

/**
 * `page` with title, description and picture (Open Graph) of `media`, for programs that read the
 * page without running it. Scripts and styles stay the same, so the page's policy still fits.
 */
export function previewPage(
  e: core.RequestEvent,
  media: core.Record,
  page: string,
  name: string,
): string {
  const origin = originOf(e);
  if (origin === "") return page;
  const words = { title: titleOf(e.app, media), description: descriptionOf(e.app, media) };
  const tags = [
    ...tagsOf(media, { origin, name, ...words }),
    ...pictureTags(media, origin, words.title),
  ];
  const head = tags.map(
    ([attribute, key, content]) =>
      `<meta ${attribute}="${key}" content="${escapeHtml(content)}" />`,
  );
  head.push(`<link rel="canonical" href="${escapeHtml(addressOf(media, origin))}" />`);
  const description = `<meta name="description" content="${escapeHtml(words.description)}" />`;
  return page
    .replace(TITLE, () => `<title>${escapeHtml(`${words.title} · ${name}`)}</title>`)
    .replace(DESCRIPTION, () => description)
    .replace("</head>", () => `${head.join("\n")}\n</head>`);
}

/** The origin that the visitor used; "" for an invalid host. A proxy reports the TLS it ended. */
function originOf(e: core.RequestEvent): string {
  const host = e.request?.host ?? "";
  if (!/^[A-Za-z0-9.-]+(?::\d+)?$|^\[[0-9a-fA-F:]+\](?::\d+)?$/.test(host)) return "";
  const isSecure = e.isTLS() || headerOf(e, "X-Forwarded-Proto") === "https";
  return `${isSecure ? "https" : "http"}://${host}`;
}

const isVideo = (media: core.Record): boolean => media.getString("type") === "video";

/** One line of at most `most` characters. */
function line(text: string, most: number): string {
  const signs = [...text.replace(/\s+/g, " ").trim()];
  return signs.length <= most ? signs.join("") : `${signs.slice(0, most - 1).join("")}…`;
}

function authorLine(app: CoreApp, media: core.Record): string {
  const name = media.getString("username");
  if (isGerman(app)) return `${isVideo(media) ? "Video" : "Foto"} von ${name}`;
  return `${isVideo(media) ? "Video" : "Photo"} by ${name}`;
}

const titleOf = (app: CoreApp, media: core.Record): string =>
  line(media.getString("caption"), TITLE_MAX) || authorLine(app, media);

function descriptionOf(app: CoreApp, media: core.Record): string {
  const caption = line(media.getString("caption"), DESCRIPTION_MAX);
  const author = authorLine(app, media);
  return caption === "" ? author : `${author}: ${caption}`;
}

const addressOf = (media: core.Record, origin: string): string =>
  `${origin}${paths.media({ id: media.id, caption: media.getString("caption") })}`;

interface Words {
  origin: string;
  name: string;
  title: string;
  description: string;
}

function tagsOf(media: core.Record, { origin, name, title, description }: Words): Tag[] {
  return [
    ["property", "og:site_name", name],
    ["property", "og:type", isVideo(media) ? "video.other" : "article"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", addressOf(media, origin)],
    ["name", "twitter:card", "summary_large_image"],
  ];
}

function pictureTags(media: core.Record, origin: string, title: string): Tag[] {
  const file = (field: string): string => {
    const stored = media.getString(field);
    return stored === "" ? "" : `${origin}/api/files/media/${media.id}/${stored}`;
  };
  const whole = file("file");
  const picture = file("preview") || file("thumbnail") || (isVideo(media) ? "" : whole);
  const tags: Tag[] = [];
  if (picture !== "") {
    tags.push(["property", "og:image", picture], ["name", "twitter:image", picture]);
    const alt = line(media.getString("alt"), DESCRIPTION_MAX) || title;
    tags.push(["property", "og:image:alt", alt]);
  }
  if (isVideo(media) && whole !== "") {
    tags.push(["property", "og:video", whole]);
    tags.push(["property", "og:video:type", media.getString("contentType")]);
  }
  return tags;
}

/** SHA-256 of `text` (as UTF-8) in base64. */
export const sha256Base64 = (text: string): string =>
  Buffer.from($security.sha256(text), "hex").toString("base64");

const INLINE = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi;

/** CSP sources for the inline elements `tag` of `page`. */
function inlineHashes(page: string, tag: "script" | "style"): string[] {
  const hashes = new Set<string>();
  for (const [, name = "", attributes = "", text = ""] of page.matchAll(INLINE)) {
    const isFile = /\bsrc\s*=/i.test(attributes);
    if (name.toLowerCase() === tag && !isFile && text !== "") {
      hashes.add(`'sha256-${sha256Base64(text)}'`);
    }
  }
  return [...hashes];
}

/**
 * The policy for `page`, the text of index.html as it is sent. Scripts run only from this origin,
 * or inline with the hash of what the server sends, so text that slips into a page never runs.
 */
export function contentSecurityPolicy(page: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineHashes(page, "script")].join(" "),
    ["style-src 'self'", ...inlineHashes(page, "style")].join(" "),
    // The first-paint snapshot sets sizes and placeholder colours of pictures as attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    // DOMPurify's output, the addresses of our workers, and pastes into the legal editor.
    "trusted-types dompurify augenblick ProseMirrorClipboard",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** Sets the headers that keep others from using a script or style, and browsers from guessing. */
export function setPartHeaders(e: core.RequestEvent): void {
  const headers = e.response.header();
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  // PocketBase's own, which browsers obey for documents alone.
  headers.del("X-Frame-Options");
  headers.del("X-XSS-Protection");
}

/** Sets the headers that the app's page, its workers and pictures share. */
export function setSecurityHeaders(e: core.RequestEvent, policy: string): void {
  const headers = e.response.header();
  headers.set("Content-Security-Policy", policy);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set(
    "Permissions-Policy",
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  );
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
}
