/** One comment: who, when, what, how it stands where it was not sent yet, and deleting it. */
import { Clock, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { CommentView, PendingMark } from "@/data/shapes";
import { may, type Viewer } from "@/domain/may";
import { paths } from "@/domain/paths";
import { errorKey } from "@/i18n/error-text";
import { Say, SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { deleteComment } from "@/state/comments";
import { discardIntent, retryIntent } from "@/state/outbox";
import { useNow } from "@/state/page";
import { useProfilePicture } from "@/state/people";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { AskFirst } from "./ask-first";

interface CommentItemProps {
  comment: CommentView;
  viewer: Viewer | null;
  /** After it is gone, and the button that had the focus with it. */
  onGone: () => void;
}

export function CommentItem({ comment, viewer, onGone }: CommentItemProps) {
  const now = useNow();
  const picture = useProfilePicture(comment.userId);
  const { pending } = comment;
  const isRefused = pending?.state === "refused";
  return (
    <li
      className="flex gap-3 py-2.5"
      data-testid="comment"
      data-comment-id={comment.id}
      data-state={pending?.state ?? "stored"}
    >
      <Link
        to={paths.user(comment.username)}
        tabIndex={-1}
        aria-hidden="true"
        className="flex h-fit shrink-0"
      >
        <Avatar name={comment.username} src={picture} size={36} />
      </Link>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-[13px] text-muted">
          <Link
            to={paths.user(comment.username)}
            className="-my-3 max-w-full truncate py-3 text-[14.5px] font-semibold text-foreground no-underline hover:underline"
          >
            {comment.username}
          </Link>
          <SayText text={whenText(comment.createdAt, now)} />
          {pending !== null && !isRefused && <Fate pending={pending} />}
        </p>
        <p
          dir="auto"
          data-testid="comment-body"
          className="mt-0.5 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
        >
          {comment.text}
        </p>
        {isRefused && <Refused pending={pending} onGone={onGone} />}
      </div>
      {!isRefused && may.deleteComment(viewer, comment) && (
        <DeleteComment comment={comment} onGone={onGone} />
      )}
    </li>
  );
}

/** What the server has needs no mark, whether the pull has brought it yet or not. */
function Fate({ pending }: { pending: PendingMark }) {
  if (pending.state === "acked") return null;
  return (
    <span className="inline-flex items-center gap-1" data-testid="comment-pending">
      <Clock className="size-3.5" aria-hidden="true" />
      <Say k={pending.state === "sending" ? "comments.sending" : "comments.queued"} />
    </span>
  );
}

function Refused({ pending, onGone }: { pending: PendingMark; onGone: () => void }) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  const discard = async () => {
    await discardIntent(pending.intentId);
    onGone();
  };
  return (
    <div className="mt-1" data-testid="comment-refused">
      <p className="text-sm font-medium text-danger">
        {t("comments.refused", { reason: t(errorKey(pending.code ?? "server")) })}
      </p>
      <div className="-ml-3 flex flex-wrap">
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
          onClick={() => setAsking(true)}
        >
          {t("app.discard")}
        </Button>
      </div>
      <AskFirst
        open={asking}
        onOpenChange={setAsking}
        title={t("comments.discardTitle")}
        text={t("comments.discardText")}
        action={t("app.discard")}
        onYes={() => void discard()}
      />
    </div>
  );
}

function DeleteComment({ comment, onGone }: Pick<CommentItemProps, "comment" | "onGone">) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    if (await deleteComment(comment.mediaId, comment.id)) onGone();
  };
  return (
    <>
      <button
        type="button"
        aria-label={t("comments.deleteOf", { name: comment.username })}
        title={t("comments.delete")}
        data-testid="delete-comment"
        className="-mt-2 -mr-3 grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-surface hover:text-danger"
        onClick={() => setAsking(true)}
      >
        <Trash2 className="size-[17px]" aria-hidden="true" />
      </button>
      <AskFirst
        open={asking}
        onOpenChange={setAsking}
        title={t("comments.deleteTitle")}
        text={t("comments.deleteText")}
        action={t("comments.delete")}
        onYes={() => void remove()}
      />
    </>
  );
}
