/** The only place that knows older media records (specification §3). It accepts any input. */
import type { MediaKind } from "./media-files";
import { parseTags } from "./texts";
import { parseInstant } from "./times";

type Raw = Readonly<Record<string, unknown>>;

/** Smaller numbers (before 1973) would be read as seconds the next time; no record is that old. */
const FIRST_INSTANT = 1e11;
/** The latest instant that a sort key can hold. */
const LAST_INSTANT = 9_999_999_999_999;
const VIDEO_NAME = /\.(?:mp4|m4v|mov|webm|3gp)$/i;

export type PlainMedia = ReturnType<typeof plainMedia>;

/** Names of files are "" where there is none; instants are in milliseconds, 0 when unknown. */
export function plainMedia(record: Raw) {
  const file = textIn(record, "url", "file");
  const createdAt = instantIn(record, "createdAt", "timestamp", "date") || instantInName(file);
  const contentType = textIn(record, "contentType");
  return {
    id: textIn(record, "id"),
    userId: textIn(record, "userId", "uid"),
    username: textIn(record, "username"),
    caption: textIn(record, "caption", "title"),
    tags: parseTags(record["tags"]),
    type: kindOf(record["type"], contentType, file),
    file,
    thumbnail: textIn(record, "thumbnailUrl", "thumbnail"),
    preview: textIn(record, "preview"),
    alt: textIn(record, "alt"),
    originalFilename: textIn(record, "originalFilename", "picname", "filename"),
    contentType,
    createdAt,
    updatedAt: instantIn(record, "updatedAt") || createdAt,
  };
}

function textIn(record: Raw, ...names: string[]): string {
  for (const name of names) {
    const value = record[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}

function instantIn(record: Raw, ...names: string[]): number {
  for (const name of names) {
    const at = instantOf(record[name]);
    if (at >= FIRST_INSTANT && at <= LAST_INSTANT) return Math.floor(at);
  }
  return 0;
}

/** Files were stored as `{userId}_{time}.{ext}` (specification §7, "Storage layout"). */
const instantInName = (file: string): number =>
  instantIn({ at: /_(\d{13})\.[a-z0-9]+(?:[?#]|$)/i.exec(file)?.[1] }, "at");

/** Reads also a document database's `{seconds, nanoseconds}`, with underscores or without. */
function instantOf(value: unknown): number {
  if (typeof value === "string" && /^\d{9,13}$/.test(value)) return parseInstant(Number(value));
  if (typeof value !== "object" || value === null) return parseInstant(value);
  const { seconds, _seconds } = value as { seconds?: unknown; _seconds?: unknown };
  return parseInstant(seconds ?? _seconds);
}

/** The record's own type, or one guessed from its content type or its file's name. */
function kindOf(type: unknown, contentType: string, file: string): MediaKind {
  if (type === "photo" || type === "video") return type;
  const name = file.split(/[?#]/)[0] ?? "";
  return contentType.startsWith("video/") || VIDEO_NAME.test(name) ? "video" : "photo";
}
