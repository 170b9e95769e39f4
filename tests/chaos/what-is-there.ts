/** What the server has when all is healed, and what was left on the devices beside it. */

import type { Exchange } from "@tests/support/fault-proxy";
import { pairId } from "@/domain/ids";
import type { Entry, Ledger } from "./ledger";
import type { RowOnDisk } from "./rows-on-disk";
import type { Left } from "./settle-device";
import { OLD_MEDIA, type Person, type World } from "./world";

export interface ServerCheck {
  world: World;
  ledger: Ledger;
  left: readonly Left[];
  people: readonly Person[];
  /** What met each request, by device. */
  seen: Readonly<Record<string, readonly Exchange[]>>;
  /** What a device keeps of what it sent, and would send again, `device target`. */
  kept: ReadonlySet<string>;
}

export type Row = Record<string, string>;

export interface Held {
  media: Row[];
  comments: Row[];
  reports: Row[];
  likes: Row[];
  commentLikes: Row[];
  saves: Row[];
  folders: Row[];
  follows: Row[];
  blocks: Row[];
  mutes: Row[];
  conversations: Row[];
  messages: Row[];
  notifications: Row[];
  /** Owners by medium, of those that were there before, too. */
  owners: ReadonlyMap<string, string>;
  /** The admin's id. */
  steward: string;
  /** What was told of a like or a follow within a day, and is gone. */
  told: Row[];
  /** Media that an admin removed: what is not in the audit book, no admin did. */
  moderated: ReadonlySet<unknown>;
}

export async function readAll({ query }: World): Promise<Held> {
  const moderated = await query("SELECT target FROM audit WHERE action = 'media.delete'");
  const read = async (table: string, columns: string) =>
    (await query(`SELECT ${columns} FROM ${table} ORDER BY rowid`)) as Row[];
  const likes = await read("likes", "id, userId, mediaId, commentId");
  const saves = await read("saves", "id, userId, mediaId, folderId, name");
  const blocks = await read("blocks", "id, blockerId, blockedId, mutedId");
  return {
    media: (await read("media", "id, userId, caption, post, postIndex")).filter(
      ({ id }) => !OLD_MEDIA.includes(String(id)),
    ),
    comments: await read("comments", "id, userId, mediaId, parentId, text"),
    reports: await read("reports", "id, userId, mediaId, reason"),
    likes: likes.filter(({ commentId }) => commentId === ""),
    commentLikes: likes.filter(({ commentId }) => commentId !== ""),
    saves: saves.filter(({ mediaId }) => mediaId !== ""),
    folders: saves.filter(({ mediaId }) => mediaId === ""),
    follows: await read(
      "follows",
      "id, followerId, iif(tag = '', followingId, '#' || tag) AS followingId",
    ),
    blocks: blocks.filter(({ blockedId }) => blockedId !== ""),
    mutes: blocks.filter(({ mutedId }) => mutedId !== ""),
    conversations: await read("conversations", "id"),
    messages: (await query(
      "SELECT id, senderId AS userId, recipientId, message, deleted FROM messages ORDER BY ord",
    )) as Row[],
    notifications: await read("notifications", "id, userId, kind, actorId, readAt"),
    owners: new Map(
      (await read("media", "id, userId")).map(({ id = "", userId = "" }) => [id, userId]),
    ),
    steward: String((await query("SELECT id FROM users WHERE username = 'steward'"))[0]?.["id"]),
    told: (await query("SELECT id FROM _told")) as Row[],
    moderated: new Set(moderated.map(({ target }) => target)),
  };
}

export const refusedRows = (left: readonly Left[]): (RowOnDisk & { userId: string })[] =>
  left.flatMap(({ refused, userId }) => refused.map((row) => ({ ...row, userId })));
export const bodyOf = (row: RowOnDisk): Record<string, unknown> =>
  row["body"] as Record<string, unknown>;

/** The comment that it answers or likes; null where it is about none. */
export function commentAbout(row: RowOnDisk): string | null {
  const { parentId, commentId } = bodyOf(row);
  const about = row["kind"] === "like.set" ? commentId : parentId;
  return typeof about === "string" && about !== "" ? about : null;
}

export const isRemoval = ({ kind }: Entry): boolean =>
  kind === "delete-media" || kind === "moderate";

/**
 * What was said about a medium while a restore had taken it, or before one undid its deletion, ends quietly, as if it had
 * been deleted for good. It is sent after all where the medium comes back, unless the device has forgotten it by then: its clock was set, or its person left.
 */
export function endedQuietly(check: ServerCheck, e: Entry): boolean {
  const target = e.commentId || e.mediaId;
  if (check.kept.has(`${e.device} ${target}`)) return false;
  return toldOfRestored(check, e).at(-1) === 404;
}

/** Whether it was turned away at least once while a restore had taken its medium. */
export const wasTurnedAway = (check: ServerCheck, e: Entry): boolean =>
  toldOfRestored(check, e).includes(404);

/** What a restore may take, and what it may undo. */
const ABOUT_COMMENTS: ReadonlySet<Entry["kind"]> = new Set(["comment", "delete-comment"]);

/**
 * What a device was told of its comment or like, in turn, where a restore has ever taken the medium or what it answers, or
 * undone that it was deleted.
 */
function toldOfRestored({ ledger, seen }: ServerCheck, e: Entry): number[] {
  const wasAway = ledger.entries.some(
    (other) =>
      other.shaken &&
      (((other.kind === "upload" || isRemoval(other)) && other.mediaId === e.mediaId) ||
        [e.parentId, e.kind === "like-comment" ? e.commentId : ""].some(
          (id) => id !== "" && ABOUT_COMMENTS.has(other.kind) && other.commentId === id,
        )),
  );
  if (!wasAway) return [];
  const [table, id] = rowOf(e);
  const path = `/api/collections/${table}/records`;
  return (seen[e.device] ?? [])
    .filter((asked) => asked.path === path && asked.said.includes(`"${id}"`))
    .map(({ status }) => status)
    .filter((status) => status !== 0);
}

function rowOf({ kind, commentId, mediaId, userId }: Entry): [table: string, id: string] {
  if (kind === "comment") return ["comments", commentId];
  if (kind === "save") return ["saves", pairId(userId, mediaId)];
  return ["likes", pairId(commentId || mediaId, userId)];
}

/**
 * Whose author took the whole medium away afterwards, by the server's word, has taken it back with it: a restore that brings
 * the medium back may find him no longer an admin who could remove it again.
 */
export const wentWithMedium = ({ ledger, seen }: ServerCheck, e: Entry): boolean =>
  ledger.entries.some(
    (later) =>
      later.n > e.n &&
      later.device === e.device &&
      later.userId === e.userId &&
      later.mediaId === e.mediaId &&
      isRemoval(later) &&
      (seen[e.device] ?? []).some(
        ({ method, path, status, as }) =>
          method === "DELETE" &&
          path === `/api/collections/media/records/${e.mediaId}` &&
          status === 204 &&
          as === e.userId,
      ),
  );
