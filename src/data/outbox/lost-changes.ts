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
  const stood = row.state === "acked" || hasStood(before, intent);
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
      return stood && isEditLost(deps, lost.media, intent.body);
    case "profile.update":
      return isProfileLost(deps, before, intent.body);
    case "conversation.read":
      return isReadingLost(deps, before, intent.body.conversationId);
    default:
      return false;
  }
}

/** Whether the replica had the change; what was acknowledged and had not come back yet always counts as standing. */
export function hasStood(before: Before, intent: Intent): boolean {
  if (intent.kind !== "media.update") return false;
  const was = before.media.get(intent.body.mediaId);
  return was !== undefined && isAs(was, intent.body.changes);
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

async function isProfileLost(
  { replica }: ChangeDeps,
  before: Before,
  { userId, changes, picture }: IntentBodies["profile.update"],
): Promise<boolean> {
  const was = before.profiles.get(userId);
  const is = (await replica.profiles.findOne(userId).exec())?.toJSON();
  if (was === undefined || is === undefined) return false;
  const hasNames = (row: ProfileRow) =>
    (changes.username ?? row.username) === row.username && (changes.bio ?? row.bio) === row.bio;
  const stood = picture === "" || (picture === "delete") === (was.profilePictureUrl === "");
  // The server names the file: another name, or none, is another picture.
  const stands = picture === "" || is.profilePictureUrl === was.profilePictureUrl;
  return stood && hasNames(was) && !(stands && hasNames(is));
}

/** Only where nothing would be marked that this person has not seen. */
async function isReadingLost(
  deps: ChangeDeps,
  before: Before,
  conversationId: string,
): Promise<boolean> {
  const doc = await deps.replica.conversations.findOne(conversationId).exec();
  if (doc === null) return false;
  const seen = new Set(before.read.get(conversationId));
  const unread = await readMessages(deps, conversationId, false);
  const again = unread.filter((id) => seen.has(id)).length;
  return again > 0 && again === unreadOf(doc, deps.userId);
}

const unreadOf = (
  row: Pick<ConversationRow, "userA" | "unreadA" | "unreadB">,
  userId: string | null,
): number => (row.userA === userId ? row.unreadA : row.unreadB);
