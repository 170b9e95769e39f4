/**
 * What an export becomes: media with their owners under our ids, what is left out and why, and each
 * file as it is sent. The same for the same export, so that a second import finds what the first
 * one made.
 */
import { createHash } from "node:crypto";
import { readPictureHeader, stripPicture } from "@/data/files/strip-picture";
import { stripVideo } from "@/data/files/strip-video";
import { isId } from "@/domain/ids";
import {
  ALT_MAX,
  CAPTION_MAX,
  IMAGE_MAX_BYTES,
  POST_MAX,
  RENDITION_MAX_BYTES,
  TAG_MAX,
  TAGS_MAX,
  USERNAME_MAX,
  USERNAME_MIN,
  VIDEO_MAX_BYTES,
} from "@/domain/limits";
import { DETECT_BYTES, type DetectedFile, detectFile, fileFault } from "@/domain/media-files";
import { type PlainMedia, plainMedia } from "@/domain/older-media";

export interface LeftOut {
  /** Id of the record, or its position in the export if it has none. */
  record: string;
  why: string;
}

export interface PlannedMedia extends PlainMedia {
  /** Its id in the export. */
  oldId: string;
  /** Its place among several media under one caption. */
  place?: { post: string; postIndex: number };
}

export interface PlannedUser {
  id: string;
  oldId: string;
  username: string;
  email: string;
  bio: string;
  /**
   * Milliseconds since 1970: when the first of the person's media was made, or the account; 0 when
   * unknown.
   */
  createdAt: number;
}

export interface ImportPlan {
  users: PlannedUser[];
  /** Oldest first, so that an interrupted run leaves no gap. */
  media: PlannedMedia[];
  leftOut: LeftOut[];
  /** Records that were imported without a part of them. */
  shortened: LeftOut[];
}

type Raw = Record<string, unknown>;

/** `media` and `users` as in the export: a list, or an object by id. */
export function planImport(media: unknown, users: unknown): ImportPlan {
  const plan: ImportPlan = { users: [], media: [], leftOut: [], shortened: [] };
  const seen = new Set<string>();
  const places = new Map<string, string>();
  for (const [place, record] of listed(media).entries()) {
    if (record === null) {
      plan.leftOut.push({ record: `record ${place + 1}`, why: "it is no record" });
      continue;
    }
    const plain = plainMedia(record);
    const oldId = plain.id || `record ${place + 1}`;
    const why = faultOf(plain, seen);
    if (why !== null) plan.leftOut.push({ record: oldId, why });
    else {
      const place = placeIn(record, places);
      plan.media.push(fitted({ ...plain, oldId, ...(place && { place }) }, plan.shortened));
    }
    seen.add(plain.id);
  }
  plan.media.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  plan.users = owners(
    plan.media,
    listed(users).filter((user) => user !== null),
  );
  plan.media = plan.media.map((one) => ({
    ...one,
    id: newIdOf(one.oldId),
    userId: newIdOf(one.userId),
  }));
  return plan;
}

/** Null for a medium by itself, and where the server would refuse its place. */
function placeIn(record: Raw, taken: Map<string, string>): PlannedMedia["place"] | null {
  const { post, postIndex } = record;
  const isPlace = Number.isInteger(postIndex) && Number(postIndex) >= 0;
  if (!isId(post) || !isPlace || Number(postIndex) >= POST_MAX) return null;
  const owner = textIn(record, "userId", "uid");
  const key = `${post} ${postIndex}`;
  if (taken.has(key) || (taken.get(post) ?? owner) !== owner) return null;
  taken.set(key, owner).set(post, owner);
  return { post, postIndex: Number(postIndex) };
}

/** Our id for one of theirs, always the same. An id that has our form stays. */
export function newIdOf(oldId: string): string {
  if (isId(oldId)) return oldId;
  const digest = BigInt(`0x${createHash("sha256").update(oldId).digest("hex")}`);
  return digest.toString(36).padStart(15, "0").slice(-15);
}

/** Null for an entry that is no record. */
function listed(given: unknown): (Raw | null)[] {
  const isList = Array.isArray(given);
  const entries = isList ? given.map((record) => ["", record]) : Object.entries(given ?? {});
  return entries.map(([key, record]) =>
    typeof record === "object" && record !== null && !Array.isArray(record)
      ? { ...(key === "" ? {} : { id: key }), ...(record as Raw) }
      : null,
  );
}

function faultOf(media: PlainMedia, seen: ReadonlySet<string>): string | null {
  if (media.id === "") return "it has no id";
  if (seen.has(media.id)) return "its id stands in the export twice";
  if (media.userId === "") return "it says nobody's it is (userId or uid)";
  if (media.file === "") return "it names no file (url or file)";
  return null;
}

