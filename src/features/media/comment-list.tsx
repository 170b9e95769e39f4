/**
 * A list of comments: those on a media item newest first, under each its replies, which answer it
 * and are shown when asked for.
 */
import { ChevronDown, Clock, RotateCw, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { CommentView, PendingMark } from "@/data/shapes";
import { linkParts } from "@/domain/linked-words";
import { may, type Viewer } from "@/domain/may";
import { paths } from "@/domain/paths";
import { errorKey } from "@/i18n/error-text";
import { whenText } from "@/i18n/formats";
import { Say, SayText } from "@/i18n/say";
import { onMove } from "@/lib/on-move";
import { type Comments, deleteComment, useComments, useParent } from "@/state/media";
import { discardIntent, retryIntent } from "@/state/outbox";
import { useNow } from "@/state/page";
import { useProfilePicture } from "@/state/people";
import { useAsk } from "@/ui/ask-first";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { LinkedText } from "@/ui/linked-text";
import { Skeleton } from "@/ui/loading";
import { CommentForm } from "./comment-form";

interface Place {
  /** Whose medium the comments are on. */
  ownerId: string;
  viewer: Viewer | null;
  /** The comment that the address names, and the one that it answers ("" for none). */
  wanted: Wanted | null;
  /** Called once a comment is removed, and with it the button that had the focus. */
  onGone: () => void;
}

interface Wanted {
  id: string;
  parentId: string;
}

/** The comment that the address names; null where it names none, or is not known yet. */
export function useWanted(): Wanted | null {
  const id = new URLSearchParams(useLocation().search).get("comment") ?? "";
  const parentId = useParent(id);
  return id === "" || parentId === null ? null : { id, parentId };
}

export function CommentList({ comments, ...place }: Place & { comments: Comments }) {
  const { t } = useTranslation();
  const { page } = comments;
  const { viewer, wanted } = place;
  useShown(comments, wanted === null ? null : wanted.parentId || wanted.id);
  if (page.state === "loading") return <LoadingComments />;
  if (page.state === "failed") {
    const isOffline = page.code === "network";
    return (
      <NoComments
        offline={isOffline}
        retry={comments.retry}
        text={isOffline ? t("comments.offline") : t("comments.loadFailed")}
      />
    );
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
          <Thread key={comment.id} comment={comment} {...place} />
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

interface ThreadProps extends Place {
  comment: CommentView;
}

/** A comment with the replies to it, once they are asked for. */
function Thread({ comment, ...place }: ThreadProps) {
  const { t } = useTranslation();
  const id = useId();
  const { viewer, wanted } = place;
  const isNamed = wanted !== null && wanted.parentId === comment.id;
  const [isOpened, setOpen] = useState<boolean | null>(null);
  const [to, setTo] = useState<CommentView | null>(null);
  const isOpen = (isOpened ?? isNamed) && comment.replies > 0;
  return (
    <CommentItem
      comment={comment}
      {...place}
      onReply={setTo}
      more={
        comment.replies > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            className={action}
            data-testid="show-replies"
            onClick={() => setOpen(!isOpen)}
          >
            {t("comments.replies", { count: comment.replies })}
            <ChevronDown
              className={cn("size-4 transition-transform", isOpen && "rotate-180")}
              aria-hidden="true"
            />
          </button>
        )
      }
    >
      <div id={id} className="empty:hidden">
        {isOpen && <Replies parent={comment} {...place} onReply={setTo} />}
      </div>
      {to !== null && viewer !== null && (
        <div className="mt-1.5">
          <CommentForm
            mediaId={comment.mediaId}
            to={to}
            onSent={() => {
              setTo(null);
              setOpen(true);
            }}
          />
        </div>
      )}
    </CommentItem>
  );
}

const action =
  "inline-flex min-h-11 items-center gap-1 rounded-full px-2 text-[0.8125rem] font-semibold text-muted hover:text-foreground";

interface RepliesProps extends Place {
  parent: CommentView;
  onReply: (to: CommentView) => void;
}

function Replies({ parent, onReply, ...place }: RepliesProps) {
  const { t } = useTranslation();
  const replies = useComments(parent.mediaId, parent.id);
  const { page } = replies;
  const { wanted } = place;
  useShown(replies, wanted !== null && wanted.parentId === parent.id ? wanted.id : null);
  if (page.state === "loading") return <LoadingComments />;
  if (page.state === "failed") {
    const isOffline = page.code === "network";
    return (
      <NoComments
        offline={isOffline}
        retry={replies.retry}
        text={isOffline ? t("comments.repliesOffline") : t("comments.repliesFailed")}
      />
    );
  }
  const { items, hasMore, incomplete } = page.value;
  return (
    <>
      {hasMore && (
        <button
          type="button"
          className={cn(action, "-ms-2")}
          data-testid="more-replies"
          onClick={replies.showMore}
        >
          {t("comments.moreReplies")}
        </button>
      )}
      {incomplete && (
        <p className="text-sm text-muted" data-testid="comments-incomplete">
          {t("comments.moreRepliesOffline")}
        </p>
      )}
      <ul className="grid" data-testid="reply-list">
        {items.map((reply) => (
          <CommentItem key={reply.id} comment={reply} {...place} onReply={onReply} />
        ))}
      </ul>
    </>
  );
}

/** So many are looked through for the comment that an address names: it may be gone. */
const WANTED_AMONG = 300;
/** Entries of the history in which somebody has moved on since: Back finds that place again. */
const leftFor = new Set<string>();

/** Older ones are shown until the comment `id` is among them; it is brought into sight. */
function useShown({ page, showMore }: Comments, id: string | null): void {
  const { key } = useLocation();
  const { items, hasMore } = page.state === "ready" ? page.value : { items: [], hasMore: false };
  const isThere = items.some((comment) => comment.id === id);
  const isMissing = id !== null && hasMore && !isThere && items.length < WANTED_AMONG;
  // Outside: the rows behind those on screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each number of rows.
  useEffect(() => {
    if (isMissing) showMore();
  }, [isMissing, items.length]);
  // Outside: the page's place and its focus, which stays where somebody writes.
  useEffect(() => {
    if (!isThere || leftFor.has(key)) return;
    const grown = new ResizeObserver(bringIntoSight);
    grown.observe(document.body);
    const forget = onMove(() => {
      leftFor.add(key);
      grown.disconnect();
    });
    return () => {
      grown.disconnect();
      forget();
    };
  }, [isThere, key]);
}

/** At first, and again whenever what comes later has pushed it out. */
function bringIntoSight(): void {
  if (document.activeElement?.matches("input, textarea")) return;
  const item = document.querySelector<HTMLElement>('[data-testid="comment"][aria-current]');
  item?.scrollIntoView({ block: "center" });
  item?.focus();
}


interface NoCommentsProps {
  offline: boolean;
  text: string;
  retry: () => void;
}

function NoComments({ offline, text, retry }: NoCommentsProps) {
  const { t } = useTranslation();
  return (
    <div
      className="flex flex-wrap items-center gap-3 text-muted"
      data-testid={offline ? "comments-offline" : "comments-failed"}
    >
      <p className="min-w-0 flex-1">{text}</p>
      {!offline && <Button onClick={retry}>{t("app.tryAgain")}</Button>}
    </div>
  );
}

function LoadingComments() {
  const { t } = useTranslation();
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

interface CommentItemProps extends Place {
  comment: CommentView;
  onReply: (to: CommentView) => void;
  /** Beside "Reply". */
  more?: ReactNode;
  /** Below it. */
  children?: ReactNode;
}

function CommentItem(props: CommentItemProps) {
  const { comment, ownerId, viewer, wanted, onGone, onReply, more, children } = props;
  const now = useNow();
  // The address names it: it is brought into sight, and stands out.
  const isWanted = comment.id === wanted?.id;
  const picture = useProfilePicture(comment.userId);
  const { pending } = comment;
  const isRefused = pending?.state === "refused";
  const mayReply = viewer !== null && !isRefused;
  return (
    <li
      tabIndex={isWanted ? -1 : undefined}
      className={cn(
        "flex gap-3 py-2.5",
        isWanted && "-mx-3 rounded-2xl bg-surface px-3 outline-none",
      )}
      aria-current={isWanted || undefined}
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
        <Avatar name={comment.username} src={picture} size={comment.parentId === "" ? 36 : 28} />
      </Link>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-[0.8125rem] text-muted">
          <Link
            to={paths.user(comment.username)}
            className="-my-3 max-w-full truncate py-3 text-[0.90625rem] font-semibold text-foreground no-underline hover:underline"
          >
            {comment.username}
          </Link>
          <SayText text={whenText(comment.createdAt, now)} />
          {pending !== null && !isRefused && pending.state !== "acked" && (
            <span className="inline-flex items-center gap-1" data-testid="comment-pending">
              <Clock className="size-3.5" aria-hidden="true" />
              <Say k={pending.state === "sending" ? "comments.sending" : "media.waiting"} />
            </span>
          )}
        </p>
        <p
          dir="auto"
          data-testid="comment-body"
          className="mt-0.5 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
        >
          <LinkedText parts={linkParts(comment.text)} />
        </p>
        {isRefused && <Refused pending={pending} onGone={onGone} />}
        {(mayReply || more) && (
          <div className="-ms-2 -mb-2 flex flex-wrap">
            {mayReply && (
              <button
                type="button"
                className={action}
                data-testid="reply-to-comment"
                onClick={() => onReply(comment)}
              >
                <Say k="comments.reply" />
              </button>
            )}
            {more}
          </div>
        )}
        {children}
      </div>
      {!isRefused && may.deleteComment(viewer, comment, ownerId) && (
        <DeleteComment comment={comment} onGone={onGone} />
      )}
    </li>
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

