/**
 * Comments and the replies to them: their rows in the replica, their offline acts, and how they are
 * shown. A reply is a comment with a parent, which is a comment on the same medium without one.
 */
import { combineLatest, distinctUntilChanged, map, type Observable, of } from "rxjs";
import { newId } from "@/domain/ids";
import { COMMENT_MAX } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";
import { writeRecords } from "./engine/apply";
import type { Scope, Shared } from "./engine/context";
import type { Acts } from "./engine/enqueue";
import { pullRecords } from "./engine/lists";
import { type Asked, askUntilAnswered, rowsOf, type Views } from "./engine/live";
import {
  defineChange,
  defineKind,
  type Noun,
  type Overlay,
  type Replica,
  type Waiting,
} from "./engine/noun";
import { filterOf, records } from "./engine/remote";
import {
  count,
  defineSchema,
  id,
  instantOf,
  newestFirst,
  order,
  type RawRecord,
  type RowOf,
  rowReader,
  rowWith,
  text,
  textOf,
} from "./engine/rows";
import type { CommentsPage, CommentView, Loaded, Queued } from "./shapes";

const columns = {
  id: id(),
  mediaId: id(),
  userId: id(),
  username: text(),
  text: text(),
  /** "" for a comment that answers none. */
  parentId: id(),
  replies: count(),
  /** 0 where nobody has changed its text. */
  editedAt: count(),
  createdAt: count(),
  sortKey: order(),
  seq: count(),
};

type CommentRow = RowOf<typeof columns>;

interface CommentToCreate {
  commentId: string;
  mediaId: string;
  userId: string;
  username: string;
  text: string;
  /** Those of earlier versions lack it. */
  parentId?: string;
}

