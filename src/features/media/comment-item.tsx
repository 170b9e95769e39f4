/** One comment or reply, with what may be done with it. */
import { Clock, RotateCw, Trash2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { CommentView } from "@/data/comments/shapes";
import type { PendingMark } from "@/data/shapes";
import { linkParts } from "@/domain/linked-words";
import { may, type Viewer } from "@/domain/may";
import { paths } from "@/domain/paths";
import { errorKey } from "@/i18n/error-text";
import { whenText } from "@/i18n/formats";
import { Say, SayText } from "@/i18n/say";
import { deleteComment } from "@/state/media";
import { discardIntent, retryIntent } from "@/state/outbox";
import { useNow } from "@/state/page";
import { useProfilePicture } from "@/state/people";
import { reportWish } from "@/state/reports";
import { useAsk } from "@/ui/ask-first";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { LinkedText } from "@/ui/linked-text";
import { EditComment } from "./edit-comment";
import { LikeButton } from "./like-button";

export interface Place {
  /** Whose medium the comments are on. */
  ownerId: string;
  /** Nobody may answer there. */
  isClosed: boolean;
  viewer: Viewer | null;
  /** The comment that the address names, and the one that it answers ("" for none). */
  wanted: Wanted | null;
  /** Called once a comment is removed, and with it the button that had the focus. */
  onGone: () => void;
}

export interface Wanted {
  id: string;
  parentId: string;
}

export const commentAction =
  "inline-flex min-h-11 items-center gap-1 rounded-full px-2 text-[0.8125rem] font-semibold text-muted hover:text-foreground";

interface CommentItemProps extends Place {
  comment: CommentView;
  onReply: (to: CommentView) => void;
  /** Beside "Reply". */
  more?: ReactNode;
  /** Below it. */
  children?: ReactNode;
}

export function CommentItem(props: CommentItemProps) {
  const { comment, ownerId, isClosed, viewer, wanted, onGone, onReply, more, children } = props;
  // The address names it: it is brought into sight, and stands out.
  const isWanted = comment.id === wanted?.id;
  const picture = useProfilePicture(comment.userId);
  const { pending } = comment;
  const isRefused = pending?.state === "refused";
  const mayReply = viewer !== null && !isRefused && !isClosed;
  const mayEdit = viewer?.id === comment.userId && !isRefused;
  return (
    <li
      tabIndex={isWanted ? -1 : undefined}
      className={cn("py-2.5", isWanted && "-mx-3 rounded-2xl bg-surface px-3 outline-none")}
      aria-current={isWanted || undefined}
      data-testid="comment"
      data-comment-id={comment.id}
      data-state={pending?.state ?? "stored"}
    >
      <div className="flex gap-3">
        <Link
          to={paths.user(comment.username)}
          tabIndex={-1}
          aria-hidden="true"
          className="flex h-fit shrink-0"
        >
          <Avatar name={comment.username} src={picture} size={comment.parentId === "" ? 36 : 28} />
        </Link>
        <div className="min-w-0 flex-1">
          <Byline comment={comment} />
          <p
            dir="auto"
            data-testid="comment-body"
            className="mt-0.5 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
          >
            <LinkedText parts={linkParts(comment.text)} />
          </p>
          {isRefused && <Refused pending={pending} onGone={onGone} />}
          {!isRefused && (
            <div className="-ms-2 -mb-1 flex flex-wrap">
              <LikeButton media={comment} className="min-w-9! px-2 text-[0.8125rem]!" />
              {mayReply && (
                <button
                  type="button"
                  className={commentAction}
                  data-testid="reply-to-comment"
                  onClick={() => onReply(comment)}
                >
                  <Say k="comments.reply" />
                </button>
              )}
              {viewer !== null && viewer.id !== comment.userId && <Report comment={comment} />}
              {mayEdit && <Edit comment={comment} viewer={viewer} />}
              {more}
            </div>
          )}
        </div>
        {!isRefused && may.deleteComment(viewer, comment, ownerId) && (
          <DeleteComment comment={comment} onGone={onGone} />
        )}
      </div>
      {children && <div className="ms-12">{children}</div>}
    </li>
  );
}

function Report({ comment }: Pick<CommentItemProps, "comment">) {
  const { id, mediaId, username } = comment;
  return (
    <button
      type="button"
      className={commentAction}
      data-testid="report-comment"
      onClick={() => reportWish.set({ kind: "comment", id, place: mediaId, name: username })}
    >
      <Say k="report.open" />
    </button>
  );
}

function Edit({ comment, viewer }: Pick<CommentItemProps, "comment" | "viewer">) {
  const now = useNow();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Who has begun in time may end.
  if (!isOpen && !may.editComment(viewer, comment, now)) return null;
  const close = () => setOpen(false);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={commentAction}
        data-testid="edit-comment"
        onClick={() => setOpen(true)}
      >
        <Say k="comments.edit" />
      </button>
      {isOpen && <EditComment comment={comment} onClose={close} returnFocus={opener} />}
    </>
  );
}

