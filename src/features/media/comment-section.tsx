/** The comments of a media item, newest first, with their actions, and the form to write one. */

import { Clock, RotateCw, SendHorizontal, Trash2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { CommentView, PendingMark } from "@/data/shapes";
import { COMMENT_MAX } from "@/domain/limits";
import { linkParts } from "@/domain/linked-words";
import { may, type Viewer } from "@/domain/may";
import { paths } from "@/domain/paths";
import { isBlank } from "@/domain/texts";
import { errorKey } from "@/i18n/error-text";
import { whenText } from "@/i18n/formats";
import { Say, SayText } from "@/i18n/say";
import { onMove } from "@/lib/on-move";
import { withReturn } from "@/lib/return-path";
import { addComment, type Comments, deleteComment, useComments } from "@/state/media";
import { discardIntent, retryIntent } from "@/state/outbox";
import { useNow } from "@/state/page";
import { useProfilePicture } from "@/state/people";
import { noticeComment } from "@/state/push-offer";
import { useUser } from "@/state/session";
import { commentDraft, useDraft } from "@/state/unsent-text";
import { useAsk } from "@/ui/ask-first";
import { Avatar } from "@/ui/avatar";
import { Button, buttonClasses } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Textarea } from "@/ui/field";
import { LinkedText } from "@/ui/linked-text";
import { Skeleton } from "@/ui/loading";

export const COMMENTS_ID = "comments";

interface CommentSectionProps {
  mediaId: string;
  /** Whose picture it is. */
  ownerId: string;
  viewer: Viewer | null;
}

export function CommentSection({ mediaId, ownerId, viewer }: CommentSectionProps) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const comments = useComments(mediaId);
  const { page } = comments;
  const isCommented =
    viewer?.id === ownerId &&
    page.state === "ready" &&
    page.value.items.some(({ userId }) => userId !== ownerId);
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

type CommentListProps = Omit<CommentItemProps, "comment" | "isWanted"> & { comments: Comments };

function CommentList({ comments, viewer, onGone }: CommentListProps) {
  const { t } = useTranslation();
  const { page } = comments;
  const wanted = useWanted(comments);
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
          <CommentItem
            key={comment.id}
            comment={comment}
            isWanted={comment.id === wanted}
            viewer={viewer}
            onGone={onGone}
          />
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

/** So many are looked through for the comment that an address names: it may be gone. */
const WANTED_AMONG = 300;
/** Entries of the history in which somebody has moved on since: Back finds that place again. */
const leftFor = new Set<string>();

/** The comment that the address names: older ones are shown until it is among them. */
function useWanted({ page, showMore }: Comments): string | null {
  const { key, search } = useLocation();
  const wanted = new URLSearchParams(search).get("comment");
  const { items, hasMore } = page.state === "ready" ? page.value : { items: [], hasMore: false };
  const isThere = items.some(({ id }) => id === wanted);
  const isMissing = wanted !== null && hasMore && !isThere && items.length < WANTED_AMONG;
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
  return wanted;
}

/** At first, and again whenever what comes later has pushed it out. */
function bringIntoSight(): void {
  if (document.activeElement?.matches("input, textarea")) return;
  const item = document.querySelector<HTMLElement>('[data-testid="comment"][aria-current]');
  item?.scrollIntoView({ block: "center" });
  item?.focus();
}

function NoComments({ offline, retry }: { offline: boolean; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <div
      className="flex flex-wrap items-center gap-3 text-muted"
      data-testid={offline ? "comments-offline" : "comments-failed"}
    >
      <p className="min-w-0 flex-1">{offline ? t("comments.offline") : t("comments.loadFailed")}</p>
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

interface CommentItemProps {
  comment: CommentView;
  /** The address names it: it is brought into sight, and stands out. */
  isWanted: boolean;
  viewer: Viewer | null;
  /** Called once it is removed, and with it the button that had the focus. */
  onGone: () => void;
}

function CommentItem({ comment, isWanted, viewer, onGone }: CommentItemProps) {
  const now = useNow();
  const picture = useProfilePicture(comment.userId);
  const { pending } = comment;
  const isRefused = pending?.state === "refused";
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
        <Avatar name={comment.username} src={picture} size={36} />
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
      </div>
      {!isRefused && may.deleteComment(viewer, comment) && (
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
    if (await deleteComment(comment.mediaId, comment.id)) onGone();
  };
  const askToRemove = () =>
    ask({
      title: t("comments.deleteTitle"),
      description: t("media.deleteText"),
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

/** The counter shows from this many characters left. */
const COUNTER_FROM = 200;

export function CommentForm({ mediaId }: { mediaId: string }) {
  const { t } = useTranslation();
  const id = useId();
  const userId = useUser()?.id ?? "";
  const draft = useMemo(() => commentDraft(userId, mediaId), [userId, mediaId]);
  const { text, setText, send: queue } = useDraft(draft, (wanted) => addComment(mediaId, wanted));
  const left = COMMENT_MAX - text.trim().length;
  const ready = !isBlank(text) && left >= 0;
  const send = async () => {
    if (ready) await queue();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5"
      data-testid="comment-form"
    >
      <label htmlFor={id} className="sr-only">
        {t("comments.label")}
      </label>
      <div className="relative flex items-end gap-2">
        <Textarea
          id={id}
          rows={1}
          value={text}
          placeholder={t("comments.placeholder")}
          aria-invalid={left < 0}
          aria-describedby={`${id}-left`}
          data-words=""
          data-testid="comment-text"
          className="max-h-60 min-h-12! min-w-0 flex-1 resize-none [overflow-wrap:anywhere] rounded-[22px]! py-[11px]! [field-sizing:content]"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          variant="accent"
          aria-label={t("comments.send")}
          title={t("comments.send")}
          aria-disabled={!ready}
          data-testid="send-comment"
          className="size-12 shrink-0 px-0!"
        >
          <SendHorizontal aria-hidden="true" />
        </Button>
      </div>
      <p
        id={`${id}-left`}
        aria-live="polite"
        data-testid="comment-left"
        className={`ps-3.5 text-[0.8125rem] tabular-nums empty:hidden ${left < 0 ? "font-medium text-danger" : "text-muted"}`}
      >
        {left < 0
          ? t("upload.captionOver", { count: -left })
          : left <= COUNTER_FROM && t("upload.captionLeft", { count: left })}
      </p>
    </form>
  );
}
