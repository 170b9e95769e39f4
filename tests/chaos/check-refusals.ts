/** Whether everything that was refused had a reason that somebody made, and is not there all the same. */
import { lacksConversation } from "@/domain/chats";
import type { Entry } from "./ledger";
import type { RowOnDisk } from "./rows-on-disk";
import { bodyOf, type Held, isRemoval, refusedRows, type ServerCheck } from "./what-is-there";

export function wrongRefusals({ ledger, left, world }: ServerCheck, held: Held): string[] {
  const { entries } = ledger;
  const late = new Set(left.flatMap(({ retried }) => retried.map((row) => row["target"])));
  const ids = new Set([...held.media, ...held.comments, ...held.messages].map(({ id }) => id));
  const refused = refusedRows(left);
  const chats = new Set(
    refused.filter((row) => row["kind"] === "conversation.create").map((row) => row["lane"]),
  );
  return refused.flatMap((row) => {
    const what = `${row["kind"]} ${row["target"]} was refused: ${row["code"]} ${row["message"]}`;
    if (isCreation(row) && ids.has(String(row["target"]))) return [`${what}, and it is there`];
    // The chat itself was refused before.
    const hasNoChat = lacksConversation(String(row["code"])) && chats.has(row["lane"]);
    const isBan = row["code"] === "chat_disabled" && world.wasBanned(row.userId) && isSaying(row);
    return hasNoChat || isBan || isExplained(row, entries, late) ? [] : [what];
  });
}

const isCreation = (row: RowOnDisk): boolean =>
  ["media.create", "comment.create", "message.send", "message.photo"].includes(String(row["kind"]));

/** What a ban from the chats forbids: to begin one, and to say something in one. */
const isSaying = (row: RowOnDisk): boolean =>
  ["conversation.create", "message.send", "message.photo"].includes(String(row["kind"]));

function isExplained(
  row: RowOnDisk & { userId: string },
  entries: readonly Entry[],
  late: ReadonlySet<unknown>,
): boolean {
  const { kind, code } = row;
  const mediaId = String(bodyOf(row)["mediaId"] ?? "");
  // What was said about a medium while a restore had taken it is refused too.
  const isGone = entries.some(
    (e) => e.mediaId === mediaId && (isRemoval(e) || (e.kind === "upload" && e.shaken)),
  );
  switch (code) {
    case "comments_closed":
      return entries.some((e) => e.kind === "edit-media" && e.mediaId === mediaId && e.on);
    case "blocked":
      return wasBlocked(row, entries);
    case "gone":
    case "not_found":
    case "no_conversation":
      if (String(kind).startsWith("message."))
        return lacksConversation(code) && wasBlocked(row, entries);
      return isGone || late.has(mediaId);
    case "conflict":
      // Offered again after a restore that knows of the removal by which it was dealt with.
      return kind === "report.create" && isGone;
    default:
      return false;
  }
}

/** Whether either of the two has ever blocked the other. */
function wasBlocked(row: RowOnDisk & { userId: string }, entries: readonly Entry[]): boolean {
  const others = othersOf(row, entries);
  return entries.some((e) => {
    if (e.kind !== "block" || !e.on) return false;
    // Whoever died while he uploaded may not know what became of it.
    if (others.length === 0) return e.userId === row.userId || e.otherId === row.userId;
    const two = [e.userId, e.otherId];
    return two.includes(row.userId) && others.some((other) => two.includes(other));
  });
}

/** Whom it is said to: of a medium its owner, and who wrote what is answered or liked on it. */
function othersOf(row: RowOnDisk & { userId: string }, entries: readonly Entry[]): string[] {
  const { otherId, conversationId, mediaId, parentId, commentId } = bodyOf(row);
  if (typeof otherId === "string") return [otherId];
  if (typeof conversationId === "string") {
    return conversationId.split("_").filter((id) => id !== row.userId);
  }
  const owner = entries.find((e) => e.kind === "upload" && e.mediaId === mediaId)?.userId;
  if (owner === undefined) return [];
  const about = [parentId, row["kind"] === "like.set" ? commentId : undefined];
  const authors = entries.filter(
    (e) => e.kind === "comment" && e.commentId !== "" && about.includes(e.commentId),
  );
  return [owner, ...authors.map(({ userId }) => userId)];
}
