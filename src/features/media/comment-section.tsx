/** The comments of a media item, newest first, with their actions, and the form to write one. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { CommentOrder } from "@/data/comments/shapes";
import type { MediaView } from "@/data/shapes";
import type { Viewer } from "@/domain/may";
import { paths } from "@/domain/paths";
import { withReturn } from "@/lib/return-path";
import { useComments } from "@/state/media";
import { noticeComment } from "@/state/push-offer";
import { buttonClasses } from "@/ui/button";
import { cn } from "@/ui/cn";
import { CommentForm } from "./comment-form";
import { commentAction } from "./comment-item";
import { CommentList, useWanted } from "./comment-list";

export const COMMENTS_ID = "comments";

interface CommentSectionProps {
  media: MediaView;
  viewer: Viewer | null;
}

export function CommentSection({ media, viewer }: CommentSectionProps) {
  const { id: mediaId, userId: ownerId, commentsClosed: isClosed } = media;
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const [by, setBy] = useState<CommentOrder>("newest");
  const comments = useComments(mediaId, "", by);
  const wanted = useWanted();
  const { page } = comments;
  const isCommented =
    viewer?.id === ownerId &&
    page.state === "ready" &&
    page.value.items.some(({ userId }) => userId !== ownerId);
  const isMany = page.state === "ready" && page.value.items.length > 1;
  // Outside: the question about notifications.
  useEffect(() => {
    if (isCommented) noticeComment();
  }, [isCommented]);
  return (
    <section
      aria-labelledby={COMMENTS_ID}
      data-testid="comments-section"
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 ref={heading} id={COMMENTS_ID} tabIndex={-1} className="text-lg font-bold outline-none">
          {t("comments.heading")}
        </h2>
        {isMany && <Order by={by} onChange={setBy} />}
      </div>
      {isClosed && (
        <p className="text-sm text-muted" data-testid="comments-closed">
          {t("comments.closed")}
        </p>
      )}
      {!isClosed && viewer === null && (
        <Link
          to={withReturn(paths.login, `${pathname}${search}`)}
          className={buttonClasses({ width: "full" })}
          data-testid="login-to-comment"
        >
          {t("comments.login")}
        </Link>
      )}
      {!isClosed && viewer !== null && <CommentForm mediaId={mediaId} />}
      <CommentList
        comments={comments}
        ownerId={ownerId}
        isClosed={isClosed}
        viewer={viewer}
        wanted={wanted}
        onGone={() => heading.current?.focus({ preventScroll: true })}
      />
    </section>
  );
}

const ORDERS = ["newest", "liked"] as const satisfies readonly CommentOrder[];

interface OrderProps {
  by: CommentOrder;
  onChange: (by: CommentOrder) => void;
}

function Order({ by, onChange }: OrderProps) {
  const { t } = useTranslation();
  return (
    <fieldset aria-label={t("comments.order")} className="-me-2 flex">
      {ORDERS.map((order) => (
        <button
          key={order}
          type="button"
          aria-pressed={by === order}
          data-testid={`comments-${order}`}
          className={cn(commentAction, "aria-pressed:text-foreground")}
          onClick={() => onChange(order)}
        >
          {t(`comments.${order}`)}
        </button>
      ))}
    </fieldset>
  );
}