/** By whom it is, since when, and whether it waits. */
function Byline({ comment }: { comment: CommentView }) {
  const now = useNow();
  const { pending } = comment;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-[0.8125rem] text-muted">
      <Link
        to={paths.user(comment.username)}
        className="-my-3 max-w-full truncate py-3 text-[0.90625rem] font-semibold text-foreground no-underline hover:underline"
      >
        {comment.username}
      </Link>
      <SayText text={whenText(comment.createdAt, now)} />
      {comment.isEdited && (
        <span data-testid="comment-edited">
          <Say k="comments.edited" />
        </span>
      )}
      {pending !== null && !/refused|acked/.test(pending.state) && (
        <span className="inline-flex items-center gap-1" data-testid="comment-pending">
          <Clock className="size-3.5" aria-hidden="true" />
          <Say k={pending.state === "sending" ? "comments.sending" : "media.waiting"} />
        </span>
      )}
    </p>
  );
}

function Refused({ pending, onGone }: { pending: PendingMark; onGone: () => void }) {
  const { t } = useTranslation();
  const { ask, dialog } = useAsk();
  const askToDiscard = () =>
    ask({
      title: t("comments.discardTitle"),
      description: t("comments.discardText"),
      action: t("app.discard"),
      onAction: () => void discardIntent(pending.intentId).then(onGone),
    });
  return (
    <div className="mt-1" data-testid="comment-refused">
      <p className="text-sm font-medium text-danger">
        {t("comments.refused", { reason: t(errorKey(pending.code ?? "server")) })}
      </p>
      <div className="-ms-3 flex flex-wrap">
        <Button
          variant="ghost"
          className="px-3!"
          data-testid="retry-comment"
          onClick={() => void retryIntent(pending.intentId)}
        >
          <RotateCw aria-hidden="true" />
          {t("app.retry")}
        </Button>
        <Button
          variant="ghost"
          className="px-3! text-muted!"
          data-testid="discard-comment"
          onClick={askToDiscard}
        >
          {t("app.discard")}
        </Button>
      </div>
      {dialog}
    </div>
  );
}

function DeleteComment({ comment, onGone }: Pick<CommentItemProps, "comment" | "onGone">) {
  const { t } = useTranslation();
  const { ask, dialog } = useAsk();
  const remove = async () => {
    if (await deleteComment(comment)) onGone();
  };
  const askToRemove = () =>
    ask({
      title: t("comments.deleteTitle"),
      description: t(comment.replies > 0 ? "comments.deleteWithReplies" : "media.deleteText"),
      action: t("app.delete"),
      onAction: () => void remove(),
    });
  return (
    <>
      <button
        type="button"
        aria-label={t("comments.deleteOf", { name: comment.username })}
        title={t("app.delete")}
        data-testid="delete-comment"
        className="-mt-2 -me-3 grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-surface hover:text-danger"
        onClick={askToRemove}
      >
        <Trash2 className="size-[17px]" aria-hidden="true" />
      </button>
      {dialog}
    </>
  );
}
