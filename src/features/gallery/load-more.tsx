/** 'Load 30 more media'. Once it was pressed by hand it presses itself whenever one comes near it. */
import { useEffect, useRef, useState } from "react";
import { PAGE_SIZE } from "@/domain/limits";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";

/** How near the window's edge it presses itself, pixels. */
const NEAR_PX = 600;

interface LoadMoreProps {
  more: "idle" | "loading" | "failed" | "none";
  /** How many media stand above it: it never presses itself twice for the same. */
  shown: number;
  loadMore: () => void;
}

export function LoadMore({ more, shown, loadMore }: LoadMoreProps) {
  const { t } = useText();
  const place = useRef<HTMLDivElement>(null);
  /** Media that stood there at the last press; null before the first. More than a page came of a press before one left. */
  const [pressedAt, setPressedAt] = useState<number | null>(shown > PAGE_SIZE ? 0 : null);
  const scrolls = pressedAt !== null && shown > pressedAt;
  // Outside: the browser's word that the end is near.
  useEffect(() => {
    const element = place.current;
    if (element === null || !scrolls || more !== "idle") return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        setPressedAt(shown);
        loadMore();
      },
      { rootMargin: `${NEAR_PX}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [scrolls, shown, more, loadMore]);
  const press = () => {
    setPressedAt(shown);
    if (more !== "loading") loadMore();
  };
  return (
    <div
      ref={place}
      className="mt-6 flex flex-col items-center gap-2 text-center"
      aria-live="polite"
    >
      {more === "failed" && <p className="text-muted">{t("gallery.moreFailed")}</p>}
      {more !== "none" && (
        <Button data-testid="load-more" aria-disabled={more === "loading"} onClick={press}>
          {more === "loading" ? t("gallery.loadingMore") : t("gallery.loadMore")}
        </Button>
      )}
    </div>
  );
}
