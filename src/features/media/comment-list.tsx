/**
 * A list of comments: those on a media item newest first, under each its replies, which answer it
 * and are shown when asked for.
 */
import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router-dom";
import type { CommentView } from "@/data/comments/shapes";
import { onMove } from "@/lib/on-move";
import { type Comments, useComments, useParent } from "@/state/media";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Skeleton } from "@/ui/loading";
import { CommentForm } from "./comment-form";
import { CommentItem, commentAction, type Place, type Wanted } from "./comment-item";

/** The comment that the address names; null where it names none, or is not known yet. */
export function useWanted(): Wanted | null {
  const id = new URLSearchParams(useLocation().search).get("comment") ?? "";
  const parentId = useParent(id);
  return id === "" || parentId === null ? null : { id, parentId };
}

export function CommentList({ comments, ...place }: Place & { comments: Comments }) {
  const { t } = useTranslation();
  const { page } = comments;
  const { viewer, wanted, isClosed } = place;
  useShown(comments, wanted === null ? null : wanted.parentId || wanted.id);
  if (page.state === "loading") return <LoadingComments />;
  if (page.state === "failed") {
    const texts = { offline: t("comments.offline"), failed: t("comments.loadFailed") };
    return <NoComments isOffline={page.code === "network"} retry={comments.retry} {...texts} />;
  }
  const { items, hasMore, incomplete } = page.value;
  if (items.length === 0 && !incomplete) {
    if (isClosed) return null;
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
  const { viewer, wanted, isClosed } = place;
  const isNamed = wanted !== null && wanted.parentId === comment.id;
  const [isOpened, setOpen] = useState<boolean | null>(null);
  const [to, setTo] = useState<CommentView | null>(null);
  /** The button that asked for the form, which has the focus again once that is gone. */
  const asked = useRef<Element | null>(null);
  const isOpen = (isOpened ?? isNamed) && comment.replies > 0;
  const reply = (next: CommentView) => {
    asked.current = document.activeElement;
    setTo(to?.id === next.id ? null : next);
  };
  return (
    <CommentItem
      comment={comment}
      {...place}
      onReply={reply}
      more={
        comment.replies > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            className={commentAction}
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
        {isOpen && <Replies parent={comment} {...place} onReply={reply} />}
      </div>
      {to !== null && viewer !== null && !isClosed && (
        <div className="mt-1.5">
          <CommentForm
            mediaId={comment.mediaId}
            to={to}
            onSent={() => {
              setTo(null);
              setOpen(true);
              if (asked.current instanceof HTMLElement) asked.current.focus();
            }}
          />
        </div>
      )}
    </CommentItem>
  );
}

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
    const texts = { offline: t("comments.repliesOffline"), failed: t("comments.repliesFailed") };
    return <NoComments isOffline={page.code === "network"} retry={replies.retry} {...texts} />;
  }
  const { items, hasMore, incomplete } = page.value;
  return (
    <>
      {hasMore && (
        <button
          type="button"
          className={cn(commentAction, "-ms-2")}
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
  isOffline: boolean;
  /** What each says. */
  offline: string;
  failed: string;
  retry: () => void;
}

function NoComments({ isOffline, offline, failed, retry }: NoCommentsProps) {
  const { t } = useTranslation();
  return (
    <div
      className="flex flex-wrap items-center gap-3 text-muted"
      data-testid={isOffline ? "comments-offline" : "comments-failed"}
    >
      <p className="min-w-0 flex-1">{isOffline ? offline : failed}</p>
      {!isOffline && <Button onClick={retry}>{t("app.tryAgain")}</Button>}
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
