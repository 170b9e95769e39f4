/** What can be done with comments offline: the kinds of intent, and the writes at the end. */
import type { Acts } from "@/data/engine/enqueue";
import { defineChange, defineKind, type Replica } from "@/data/engine/noun";
import { records } from "@/data/engine/remote";
import type { Queued } from "@/data/shapes";
import { newId } from "@/domain/ids";
import { COMMENT_MAX } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";
import type { CommentView } from "./shapes";

interface CommentToCreate {
  commentId: string;
  mediaId: string;
  userId: string;
  username: string;
  text: string;
  /** Those of earlier versions lack it. */
  parentId?: string;
}

export interface CommentToEdit {
  commentId: string;
  mediaId: string;
  text: string;
}

interface CommentToDelete {
  commentId: string;
  mediaId: string;
  /** As it was shown when that was asked; those of earlier versions lack both. */
  parentId?: string;
  replies?: number;
}

declare module "@/data/engine/noun" {
  interface IntentBodies {
    "comment.create": CommentToCreate;
    "comment.edit": CommentToEdit;
    "comment.delete": CommentToDelete;
  }
  interface Overlay {
    comments: ReadonlyMap<string, Waiting<CommentToCreate>[]>;
    /** By their ids. */
    editedComments: ReadonlyMap<string, Waiting<CommentToEdit>>;
    deletedComments: ReadonlySet<string>;
    /** By their medium, and by the comment that they answered. */
    fewerComments: ReadonlyMap<string, number>;
    fewerReplies: ReadonlyMap<string, number>;
  }
}

export const emptyCommentOverlay = () => ({
  comments: new Map(),
  editedComments: new Map(),
  deletedComments: new Set<string>(),
  fewerComments: new Map(),
  fewerReplies: new Map(),
});

const aboutMedium = {
  lane: ({ mediaId }: { mediaId: string }) => `media:${mediaId}`,
  target: ({ commentId }: { commentId: string }) => commentId,
  subject: ({ mediaId }: { mediaId: string }) => ({ name: "media", id: mediaId }) as const,
};

const create = defineKind<"comment.create">({
  ...aboutMedium,
  kind: "comment.create",
  needs: ["commentId", "mediaId", "userId", "text"],
  request: ({ commentId, mediaId, userId, text, parentId = "" }) => ({
    path: records("comments"),
    method: "POST",
    body: { id: commentId, mediaId, userId, text, ...(parentId && { parentId }) },
  }),
  // The medium went meanwhile, and every comment on it with it; or the comment with its replies.
  goneSettles: () => true,
  // Its text may have been changed on another device meanwhile.
  duplicateSettles: ({ commentId, mediaId, userId, parentId = "" }) => ({
    path: records("comments", commentId),
    equal: { mediaId, userId, ...(parentId && { parentId }) },
  }),
  lay(overlay, waiting) {
    const { mediaId } = waiting.body;
    overlay.comments.set(mediaId, [...(overlay.comments.get(mediaId) ?? []), waiting]);
  },
  staysWhenRefused: true,
  makes: ({ commentId }) => ({ name: "comments", id: commentId, on: true }),
  about: ({ mediaId, parentId = "" }) =>
    parentId === "" ? { name: "media", id: mediaId } : { name: "comments", id: parentId },
  label: ({ text }) => text,
});

const edit = defineKind<"comment.edit">({
  ...aboutMedium,
  kind: "comment.edit",
  needs: ["commentId", "mediaId", "text"],
  toggle: true,
  request: ({ commentId, text }) => ({
    path: records("comments", commentId),
    method: "PATCH",
    body: { text },
  }),
  goneSettles: () => true,
  lay: (overlay, waiting) => overlay.editedComments.set(waiting.body.commentId, waiting),
  about: ({ commentId }) => ({ name: "comments", id: commentId }),
  change: defineChange<CommentToEdit, string | undefined>({
    before: ({ replica }, { commentId }) => readText(replica, commentId),
    remember: (before, { text }) => (before === text ? {} : null),
    // One that the server lost comes again as it was first written.
    async isLost({ replica, isLost }, { commentId, text }, { before, isAcked }) {
      if (!isAcked && before !== text) return false;
      return (
        isLost({ name: "comments", id: commentId }) || (await readText(replica, commentId)) !== text
      );
    },
  }),
  label: ({ text }) => text,
});

const readText = async ({ comments }: Pick<Replica, "comments">, id: string) =>
  (await comments.findOne(id).exec())?.text;

const remove = defineKind<"comment.delete">({
  ...aboutMedium,
  kind: "comment.delete",
  needs: ["commentId", "mediaId"],
  request: ({ commentId }) => ({ path: records("comments", commentId), method: "DELETE" }),
  goneSettles: () => true,
  lay({ deletedComments, fewerComments, fewerReplies }, { body }) {
    const { mediaId, commentId, parentId = "", replies = 0 } = body;
    // One comment goes once, however often that was asked, and its replies with it.
    if (deletedComments.has(commentId)) return;
    deletedComments.add(commentId);
    fewerComments.set(mediaId, (fewerComments.get(mediaId) ?? 0) + 1 + replies);
    fewerReplies.set(parentId, (fewerReplies.get(parentId) ?? 0) + 1);
  },
  change: { isLost: () => true },
  undoes: (later, row) =>
    (row.kind === create.kind || row.kind === edit.kind) && row.target === later.target,
  deletes: true,
});

export const commentKinds = [create, edit, remove];

export function createCommentWrites(acts: Acts) {
  return {
    /** `parentId` is "" for a comment that answers none. */
    async addComment(
      mediaId: string,
      words: string,
      parentId = "",
    ): Promise<Result<{ commentId: string }>> {
      const text = words.trim();
      if (acts.user() === null) return failed("unauthenticated");
      if (isBlank(text)) return failed("text_empty");
      if (text.length > COMMENT_MAX) return failed("text_long");
      const commentId = newId(acts.shared.deps.random);
      const queued = await acts.enqueueAs(({ id: userId, username }) => ({
        kind: "comment.create",
        body: { commentId, mediaId, userId, username, text, ...(parentId && { parentId }) },
      }));
      return queued.success ? ok({ commentId }) : queued;
    },
    /** The server takes it for `COMMENT_EDIT_MS`. */
    async editComment(mediaId: string, commentId: string, words: string): Promise<Result<Queued>> {
      const text = words.trim();
      if (isBlank(text)) return failed("text_empty");
      if (text.length > COMMENT_MAX) return failed("text_long");
      return acts.enqueueAs(() => ({ kind: "comment.edit", body: { mediaId, commentId, text } }));
    },
    /** `shown` is what is known of it: where it stands, and how many replies go with it. */
    deleteComment: (
      mediaId: string,
      commentId: string,
      shown: Partial<Pick<CommentView, "parentId" | "replies">> = {},
    ): Promise<Result<Queued>> =>
      acts.enqueueAs(() => ({
        kind: "comment.delete",
        body: {
          mediaId,
          commentId,
          ...(shown.parentId && { parentId: shown.parentId }),
          ...(shown.replies && { replies: shown.replies }),
        },
      })),
  };
}
