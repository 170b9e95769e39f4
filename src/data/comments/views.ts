/** Comments as screens show them: those on a medium, and those that answer one of them. */
import { combineLatest, distinctUntilChanged, map, type Observable, of } from "rxjs";
import { writeRecords } from "@/data/engine/apply";
import type { Scope, Shared } from "@/data/engine/context";
import { pullRecords } from "@/data/engine/lists";
import { type Asked, askUntilAnswered, rowsOf, type Views } from "@/data/engine/live";
import type { CacheRows, Overlay, Waiting } from "@/data/engine/noun";
import { filterOf } from "@/data/engine/remote";
import { type Hides, hiderOf, mutes$ } from "@/data/people/mutes";
import type { Loaded } from "@/data/shapes";
import { ok } from "@/domain/result";
import { keepOrder } from "@/lib/keep-order";
import type { CommentToEdit } from "./intents";
import type { CommentRow } from "./row";
import type { CommentOrder, CommentsPage, CommentView } from "./shapes";

export const createCommentReads = ({ shared, loaded }: Views) => {
  const watch = (asked: Question) =>
    loaded(
      { key: `comments ${asked.mediaId} ${asked.parentId} ${asked.by}`, limit: asked.limit },
      (scope) => watchComments(shared, scope, asked),
    );
  return {
    /** Those that answer none, newest or most liked first. */
    watchComments: (mediaId: string, limit: number, by: CommentOrder = "newest") =>
      watch({ mediaId, parentId: "", limit, by }),
    /** The newest of those that answer a comment, oldest first. */
    watchReplies: (mediaId: string, parentId: string, limit: number) =>
      watch({ mediaId, parentId, limit, by: "newest" }),
    /** Which comment this one answers; "" for none, and where nobody knows it. */
    watchParent: (commentId: string) =>
      loaded(`parent ${commentId}`, (scope) => watchParent(shared, scope, commentId)),
  };
};

interface Question {
  mediaId: string;
  parentId: string;
  limit: number;
  by: CommentOrder;
}

/** The row's key of each order, and the server's. */
const ORDERS = {
  newest: { key: "sortKey", sort: "-createdAt,-id" },
  liked: { key: "likesKey", sort: "-likes,-createdAt,-id" },
} as const;

/** Pulled when they are first shown, and then kept fresh by the feed. */
function watchComments(shared: Shared, scope: Scope, question: Question) {
  const { mediaId, parentId, limit, by } = question;
  const { replica, overlay$ } = scope;
  const { key } = ORDERS[by];
  const rows$ = rowsOf<CommentRow>(
    replica.comments.find({
      selector: { mediaId, parentId },
      sort: [{ [key]: "asc" }],
      index: ["mediaId", "parentId", key],
      limit: limit + 1,
    }),
  );
  const count$ =
    parentId === ""
      ? replica.media.findOne(mediaId).$.pipe(map((doc) => doc?.comments ?? null))
      : replica.comments.findOne(parentId).$.pipe(map((doc) => doc?.replies ?? null));
  const asked$ = askUntilAnswered(shared, scope, () => pullComments(shared, scope, question));
  const counted$ = count$.pipe(distinctUntilChanged());
  const steady = by === "liked" ? keepPlaces() : (page: Loaded<CommentsPage>) => page;
  const hides$ = mutes$(scope).pipe(map((mutes) => hiderOf(mutes, scope.userId ?? "")));
  return combineLatest([rows$, overlay$, asked$, counted$, likedIds$(scope), hides$]).pipe(
    map(([rows, overlay, asked, counted, liked, hides]) =>
      steady(foldComments({ ...question, rows, overlay, asked, counted, liked, hides })),
    ),
  );
}

