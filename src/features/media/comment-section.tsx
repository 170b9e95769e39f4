/** The comments of a medium, newest first. Loading, none, failed and offline are four different things. */
import { useRef } from "react";
import { Link, useLocation } from "react-router-dom";
import type { Viewer } from "@/domain/may";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { withReturn } from "@/lib/with-return";
import { type Comments, useComments } from "@/state/comments";
import { Button, buttonClasses } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { CommentForm } from "./comment-form";
import { CommentItem } from "./comment-item";

/** Of the heading. */
export const COMMENTS_ID = "comments";

interface CommentSectionProps {
  mediaId: string;
  viewer: Viewer | null;
}

export function CommentSection({ mediaId, viewer }: CommentSectionProps) {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const comments = useComments(mediaId);
  return (
    <section
      aria-labelledby={COMMENTS_ID}
      data-testid="comments-section"
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      <h2 ref={heading} id={COMMENTS_ID} tabIndex={-1} className="text-lg font-bold outline-none">
        {t("comments.heading")}
      </h2>
      {viewer === null ? (
        <Link
          to={withReturn(paths.login, `${pathname}${search}`)}
          className={buttonClasses({ width: "full" })}
          data-testid="login-to-comment"
        >
          {t("comments.login")}
        </Link>
      ) : (
        <CommentForm mediaId={mediaId} />
      )}
      <CommentList
        comments={comments}
        viewer={viewer}
        onGone={() => heading.current?.focus({ preventScroll: true })}
      />
    </section>
  );
}

interface CommentListProps {
  comments: Comments;
  viewer: Viewer | null;
  onGone: () => void;
}

function CommentList({ comments, viewer, onGone }: CommentListProps) {
  const { t } = useText();
  const { page } = comments;
  if (page.state === "loading") return <LoadingComments />;
  if (page.state === "failed") {
    return <NoComments offline={page.code === "network"} retry={comments.retry} />;
  }
  const { items, hasMore, incomplete } = page.value;
  if (items.length === 0 && !incomplete) {
    return (
      <p className="py-2 text-muted" data-testid="no-comments">
        {viewer === null ? t("comments.emptyVisitor") : t("comments.empty")}
      </p>
    );
  }
  return (
    <>
      <ul className="grid" data-testid="comment-list">
        {items.map((comment) => (
          <CommentItem key={comment.id} comment={comment} viewer={viewer} onGone={onGone} />
        ))}
      </ul>
      {incomplete && (
        <p className="text-sm text-muted" data-testid="comments-incomplete">
          {t("comments.incomplete")}
        </p>
      )}
      {hasMore && (
        <Button
          className="justify-self-center"
          data-testid="more-comments"
          onClick={comments.showMore}
        >
          {t("comments.more")}
        </Button>
      )}
    </>
  );
}

function NoComments({ offline, retry }: { offline: boolean; retry: () => void }) {
  const { t } = useText();
  return (
    <div
      className="flex flex-wrap items-center gap-3 text-muted"
      data-testid={offline ? "comments-offline" : "comments-failed"}
    >
      <p className="min-w-0 flex-1">{offline ? t("comments.offline") : t("comments.loadFailed")}</p>
      {!offline && <Button onClick={retry}>{t("gallery.tryAgain")}</Button>}
    </div>
  );
}

function LoadingComments() {
  const { t } = useText();
  return (
    <div role="status" className="grid gap-4 py-2" data-testid="comments-loading">
      <span className="sr-only">{t("comments.loading")}</span>
      {["w-3/4", "w-1/2"].map((width) => (
        <div key={width} className="flex gap-3">
          <Skeleton className="size-9 rounded-full!" />
          <div className="grid flex-1 gap-2 pt-1">
            <Skeleton className="h-3.5 w-28" />
            <Skeleton className={`h-3.5 ${width}`} />
          </div>
        </div>
      ))}
    </div>
  );
}
