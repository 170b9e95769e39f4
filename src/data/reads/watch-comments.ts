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
import type { Loaded } from "@/data/client-api";
import type { CommentsPage } from "@/data/comments-api";
import type { Scope } from "@/data/open-scope";
import type { CommentRow } from "@/data/schema/comments";
import type { Shared } from "@/data/scope-parts";
import { writeRecords } from "@/data/sync/apply-changes";
import { pullRecords } from "@/data/sync/pull-lists";
import { ok, type Result } from "@/domain/result";
import { foldComments } from "./fold-comments";

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