interface CommentToEdit {
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
  interface CacheRows {
    comments: CommentRow;
  }
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

const readComment = rowReader<CommentRow>(columns);

function commentRow(record: RawRecord): CommentRow | null {
  const createdAt = instantOf(record, "createdAt", "timestamp");
  const given = {
    userId: textOf(record, "userId", "uid"),
    createdAt,
    editedAt: instantOf(record, "editedAt"),
    sortKey: newestFirst(createdAt),
  };
  return rowWith(readComment(record, given), "id", "mediaId");
}

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

export const comments: Noun = {
  collections: {
    comments: {
      schema: defineSchema<CommentRow>(columns, [["mediaId", "parentId", "sortKey"]]),
      read: commentRow,
      holds: "shown",
      copies: { column: "username", from: "profiles", by: "userId" },
    },
  },
  kinds: [create, edit, remove],
  emptyOverlay: () => ({
    comments: new Map(),
    editedComments: new Map(),
    deletedComments: new Set(),
    fewerComments: new Map(),
    fewerReplies: new Map(),
  }),
};

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

export const createCommentReads = ({ shared, loaded }: Views) => {
  const watch = (asked: Question) =>
    loaded({ key: `comments ${asked.mediaId} ${asked.parentId}`, limit: asked.limit }, (scope) =>
      watchComments(shared, scope, asked),
    );
  return {
    /** Those that answer none, newest first. */
    watchComments: (mediaId: string, limit: number) => watch({ mediaId, parentId: "", limit }),
    /** The newest of those that answer a comment, oldest first. */
    watchReplies: (mediaId: string, parentId: string, limit: number) =>
      watch({ mediaId, parentId, limit }),
    /** Which comment this one answers; "" for none, and where nobody knows it. */
    watchParent: (commentId: string) =>
      loaded(`parent ${commentId}`, (scope) => watchParent(shared, scope, commentId)),
  };
};

interface Question {
  mediaId: string;
  parentId: string;
  limit: number;
}

/** Pulled when they are first shown, and then kept fresh by the feed. */
function watchComments(shared: Shared, scope: Scope, question: Question) {
  const { mediaId, parentId, limit } = question;
  const { replica, overlay$ } = scope;
  const rows$ = rowsOf<CommentRow>(
    replica.comments.find({
      selector: { mediaId, parentId },
      sort: [{ sortKey: "asc" }],
      index: ["mediaId", "parentId", "sortKey"],
      limit: limit + 1,
    }),
  );
  const count$ =
    parentId === ""
      ? replica.media.findOne(mediaId).$.pipe(map((doc) => doc?.comments ?? null))
      : replica.comments.findOne(parentId).$.pipe(map((doc) => doc?.replies ?? null));
  const asked$ = askUntilAnswered(shared, scope, () => pullComments(shared, scope, question));
  return combineLatest([rows$, overlay$, asked$, count$.pipe(distinctUntilChanged())]).pipe(
    map(([rows, overlay, asked, counted]) =>
      foldComments({ ...question, rows, overlay, asked, counted }),
    ),
  );
}

async function pullComments({ remote }: Shared, { replica }: Scope, question: Question) {
  const { mediaId, parentId, limit } = question;
  const ofMedium = filterOf("mediaId = {:mediaId}", { mediaId });
  const query = { sort: "-createdAt,-id", perPage: limit + 1 };
  const filter = `${ofMedium} && ${filterOf("parentId = {:parentId}", { parentId })}`;
  const listed = await pullRecords(remote, "comments", { ...query, filter });
  // A server of an earlier version knows no replies.
  const isUnknown = !listed.success && listed.error === "invalid";
  const found = isUnknown
    ? await pullRecords(remote, "comments", { ...query, filter: ofMedium })
    : listed;
  if (!found.success) return found;
  await writeRecords(replica, "comments", found.value);
  return ok(null);
}

function watchParent(shared: Shared, scope: Scope, commentId: string): Observable<Loaded<string>> {
  if (commentId === "") return of({ state: "ready", value: "" });
  const { replica, overlay$ } = scope;
  const asked$ = askUntilAnswered(shared, scope, async () => {
    if ((await replica.comments.findOne(commentId).exec()) !== null) return ok(null);
    const filter = filterOf("id = {:commentId}", { commentId });
    const listed = await pullRecords(shared.remote, "comments", { filter, perPage: 1 });
    if (!listed.success) return listed;
    await writeRecords(replica, "comments", listed.value);
    return ok(null);
  });
  const row$ = replica.comments.findOne(commentId).$;
  return combineLatest([row$, overlay$, asked$]).pipe(
    map(([row, overlay, asked]): Loaded<string> => {
      const waiting = [...overlay.comments.values()].flat().map(({ body }) => body);
      const found = row ?? waiting.find((body) => body.commentId === commentId);
      if (found !== undefined || asked?.success === true) {
        return { state: "ready", value: found?.parentId ?? "" };
      }
      return asked === null ? { state: "loading" } : { state: "failed", code: asked.error };
    }),
  );
}

interface CommentsKnown extends Question {
  /** Newest first; one more than `limit` where there are so many. */
  rows: readonly CommentRow[];
  overlay: Pick<Overlay, "comments" | "editedComments" | "deletedComments" | "fewerReplies">;
  asked: Asked<null>;
  /** How many there are by the count of what they are on; null where that is not known. */
  counted: number | null;
}

/** Comments as a screen shows them: the rows with the overlay on top (law 1). Pure. */
function foldComments(known: CommentsKnown): Loaded<CommentsPage> {
  const { rows, limit, asked, counted } = known;
  const items = commentsShown(known);
  const hasMore = rows.length > limit;
  const there = rows.reduce((sum, { replies }) => sum + 1 + replies, 0);
  const incomplete = asked?.success === false && !hasMore && there < (counted ?? 1);
  const page: Loaded<CommentsPage> = { state: "ready", value: { items, hasMore, incomplete } };
  // Nothing here and not asked is not "no comments" (law 4).
  if (asked?.success === true || items.length > 0 || counted === 0) return page;
  return asked === null ? { state: "loading" } : { state: "failed", code: asked.error };
}

function commentsShown(known: CommentsKnown): CommentView[] {
  const { mediaId, parentId, limit, rows, overlay } = known;
  const stored = new Set(rows.map((row) => row.id));
  const waiting = overlay.comments.get(mediaId) ?? [];
  const answers = (id: string) =>
    waiting.filter(({ body, mark }) => body.parentId === id && mark.state !== "refused").length;
  const queued = waiting
    .filter(({ body }) => (body.parentId ?? "") === parentId && !stored.has(body.commentId))
    .map(({ body, mark, createdAt }): CommentView => {
      const { commentId, ...shown } = body;
      const never = { replies: 0, isEdited: false };
      return { ...shown, ...never, id: commentId, parentId, createdAt, pending: mark };
    });
  const sign = parentId === "" ? -1 : 1;
  return [...queued.reverse(), ...rows.slice(0, limit).map(commentView)]
    .filter(({ id }) => !overlay.deletedComments.has(id))
    .map((comment) => ({
      ...withEdit(comment, overlay.editedComments.get(comment.id)),
      replies: Math.max(
        0,
        comment.replies + answers(comment.id) - (overlay.fewerReplies.get(comment.id) ?? 0),
      ),
    }))
    .sort((a, b) => sign * (a.createdAt - b.createdAt));
}

function withEdit(comment: CommentView, edited?: Waiting<CommentToEdit>): CommentView {
  if (edited === undefined) return comment;
  const { body, mark } = edited;
  return { ...comment, text: body.text, isEdited: true, pending: comment.pending ?? mark };
}

function commentView({ sortKey, seq, editedAt, ...shown }: CommentRow): CommentView {
  return { ...shown, isEdited: editedAt > 0, pending: null };
}
