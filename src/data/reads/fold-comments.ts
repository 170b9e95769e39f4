/** Comments as a screen shows them: the replica's rows with the overlay on top (law 1). Pure. */
import type { CommentView, Loaded } from "@/data/client-api";
import type { CommentsPage } from "@/data/comments-api";
import type { Overlay } from "@/data/outbox/read-overlay";
import type { CommentRow } from "@/data/schema/comments";
import type { Result } from "@/domain/result";

export interface CommentsKnown {
  mediaId: string;
  limit: number;
  /** Newest first; one more than `limit` where there are so many. */
  rows: readonly CommentRow[];
  overlay: Pick<Overlay, "comments" | "deletedComments">;
  /** The server's answer; null while it is being asked. */
  asked: Result<null> | null;
  /** How many there are by the medium's own count; null where the medium is not known. */
  counted: number | null;
}

export function foldComments(known: CommentsKnown): Loaded<CommentsPage> {
  const { rows, limit, asked, counted } = known;
  const items = newestFirst(known);
  const hasMore = rows.length > limit;
  const incomplete = asked?.success === false && !hasMore && rows.length < (counted ?? 1);
  const page: Loaded<CommentsPage> = { state: "ready", value: { items, hasMore, incomplete } };
  // Nothing here and not asked is not "no comments" (law 4).
  if (asked?.success === true || items.length > 0 || counted === 0) return page;
  return asked === null ? { state: "loading" } : { state: "failed", code: asked.error };
}

function newestFirst({ mediaId, limit, rows, overlay }: CommentsKnown): CommentView[] {
  const stored = new Set(rows.map((row) => row.id));
  const queued = (overlay.comments.get(mediaId) ?? [])
    .filter(({ body }) => !stored.has(body.commentId))
    .map(({ body, mark, createdAt }): CommentView => {
      const { commentId, userId, username, text } = body;
      return { id: commentId, mediaId, userId, username, text, createdAt, pending: mark };
    });
  return [...queued.reverse(), ...rows.slice(0, limit).map(commentView)]
    .filter(({ id }) => !overlay.deletedComments.has(id))
    .sort((a, b) => b.createdAt - a.createdAt);
}

export function commentView({ sortKey, seq, ...shown }: CommentRow): CommentView {
  return { ...shown, pending: null };
}
