/** What frames the grid of the gallery: filter, sort order and columns above, "Load more" below. */
import { ArrowDownWideNarrow, Columns2, RectangleVertical } from "lucide-react";
import { type ComponentType, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FeedSort, MediaView } from "@/data/shapes";
import type { Feed } from "@/state/feed";
import { usePreferences } from "@/state/preferences";
import { useUser } from "@/state/session";
import { Button } from "@/ui/button";
import { Chips } from "@/ui/chips";

/** The components that render the media: they belong to another feature and come from the route. */
export interface GalleryParts {
  Grid: ComponentType<{ items: readonly MediaView[]; columns: 1 | 2; gradual?: boolean }>;
  Skeleton: ComponentType<{ columns: 1 | 2 }>;
  /** Where those whom one follows have posted nothing. */
  WhomToFollow: ComponentType;
}

/** `sorted`: whether the order can be chosen; search results have their own. */
export function GalleryBar({ sorted }: { sorted: boolean }) {
  const { t } = useTranslation();
  const { filter, setFilter } = usePreferences();
  return (
    <div className="shell-bar">
      <Chips
        testId="filter"
        label={t("app.show")}
        value={filter}
        onChange={setFilter}
        options={[
          { value: "all", text: t("gallery.all") },
          { value: "photos", text: t("gallery.photos") },
          { value: "videos", text: t("gallery.videos") },
        ]}
      />
      <div className="shell-chips shell-end">
        {sorted && <SortChoice />}
        <ColumnToggle />
      </div>
    </div>
  );
}

/** Nobody is followed by whoever is not signed in. */
export function useSort(): FeedSort {
  const sort = usePreferences((now) => now.sort);
  const user = useUser();
  return user === null && sort === "following" ? "latest" : sort;
}

function SortChoice() {
  const { t } = useTranslation();
  const sort = useSort();
  const setSort = usePreferences((now) => now.setSort);
  const sorts: FeedSort[] = ["latest", "popular"];
  if (useUser() !== null) sorts.push("following");
  const options = sorts.map((value) => ({ value, text: t(`gallery.${value}`) }));
  return (
    <>
      <div className="shell-wide">
        <Chips
          testId="sort"
          quiet
          label={t("app.sortBy")}
          value={sort}
          onChange={setSort}
          options={options}
        />
      </div>
      <span className="shell-icon shell-narrow relative focus-within:outline-[2.5px] focus-within:outline-(--focus)">
        <ArrowDownWideNarrow aria-hidden="true" className={sort === "latest" ? "" : "text-link"} />
        <select
          aria-label={t("app.sortBy")}
          title={t("app.sortBy")}
          data-testid="sort-select"
          className="absolute inset-0 size-full cursor-pointer appearance-none text-base opacity-0"
          value={sort}
          onChange={(event) => setSort(event.target.value as FeedSort)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}

export function ColumnToggle() {
  const { t } = useTranslation();
  const { columns, setColumns } = usePreferences();
  const label = columns === 1 ? t("gallery.twoColumns") : t("gallery.oneColumn");
  return (
    <button
      type="button"
      className="shell-icon"
      aria-label={label}
      title={label}
      data-testid="toggle-columns"
      onClick={() => setColumns(columns === 1 ? 2 : 1)}
    >
      {columns === 1 ? <Columns2 aria-hidden="true" /> : <RectangleVertical aria-hidden="true" />}
    </button>
  );
}

/** How near the window's edge it loads by itself, pixels. */
const NEAR_PX = 600;

interface LoadMoreProps extends Pick<Feed, "more" | "loadMore"> {
  shown: number;
  /** False while there may be more that cannot be asked for. */
  isWhole?: boolean;
}

/** 'Load 30 more media', when pressed or, where Settings say so, when it comes near. */
export function LoadMore({ more, shown, loadMore, isWhole = true }: LoadMoreProps) {
  const { t } = useTranslation();
  const endless = usePreferences((now) => now.endless);
  const place = useRef<HTMLDivElement>(null);
  // Outside: the browser, which reports that the end is near.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list is looked at afresh.
  useEffect(() => {
    const element = place.current;
    if (element === null || !endless || more !== "idle") return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) loadMore();
      },
      { rootMargin: `${NEAR_PX}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [endless, shown, more, loadMore]);
  return (
    <div
      ref={place}
      className="mt-6 flex flex-col items-center gap-2 text-center"
      aria-live="polite"
    >
      {more === "failed" && <p className="text-muted">{t("gallery.moreFailed")}</p>}
      {more === "none" && shown > 0 && isWhole && (
        <p className="py-2 text-sm text-muted" data-testid="all-seen">
          {t("gallery.allSeen")}
        </p>
      )}
      {more !== "none" && (
        <Button
          data-testid="load-more"
          aria-disabled={more === "loading"}
          onClick={() => more !== "loading" && loadMore()}
        >
          {more === "loading" ? t("app.loading") : t("gallery.loadMore")}
        </Button>
      )}
    </div>
  );
}
