/**
 * Whether a new history of the server's lacks a change that this person made to a row that stands in both: found by
 * comparing the row as it was with the row as it is now.
 */
import type { Replica } from "@/data/replica/open-replica";
import type { ConversationRow } from "@/data/schema/conversations";
import type { MediaRow } from "@/data/schema/media";
import type { OutboxRow } from "@/data/schema/outbox";
import type { ProfileRow } from "@/data/schema/profiles";
import { VIEW_WINDOW_MS } from "@/domain/limits";
import type { IntentBodies } from "./intent-bodies";
import type { Intent } from "./intents";

interface ChangeDeps {
  replica: Replica;
  now: () => number;
  userId: string | null;
}

/** What kept changes are about, as it was before the fresh pull. */
export interface Before {
  media: ReadonlyMap<string, MediaRow>;
  profiles: ReadonlyMap<string, ProfileRow>;
  /** By conversation id: the other person's messages that were read. */
  read: ReadonlyMap<string, string[]>;
}

export async function readBefore(deps: ChangeDeps, rows: readonly OutboxRow[]): Promise<Before> {
  const targets = (kind: string) =>
    rows.filter((row) => row.kind === kind).map((row) => row.target);
  const { media, profiles } = deps.replica;
  const [changed, people] = await Promise.all([
    media.findByIds(targets("media.update")).exec(),
    profiles.findByIds(targets("profile.update")).exec(),
  ]);
  const read = targets("conversation.read").map(
    async (id) => [id, await readMessages(deps, id, true)] as const,
  );
  return {
    media: new Map([...changed].map(([id, doc]) => [id, doc.toJSON() as MediaRow])),
    profiles: new Map([...people].map(([id, doc]) => [id, doc.toJSON()])),
    read: new Map(await Promise.all(read)),
  };
}

/** Ids of the other person's messages that are read, or are not. */
async function readMessages(
  { replica, userId }: ChangeDeps,
  conversationId: string,
  read: boolean,
): Promise<string[]> {
  const found = await replica.messages.find({ selector: { conversationId } }).exec();
  return found.filter((doc) => doc.senderId !== userId && doc.read === read).map(({ id }) => id);
}

/** Deletions and reports can be said again at any time; a change only while it still stood here. */
export async function isChangeLost(
  deps: ChangeDeps,
  { before, lost }: { before: Before; lost: { media: ReadonlySet<string> } },
  intent: Intent,
  row: OutboxRow,
): Promise<boolean> {
  const isAcked = row.state === "acked";
  switch (intent.kind) {
    case "media.delete":
    case "comment.delete":
    case "message.delete":
    case "report.create":
      return true;
    // The server takes it once within that time, whether it still knows it or not.
    case "view.record":
      return row.createdAt + VIEW_WINDOW_MS > deps.now();
    case "media.update":
      if (!isAcked && !hasStood(before, intent.body)) return false;
      return isEditLost(deps, lost.media, intent.body);
    case "profile.update":
      return isProfileLost(deps, before, intent.body, isAcked);
    case "conversation.read":
      return isReadingLost(deps, before, intent.body, isAcked);
    default:
      return false;
  }
}

/**
 * What a change is known by once the pull has begun to overwrite the rows that it was made to; null where the replica did
 * not have it. What was acknowledged and had not come back yet always counts as standing.
 */
export function memoryOf(before: Before, intent: Intent): object | null {
  switch (intent.kind) {
    case "media.update":
      return hasStood(before, intent.body) ? {} : null;
    case "profile.update": {
      const was = before.profiles.get(intent.body.userId);
      return was !== undefined && isProfileAs(was, intent.body)
        ? { stood: was.profilePictureUrl }
        : null;
    }
    case "conversation.read": {
      const seen = before.read.get(intent.body.conversationId) ?? [];
      return seen.length > 0 ? { seen } : null;
    }
    default:
      return null;
  }
}

function hasStood(before: Before, { mediaId, changes }: IntentBodies["media.update"]): boolean {
  const was = before.media.get(mediaId);
  return was !== undefined && isAs(was, changes);
}

/** Where the medium itself was lost, or is not known here any more, it may come again as it was uploaded. */
async function isEditLost(
  { replica }: ChangeDeps,
  lost: ReadonlySet<string>,
  { mediaId, changes }: IntentBodies["media.update"],
): Promise<boolean> {
  if (lost.has(mediaId)) return true;
  const is = (await replica.media.findOne(mediaId).exec())?.toJSON() as MediaRow | undefined;
  return is === undefined || !isAs(is, changes);
}

const isAs = (
  row: MediaRow,
  { caption, tags, alt }: IntentBodies["media.update"]["changes"],
): boolean =>
  (caption ?? row.caption) === row.caption &&
  (alt ?? row.alt) === row.alt &&
  (tags ?? row.tags).join("\n") === row.tags.join("\n");

const hasNames = (
  { username, bio }: ProfileRow,
  { changes }: IntentBodies["profile.update"],
): boolean => (changes.username ?? username) === username && (changes.bio ?? bio) === bio;

const isProfileAs = (row: ProfileRow, body: IntentBodies["profile.update"]): boolean =>
  hasNames(row, body) &&
  (body.picture === "" || (body.picture === "delete") === (row.profilePictureUrl === ""));

async function isProfileLost(
  { replica }: ChangeDeps,
  before: Before,
  body: IntentBodies["profile.update"],
  isAcked: boolean,
): Promise<boolean> {
  const was = before.profiles.get(body.userId);
  const is = (await replica.profiles.findOne(body.userId).exec())?.toJSON();
  if (is === undefined) return false;
  if (!isAcked && (was === undefined || !isProfileAs(was, body))) return false;
  // The server names the file: another name, or none, is another picture. One that is not known is sent once more.
  const stood = isAcked ? body.stood : was?.profilePictureUrl;
  const wanted = body.picture === "delete" ? "" : stood;
  return !hasNames(is, body) || (body.picture !== "" && is.profilePictureUrl !== wanted);
}

/** Only where nothing would be marked that this person has not seen. */
async function isReadingLost(
  deps: ChangeDeps,
  before: Before,
  { conversationId, seen: remembered }: IntentBodies["conversation.read"],
  isAcked: boolean,
): Promise<boolean> {
  const doc = await deps.replica.conversations.findOne(conversationId).exec();
  if (doc === null) return false;
  const seen = new Set((isAcked ? remembered : undefined) ?? before.read.get(conversationId));
  const unread = await readMessages(deps, conversationId, false);
  const again = unread.filter((id) => seen.has(id)).length;
  return again > 0 && again === unreadOf(doc, deps.userId);
}

const unreadOf = (
  row: Pick<ConversationRow, "userA" | "unreadA" | "unreadB">,
  userId: string | null,
): number => (row.userA === userId ? row.unreadA : row.unreadB);