/** Cuts texts and tags to this product's limits; notes each cut and each missing date. */
function fitted(media: PlannedMedia, notes: LeftOut[]): PlannedMedia {
  const caption = media.caption.trim().slice(0, CAPTION_MAX);
  const alt = media.alt.trim().slice(0, ALT_MAX);
  const tags = media.tags.filter((tag) => tag.length <= TAG_MAX).slice(0, TAGS_MAX);
  const cut = [
    caption.length < media.caption.trim().length ? "caption" : "",
    alt.length < media.alt.trim().length ? "description" : "",
    tags.length < media.tags.length ? "tags" : "",
  ].filter(Boolean);
  if (cut.length > 0) notes.push({ record: media.oldId, why: `too long: ${cut.join(", ")}` });
  if (media.createdAt === 0) {
    const why = "no date that can be read: it gets that of the import";
    notes.push({ record: media.oldId, why });
  }
  return { ...media, caption, alt, tags };
}

/** The owners of the media, as the export's users describe them, or else as the media do. */
function owners(media: readonly PlannedMedia[], users: readonly Raw[]): PlannedUser[] {
  const known = new Map(users.map((user) => [textIn(user, "uid", "id"), user]));
  const taken = new Set<string>();
  const first = new Map<string, PlannedMedia>();
  for (const one of media) if (!first.has(one.userId)) first.set(one.userId, one);
  return [...first].map(([oldId, earliest]) => {
    const user = known.get(oldId) ?? {};
    const id = newIdOf(oldId);
    const username = freeName(textIn(user, "username") || earliest.username, id, taken);
    const email = textIn(user, "email").trim().toLowerCase();
    return {
      id,
      oldId,
      username,
      email: email.includes("@") ? email : `${id}@import.invalid`,
      bio: textIn(user, "bio").slice(0, 500),
      createdAt: plainMedia({ date: user["createdAt"] }).createdAt || earliest.createdAt,
    };
  });
}

const textIn = (record: Raw, ...names: string[]): string =>
  names.map((name) => record[name]).find((value): value is string => typeof value === "string") ??
  "";

/** The name with only the characters of a username, changed if somebody else has it. */
function freeName(wanted: string, id: string, taken: Set<string>): string {
  const plain = wanted
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, USERNAME_MAX - 6);
  const base = plain.length < USERNAME_MIN ? `user-${id.slice(0, 6)}` : plain;
  const name = taken.has(base.toLowerCase()) ? `${base}-${id.slice(0, 5)}` : base;
  taken.add(name.toLowerCase());
  return name;
}

type Bytes = Uint8Array<ArrayBuffer>;

export interface PreparedFile {
  bytes: Uint8Array;
  detected: DetectedFile;
  /** Pixels; 0 for videos and if the header has none. */
  width: number;
  height: number;
}

/** The file without what tells about its maker, or a sentence that says why it is left out. */
export async function prepareFile(bytes: Bytes): Promise<PreparedFile | string> {
  const detected = detectFile(bytes.subarray(0, DETECT_BYTES));
  if (detected === null) return "its file is no picture or video that is stored here";
  const read = (offset: number, length: number): Bytes => bytes.subarray(offset, offset + length);
  if (fileFault(read, bytes.length, detected) !== null) return "its file is broken";
  const isPhoto = detected.kind === "photo";
  if (bytes.length > (isPhoto ? IMAGE_MAX_BYTES : VIDEO_MAX_BYTES)) {
    return isPhoto ? "its picture is larger than 5 MB" : "its video is larger than 200 MB";
  }
  try {
    const clean = isPhoto
      ? stripPicture(bytes, detected.contentType)
      : stripVideo(read, new Blob([bytes]), detected);
    const size = isPhoto ? shownSize(bytes, detected.contentType) : { width: 0, height: 0 };
    return { bytes: new Uint8Array(await clean.arrayBuffer()), detected, ...size };
  } catch {
    // Place and time may still be in it, and must not be published.
    return "its file could not be cleaned of place and time";
  }
}

/** Pixels as shown: from orientation 5 on, the camera was turned on its side. */
function shownSize(bytes: Bytes, contentType: string): { width: number; height: number } {
  const { width, height, orientation } = readPictureHeader(bytes, contentType);
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** The thumbnail of a record, or null if it cannot be used. */
export async function prepareThumbnail(bytes: Bytes): Promise<Uint8Array | null> {
  if (bytes.length > RENDITION_MAX_BYTES) return null;
  const prepared = await prepareFile(bytes);
  const usable = typeof prepared !== "string" && prepared.detected.contentType === "image/jpeg";
  return usable ? prepared.bytes : null;
}
