/** The heart with its number: one tap likes, the next takes it back. Painted at once; the outbox sends it. */
import { Heart } from "lucide-react";
import type { MediaView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { useLike } from "@/state/use-like";
import { cn } from "@/ui/cn";

interface LikeButtonProps {
  media: Pick<MediaView, "id" | "liked" | "likes">;
  className?: string;
}

export function LikeButton({ media, className }: LikeButtonProps) {
  const { t } = useText();
  const { liked, count, fresh, toggle } = useLike(media);
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`${t("media.like")}, ${t("media.likes", { count })}`}
      title={t("media.like")}
      data-testid="like"
      data-likes={count}
      onClick={toggle}
      className={cn(
        "inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-1 rounded-full text-[13.5px] text-muted tabular-nums aria-pressed:text-like",
        className,
      )}
    >
      <Heart
        aria-hidden="true"
        className={cn("size-[18px]", liked && "fill-current", fresh && "animate-pop")}
      />
      <span aria-hidden="true">{count}</span>
    </button>
  );
}
