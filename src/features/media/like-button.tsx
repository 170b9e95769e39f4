/** Liking a medium or a comment: the button with its count, the double tap, and its heart. */
import { Heart } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { currentUser } from "@/state/session";
import { type Likeable, useLike } from "@/state/use-like";
import { cn } from "@/ui/cn";

interface LikeButtonProps {
  media: Likeable;
  className?: string;
}

export function LikeButton({ media, className }: LikeButtonProps) {
  const { t } = useTranslation();
  const { liked, count, fresh, toggle } = useLike(media);
  const isComment = media.mediaId !== undefined;
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`${t("media.like")}, ${t("media.likes", { count })}`}
      title={t("media.like")}
      data-testid={isComment ? "like-comment" : "like"}
      data-likes={count}
      onClick={toggle}
      className={cn(
        "inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-1 rounded-full text-[0.84375rem] text-muted tabular-nums aria-pressed:text-like",
        className,
      )}
    >
      <Heart
        aria-hidden="true"
        className={cn("size-[18px]", liked && "fill-current", fresh && "animate-pop")}
      />
      {/* Most comments have none. */}
      <span aria-hidden="true">{isComment && count === 0 ? "" : count}</span>
    </button>
  );
}

export function LikeBurst() {
  return (
    <span
      aria-hidden="true"
      data-testid="like-burst"
      className="pointer-events-none absolute inset-0 z-[1] grid animate-burst place-items-center text-white drop-shadow-lg"
    >
      <Heart className="size-16 fill-current" />
    </span>
  );
}

/** Longest time between the two taps, milliseconds. */
const DOUBLE_MS = 260;

/**
 * Two quick taps of a signed-in user's finger like it; a single tap opens it soon after, and is
 * `answered` until then.
 */
export function useDoubleTap(media: MediaView) {
  const navigate = useNavigate();
  const { like } = useLike(media);
  // How often a double tap has liked: each one shows a heart.
  const [liked, setLiked] = useState(0);
  const [answered, setAnswered] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Outside: the clock. An unmounted card is not opened.
  useEffect(() => () => clearTimeout(timer.current), []);
  const onClick = (event: MouseEvent) => {
    const { pointerType } = event.nativeEvent as PointerEvent;
    if (pointerType !== "touch" || currentUser() === null) return;
    event.preventDefault();
    if (timer.current === undefined) {
      setAnswered(true);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        setAnswered(false);
        void navigate(paths.media(media));
      }, DOUBLE_MS);
      return;
    }
    clearTimeout(timer.current);
    timer.current = undefined;
    setAnswered(false);
    like();
    setLiked((count) => count + 1);
  };
  return { liked, answered, onClick };
}