/** A like moves nothing that is on screen. What was just written here comes first. */
function keepPlaces() {
  let shown: readonly string[] = [];
  return (page: Loaded<CommentsPage>): Loaded<CommentsPage> => {
    if (page.state !== "ready") return page;
    const { items } = page.value;
    const here = new Map(items.map((item) => [item.id, item]));
    const written = items.filter(({ id, pending }) => pending !== null && !shown.includes(id));
    const before = shown.length === 0 ? [] : written.map(({ id }) => id);
    shown = keepOrder([...before, ...shown], [...here.keys()]);
    return { ...page, value: { ...page.value, items: shown.flatMap((id) => here.get(id) ?? []) } };
  };
}

async function pullComments({ remote }: Shared, { replica }: Scope, question: Question) {
  const { mediaId, parentId, limit, by } = question;
  const ofMedium = filterOf("mediaId = {:mediaId}", { mediaId });
  const query = { sort: ORDERS[by].sort, perPage: limit + 1 };
  const filter = `${ofMedium} && ${filterOf("parentId = {:parentId}", { parentId })}`;
  const listed = await pullRecords(remote, "comments", { ...query, filter });
  // A server of an earlier version knows no replies.
  const isUnknown = !listed.success && listed.error === "invalid";
  const found = isUnknown
    ? await pullRecords(remote, "comments", {
        ...query,
        sort: ORDERS.newest.sort,
        filter: ofMedium,
      })
    : listed;
  if (!found.success) return found;
  await writeRecords(replica, "comments", found.value);
  return ok(null);
}

/** Ids of comments, and of media, that the person likes by the server's word. */
const likedIds$ = ({ replica, userId }: Scope): Observable<ReadonlySet<string>> =>
  userId === null
    ? of(new Set<string>())
    : rowsOf<CacheRows["likes"]>(replica.likes.find()).pipe(
        map((rows) => new Set(rows.map((row) => row.mediaId))),
      );

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
  overlay: Pick<
    Overlay,
    "comments" | "editedComments" | "deletedComments" | "fewerReplies" | "likes"
  >;
  liked: ReadonlySet<string>;
  /** What is muted is not shown, though it counts. */
  hides: Hides;
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
  const { mediaId, parentId, limit, rows, overlay, by, hides } = known;
  const stored = new Set(rows.map((row) => row.id));
  const waiting = overlay.comments.get(mediaId) ?? [];
  const answers = (id: string) =>
    waiting.filter(({ body, mark }) => body.parentId === id && mark.state !== "refused").length;
  const queued = waiting
    .filter(({ body }) => (body.parentId ?? "") === parentId && !stored.has(body.commentId))
    .map(({ body, mark, createdAt }): CommentView => {
      const { commentId, ...shown } = body;
      const never = { replies: 0, likes: 0, liked: false, isEdited: false };
      return { ...shown, ...never, id: commentId, parentId, createdAt, pending: mark };
    });
  const sign = parentId === "" ? -1 : 1;
  return [...queued.reverse(), ...rows.slice(0, limit).map(commentView)]
    .filter(({ id, userId, text }) => !overlay.deletedComments.has(id) && !hides(userId, text))
    .map((comment) => ({
      ...withEdit(comment, overlay.editedComments.get(comment.id)),
      ...likesOf(comment, known),
      replies: Math.max(
        0,
        comment.replies + answers(comment.id) - (overlay.fewerReplies.get(comment.id) ?? 0),
      ),
    }))
    .sort((a, b) => (by === "liked" && b.likes - a.likes) || sign * (a.createdAt - b.createdAt));
}

function likesOf({ id, likes }: CommentView, { overlay, liked: ids }: CommentsKnown) {
  const before = ids.has(id);
  const liked = overlay.likes.get(id) ?? before;
  return { liked, likes: Math.max(0, likes + Number(liked) - Number(before)) };
}

function withEdit(comment: CommentView, edited?: Waiting<CommentToEdit>): CommentView {
  if (edited === undefined) return comment;
  const { body, mark } = edited;
  return { ...comment, text: body.text, isEdited: true, pending: comment.pending ?? mark };
}

function commentView({ sortKey, likesKey, seq, editedAt, ...shown }: CommentRow): CommentView {
  return { ...shown, liked: false, isEdited: editedAt > 0, pending: null };
}
