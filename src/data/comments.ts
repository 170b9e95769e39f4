/** Comments: their rows in the replica, their offline acts, and how they are shown. */
import { combineLatest, distinctUntilChanged, map } from "rxjs";
import { newId } from "@/domain/ids";
import { COMMENT_MAX } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";
import { writeRecords } from "./engine/apply";
import type { Scope, Shared } from "./engine/context";
import type { Acts } from "./engine/enqueue";
import { pullRecords } from "./engine/lists";
import { type Asked, askUntilAnswered, rowsOf, type Views } from "./engine/live";
import { defineKind, type Noun, type Overlay } from "./engine/noun";
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
}

declare module "@/data/engine/noun" {
  interface CacheRows {
    comments: CommentRow;
  }
  interface IntentBodies {
    "comment.create": CommentToCreate;
    "comment.delete": { commentId: string; mediaId: string };
  }
  interface Overlay {
    comments: ReadonlyMap<string, Waiting<CommentToCreate>[]>;
    deletedComments: ReadonlySet<string>;
    fewerComments: ReadonlyMap<string, number>;
  }
}

const readComment = rowReader<CommentRow>(columns);

function commentRow(record: RawRecord): CommentRow | null {
  const createdAt = instantOf(record, "createdAt", "timestamp");
  const given = {
    userId: textOf(record, "userId", "uid"),
    createdAt,
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
  request: ({ commentId, mediaId, userId, text }) => ({
    path: records("comments"),
    method: "POST",
    body: { id: commentId, mediaId, userId, text },
  }),
  // The medium went meanwhile, and every comment on it with it.
  goneSettles: () => true,
  duplicateSettles: ({ commentId, mediaId, userId, text }) => ({
    path: records("comments", commentId),
    equal: { mediaId, userId, text },
  }),
  lay(overlay, waiting) {
    const { mediaId } = waiting.body;
    overlay.comments.set(mediaId, [...(overlay.comments.get(mediaId) ?? []), waiting]);
  },
  staysWhenRefused: true,
  makes: ({ commentId }) => ({ name: "comments", id: commentId, on: true }),
  about: aboutMedium.subject,
  label: ({ text }) => text,
});

const remove = defineKind<"comment.delete">({
  ...aboutMedium,
  kind: "comment.delete",
  needs: ["commentId", "mediaId"],
  request: ({ commentId }) => ({ path: records("comments", commentId), method: "DELETE" }),
  goneSettles: () => true,
  lay({ deletedComments, fewerComments }, { body: { mediaId, commentId } }) {
    // One comment goes once, however often that was asked.
    if (deletedComments.has(commentId)) return;
    deletedComments.add(commentId);
    fewerComments.set(mediaId, (fewerComments.get(mediaId) ?? 0) + 1);
  },
  change: { isLost: () => true },
  undoes: (later, row) => row.kind === create.kind && row.target === later.target,
  deletes: true,
});

export const comments: Noun = {
  collections: {
    comments: {
      schema: defineSchema<CommentRow>(columns, [["mediaId", "sortKey"]]),
      read: commentRow,
      holds: "shown",
      copies: { column: "username", from: "profiles", by: "userId" },
    },
  },
  kinds: [create, remove],
  emptyOverlay: () => ({
    comments: new Map(),
    deletedComments: new Set(),
    fewerComments: new Map(),
  }),
};

export function createCommentWrites(acts: Acts) {
  return {
    async addComment(mediaId: string, words: string): Promise<Result<{ commentId: string }>> {
      const text = words.trim();
      if (acts.user() === null) return failed("unauthenticated");
      if (isBlank(text)) return failed("text_empty");
      if (text.length > COMMENT_MAX) return failed("text_long");
      const commentId = newId(acts.shared.deps.random);
      const queued = await acts.enqueueAs(({ id: userId, username }) => ({
        kind: "comment.create",
        body: { commentId, mediaId, userId, username, text },
      }));
      return queued.success ? ok({ commentId }) : queued;
    },
    deleteComment: (mediaId: string, commentId: string): Promise<Result<Queued>> =>
      acts.enqueueAs(() => ({ kind: "comment.delete", body: { mediaId, commentId } })),
  };
}

export const createCommentReads = ({ shared, loaded }: Views) => ({
  watchComments: (mediaId: string, limit: number) =>
    loaded({ key: `comments ${mediaId}`, limit }, (scope) =>
      watchComments(shared, scope, { mediaId, limit }),
    ),
});

interface Question {
  mediaId: string;
  limit: number;
}

/** Pulled when they are first shown, and then kept fresh by the feed. */
function watchComments(shared: Shared, scope: Scope, question: Question) {
  const { mediaId, limit } = question;
  const { replica, overlay$ } = scope;
  const rows$ = rowsOf<CommentRow>(
    replica.comments.find({
      selector: { mediaId },
      sort: [{ sortKey: "asc" }],
      index: ["mediaId", "sortKey"],
      limit: limit + 1,
    }),
  );
  const counted$ = replica.media.findOne(mediaId).$.pipe(
    map((doc) => doc?.comments ?? null),
    distinctUntilChanged(),
  );
  const asked$ = askUntilAnswered(shared, scope, () => pullComments(shared, scope, question));
  return combineLatest([rows$, overlay$, asked$, counted$]).pipe(
    map(([rows, overlay, asked, counted]) =>
      foldComments({ ...question, rows, overlay, asked, counted }),
    ),
  );
}

async function pullComments({ remote }: Shared, { replica }: Scope, { mediaId, limit }: Question) {
  const listed = await pullRecords(remote, "comments", {
    filter: filterOf("mediaId = {:mediaId}", { mediaId }),
    sort: "-createdAt,-id",
    perPage: limit + 1,
  });
  if (!listed.success) return listed;
  await writeRecords(replica, "comments", listed.value);
  return ok(null);
}

interface CommentsKnown {
  mediaId: string;
  limit: number;
  /** Newest first; one more than `limit` where there are so many. */
  rows: readonly CommentRow[];
  overlay: Pick<Overlay, "comments" | "deletedComments">;
  asked: Asked<null>;
  /** How many there are by the medium's own count; null where the medium is not known. */
  counted: number | null;
}

/** Comments as a screen shows them: the rows with the overlay on top (law 1). Pure. */
function foldComments(known: CommentsKnown): Loaded<CommentsPage> {
  const { rows, limit, asked, counted } = known;
  const items = commentsShown(known);
  const hasMore = rows.length > limit;
  const incomplete = asked?.success === false && !hasMore && rows.length < (counted ?? 1);
  const page: Loaded<CommentsPage> = { state: "ready", value: { items, hasMore, incomplete } };
  // Nothing here and not asked is not "no comments" (law 4).
  if (asked?.success === true || items.length > 0 || counted === 0) return page;
  return asked === null ? { state: "loading" } : { state: "failed", code: asked.error };
}

function commentsShown({ mediaId, limit, rows, overlay }: CommentsKnown): CommentView[] {
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

function commentView({ sortKey, seq, ...shown }: CommentRow): CommentView {
  return { ...shown, pending: null };
}
