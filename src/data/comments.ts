/** The comments of one medium, live: pulled when it is opened, and then kept fresh by the feed. */
import {
  combineLatest,
  concat,
  defer,
  distinctUntilChanged,
  filter,
  from,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  tap,
} from "rxjs";
import { ok, type Result } from "@/domain/result";
import { writeRecords } from "./engine/apply";
import { pullRecords } from "./engine/lists";
import type { Overlay } from "./engine/overlay";
import {
  count,
  countOf,
  defineSchema,
  id,
  instantOf,
  newestFirst,
  order,
  type RawRecord,
  text,
  textOf,
} from "./engine/rows";
import type { Scope, Shared } from "./engine/scope";
import type { CommentsPage, CommentView, Loaded } from "./shapes";

interface Question {
  mediaId: string;
  limit: number;
}

export function watchComments(
  shared: Shared,
  scope: Scope,
  question: Question,
): Observable<Loaded<CommentsPage>> {
  const { mediaId, limit } = question;
  const { replica, overlay$ } = scope;
  const rows$ = replica.comments
    .find({
      selector: { mediaId },
      sort: [{ sortKey: "asc" }],
      index: ["mediaId", "sortKey"],
      limit: limit + 1,
    })
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as CommentRow)));
  const counted$ = replica.media.findOne(mediaId).$.pipe(
    map((doc) => doc?.comments ?? null),
    distinctUntilChanged(),
  );
  return combineLatest([rows$, overlay$, asked$(shared, scope, question), counted$]).pipe(
    map(([rows, overlay, asked, counted]) =>
      foldComments({ ...question, rows, overlay, asked, counted }),
    ),
  );
}

/** Asks at once, and after a failure each time a pull came through: then the server is there again. */
function asked$(
  shared: Shared,
  { replica, status$ }: Scope,
  question: Question,
): Observable<Result<null> | null> {
  return defer(() => {
    let failed = false;
    const again$ = status$.pipe(filter(({ failure }) => failed && failure === null));
    return merge(of(null), again$).pipe(
      switchMap(() => concat(of(null), from(pullComments(shared, replica, question)))),
      tap((answer) => {
        failed = answer?.success === false;
      }),
    );
  });
}

async function pullComments(
  { remote }: Shared,
  replica: Scope["replica"],
  { mediaId, limit }: Question,
): Promise<Result<null>> {
  const listed = await pullRecords(remote, "comments", {
    filter: remote.filter("mediaId = {:mediaId}", { mediaId }),
    sort: "-createdAt,-id",
    perPage: limit + 1,
  });
  if (!listed.success) return listed;
  await writeRecords(replica, "comments", listed.value);
  return ok(null);
}

/** Comments as a screen shows them: the replica's rows with the overlay on top (law 1). Pure. */

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

export function commentView({ sortKey, seq, ...shown }: CommentRow): CommentView {
  return { ...shown, pending: null };
}

/** A comment on a medium. */

export interface CommentRow {
  id: string;
  mediaId: string;
  userId: string;
  username: string;
  text: string;
  createdAt: number;
  sortKey: number;
  seq: number;
}

export const commentsSchema = defineSchema<CommentRow>(
  {
    id: id(),
    mediaId: id(),
    userId: id(),
    username: text(),
    text: text(),
    createdAt: count(),
    sortKey: order(),
    seq: count(),
  },
  [["mediaId", "sortKey"]],
);

export function commentRow(record: RawRecord): CommentRow | null {
  const mediaId = textOf(record, "mediaId");
  if (textOf(record, "id") === "" || mediaId === "") return null;
  const createdAt = instantOf(record, "createdAt", "timestamp");
  return {
    id: textOf(record, "id"),
    mediaId,
    userId: textOf(record, "userId", "uid"),
    username: textOf(record, "username"),
    text: textOf(record, "text"),
    createdAt,
    sortKey: newestFirst(createdAt),
    seq: countOf(record, "seq"),
  };
}
