/**
 * What a link to a medium shows elsewhere: title, description and picture for those who read the page without running
 * it (Open Graph). Written into the page of `/view/…` alone, as it is sent; the page that is kept, and the one that
 * service workers keep, have none of it. No script or style is touched, so the policy of the page still fits.
 */
import { isId } from "@/domain/ids";
import { paths } from "@/domain/paths";
import { idFromSlug } from "@/domain/slugs";
import { findRecord } from "./acting";
import { escapeHtml } from "./escape-html";

const TITLE_MAX = 80;
const DESCRIPTION_MAX = 200;
const VIEW = /^view\/([^/]+)\/?$/;
const TITLE = /<title>[^<]*<\/title>/i;
const DESCRIPTION = /<meta\s[^<>]*name="description"[^<>]*>/i;

type Tag = [attribute: "name" | "property", key: string, content: string];

/** `page` with the preview of the medium at `path`, or as it is where there is none. */
export function previewPage(
  e: core.RequestEvent,
  path: string,
  page: string,
  name: string,
): string {
  const id = idFromSlug(VIEW.exec(path)?.[1] ?? "");
  const media = isId(id) ? findRecord(e.app, "media", id) : null;
  const origin = originOf(e);
  if (media === null || origin === "") return page;
  const title = titleOf(media);
  const tags = [...tagsOf(media, origin, name), ...pictureTags(media, origin)];
  const head = tags.map(
    ([attribute, key, content]) =>
      `<meta ${attribute}="${key}" content="${escapeHtml(content)}" />`,
  );
  head.push(`<link rel="canonical" href="${escapeHtml(addressOf(media, origin))}" />`);
  const description = `<meta name="description" content="${escapeHtml(descriptionOf(media))}" />`;
  return page
    .replace(TITLE, () => `<title>${escapeHtml(`${title} · ${name}`)}</title>`)
    .replace(DESCRIPTION, () => description)
    .replace("</head>", () => `${head.join("\n")}\n</head>`);
}

/** As the visitor addressed this server; "" for a host that is no host. A proxy tells of the TLS that it ended. */
function originOf(e: core.RequestEvent): string {
  const host = e.request?.host ?? "";
  if (!/^[A-Za-z0-9.-]+(?::\d+)?$|^\[[0-9a-fA-F:]+\](?::\d+)?$/.test(host)) return "";
  const isSecure = e.isTLS() || e.request?.header.get("X-Forwarded-Proto") === "https";
  return `${isSecure ? "https" : "http"}://${host}`;
}

const isVideo = (media: core.Record): boolean => media.getString("type") === "video";

/** One line, not longer than `most` signs. */
function line(text: string, most: number): string {
  const signs = [...text.replace(/\s+/g, " ").trim()];
  return signs.length <= most ? signs.join("") : `${signs.slice(0, most - 1).join("")}…`;
}

const byWhom = (media: core.Record): string =>
  `${isVideo(media) ? "Video" : "Photo"} by ${media.getString("username")}`;

const titleOf = (media: core.Record): string =>
  line(media.getString("caption"), TITLE_MAX) || byWhom(media);

function descriptionOf(media: core.Record): string {
  const caption = line(media.getString("caption"), DESCRIPTION_MAX);
  return caption === "" ? byWhom(media) : `${byWhom(media)}: ${caption}`;
}

const addressOf = (media: core.Record, origin: string): string =>
  `${origin}${paths.media({ id: media.id, caption: media.getString("caption") })}`;

function tagsOf(media: core.Record, origin: string, name: string): Tag[] {
  return [
    ["property", "og:site_name", name],
    ["property", "og:type", isVideo(media) ? "video.other" : "article"],
    ["property", "og:title", titleOf(media)],
    ["property", "og:description", descriptionOf(media)],
    ["property", "og:url", addressOf(media, origin)],
    ["name", "twitter:card", "summary_large_image"],
  ];
}

function pictureTags(media: core.Record, origin: string): Tag[] {
  const file = (field: string): string => {
    const stored = media.getString(field);
    return stored === "" ? "" : `${origin}/api/files/media/${media.id}/${stored}`;
  };
  const whole = file("file");
  const picture = file("preview") || file("thumbnail") || (isVideo(media) ? "" : whole);
  const tags: Tag[] = [];
  if (picture !== "") {
    tags.push(["property", "og:image", picture], ["name", "twitter:image", picture]);
    const alt = line(media.getString("alt"), DESCRIPTION_MAX) || titleOf(media);
    tags.push(["property", "og:image:alt", alt]);
  }
  if (isVideo(media) && whole !== "") {
    tags.push(["property", "og:video", whole]);
    tags.push(["property", "og:video:type", media.getString("contentType")]);
  }
  return tags;
}
