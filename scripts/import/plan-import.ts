/**
 * What an export becomes: media with their owners under ids of this product, and what is left out and why. Pure, and the
 * same for the same export, so that an import that is run again finds what it made before.
 */
import { createHash } from "node:crypto";
import { isId } from "@/domain/ids";
import {
  ALT_MAX,
  CAPTION_MAX,
  TAG_MAX,
  TAGS_MAX,
  USERNAME_MAX,
  USERNAME_MIN,
} from "@/domain/limits";
import { type PlainMedia, plainMedia } from "@/domain/older-media";

export interface LeftOut {
  /** Id of the record, or its place in the export where it has none. */
  record: string;
  why: string;
}

export interface PlannedMedia extends PlainMedia {
  /** Its id in the export. */
  oldId: string;
}

export interface PlannedUser {
  id: string;
  oldId: string;
  username: string;
  email: string;
  bio: string;
  /** Milliseconds since 1970: when the first of the person's media was made, or the account; 0 when unknown. */
  createdAt: number;
}

export interface ImportPlan {
  users: PlannedUser[];
  /** Oldest first, so that a run that is cut short leaves no hole. */
  media: PlannedMedia[];
  leftOut: LeftOut[];
  /** Records of which a part could not be taken over. */
  shortened: LeftOut[];
}

type Raw = Record<string, unknown>;

/** `media` and `users` as they stand in the export: a list, or an object by id. */
export function planImport(media: unknown, users: unknown): ImportPlan {
  const plan: ImportPlan = { users: [], media: [], leftOut: [], shortened: [] };
  const seen = new Set<string>();
  for (const [place, record] of listed(media).entries()) {
    if (record === null) {
      plan.leftOut.push({ record: `record ${place + 1}`, why: "it is no record" });
      continue;
    }
    const plain = plainMedia(record);
    const oldId = plain.id || `record ${place + 1}`;
    const why = faultOf(plain, seen);
    if (why !== null) plan.leftOut.push({ record: oldId, why });
    else plan.media.push(fitted({ ...plain, oldId }, plan.shortened));
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

/** An id of ours for one of theirs, always the same. Ids of our own kind stay. */
export function newIdOf(oldId: string): string {
  if (isId(oldId)) return oldId;
  const digest = BigInt(`0x${createHash("sha256").update(oldId).digest("hex")}`);
  return digest.toString(36).padStart(15, "0").slice(-15);
}

/** Null for what is no record. */
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

/** Texts and tags within this product's limits; what was cut, and what has no date, is noted. */
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

/** Everybody whose media come, by what the users of the export say, or else by what the media do. */
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

/** The name with what a username may hold, made different where somebody else has it. */
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
