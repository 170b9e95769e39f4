/** One person's media as a grid, with filter, columns and "Load more". */
import { CloudOff, Images, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FeedFilter } from "@/data/shapes";
import { type PersonMedia as Media, usePersonMedia } from "@/state/media";
import { usePreferences } from "@/state/preferences";
import { Button } from "@/ui/button";
import { Chips } from "@/ui/chips";
import { EmptyState } from "@/ui/empty-state";
import { GridSkeleton, MediaGrid } from "./media-grid";

interface PersonGalleryProps {
  userId: string;
  /** Number shown at first and added by each step. */
  step: number;
  most?: number;
  texts: { all: string; photos: string; videos: string; more: string };
  columnToggle: ReactNode;
  empty: ReactNode;
}

export function PersonGallery(props: PersonGalleryProps) {
  const { userId, step, most = Number.POSITIVE_INFINITY, texts, columnToggle, empty } = props;
  const { t } = useTranslation();
  const [filter, setFilter] = useState<FeedFilter>("all");
  const media = usePersonMedia({ userId, filter, step, most });
  const noneOfKind = (
    <EmptyState testId="person-media-none" icon={<Images />} title={t("gallery.emptyFiltered")} />
  );
  return (
    <section
      data-testid="person-media"
      data-chosen={filter === "all" ? undefined : filter}
      aria-label={t("people.mediaWord")}
    >
      <div className="shell-bar">
        <Chips
          testId="person-filter"
          label={t("app.show")}
          value={filter}
          onChange={setFilter}
          options={(["all", "photos", "videos"] as const).map((value) => ({
            value,
            text: texts[value],
          }))}
        />
        <div className="shell-chips shell-end">{columnToggle}</div>
      </div>
      <Body media={media} more={texts.more} empty={filter === "all" ? empty : noneOfKind} />
    </section>
  );
}

function Body({ media, more, empty }: { media: Media; more: string; empty: ReactNode }) {
  const columns = usePreferences((now) => now.columns);
  switch (media.media.state) {
    case "loading":
      return <GridSkeleton columns={columns} />;
    case "failed":
      return <NoRows offline={media.media.code === "network"} retry={media.retry} />;
    case "ready":
      if (media.media.value.length === 0) return empty;
      return (
        <>
          <MediaGrid items={media.media.value} columns={columns} />
          <More media={media} text={more} />
        </>
      );
  }
}

function More({ media, text }: { media: Media; text: string }) {
  const { t } = useTranslation();
  return (
    <div className="mt-6 flex flex-col items-center gap-2 text-center" aria-live="polite">
      {media.more === "failed" && <p className="text-muted">{t("gallery.moreFailed")}</p>}
      {media.more !== "none" && (
        <Button
          data-testid="more-of-person"
          aria-disabled={media.more === "loading"}
          onClick={() => media.more !== "loading" && media.showMore()}
        >
          {media.more === "loading" ? t("app.loading") : text}
        </Button>
      )}
    </div>
  );
}

function NoRows({ offline, retry }: { offline: boolean; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      testId={offline ? "person-media-offline" : "person-media-failed"}
      passing
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={t(offline ? "app.offline" : "people.mediaFailed")}
      text={t(offline ? "people.mediaOfflineText" : "app.serverFault")}
    >
      <Button onClick={retry}>{t("app.tryAgain")}</Button>
    </EmptyState>
  );
}
