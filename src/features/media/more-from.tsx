/** 'More from {user}': the person's other media as small squares, thirty at a time (specification §2 /view). */
import { Play } from "lucide-react";
import { Link } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { mediaSlug } from "@/domain/slugs";
import { useText } from "@/i18n/use-text";
import { usePersonMedia } from "@/state/media";
import { rememberOpened, shownList } from "@/state/place";
import { Button } from "@/ui/button";
import { Picture } from "./picture";

const ALL = { filter: "all", step: PAGE_SIZE, most: Number.POSITIVE_INFINITY } as const;

export function MoreFrom({ media }: { media: MediaView }) {
  const { t } = useText();
  const { media: found, more, showMore } = usePersonMedia({ userId: media.userId, ...ALL });
  // What cannot be had is left out: the page is about one medium, and this is only beside it.
  if (found.state !== "ready") return null;
  const others = found.value.filter(({ id }) => id !== media.id);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="more-from" data-testid="more-from" className="mt-10">
      <h2 id="more-from" className="mb-3 truncate text-lg font-bold">
        {t("detail.moreFrom", { name: media.username })}
      </h2>
      <ul className="grid grid-cols-3 gap-1 sm:grid-cols-4 sm:gap-2 md:grid-cols-5">
        {others.map((item) => (
          <Square key={item.id} item={item} list={found.value} />
        ))}
      </ul>
      <div className="mt-5 flex flex-col items-center gap-2 text-center" aria-live="polite">
        {more === "failed" && <p className="text-muted">{t("detail.moreFailed")}</p>}
        {more !== "none" && (
          <Button
            data-testid="load-more-from"
            aria-disabled={more === "loading"}
            onClick={() => more !== "loading" && showMore()}
          >
            {more === "loading" ? t("gallery.loadingMore") : t("gallery.loadMore")}
          </Button>
        )}
      </div>
    </section>
  );
}

function Square({ item, list }: { item: MediaView; list: readonly MediaView[] }) {
  const { t } = useText();
  const title = item.caption === "" ? t("media.untitled") : item.caption;
  const open = () => {
    rememberOpened(mediaSlug(item), item.id);
    shownList.items = list;
  };
  // A video without a poster has its file for an address: no picture.
  const small = { ...item, previewUrl: item.thumbnailUrl || item.previewUrl };
  return (
    <li className="[contain-intrinsic-size:auto_120px] [content-visibility:auto]">
      <Link
        to={paths.media(item)}
        onClick={open}
        data-testid="more-from-item"
        data-media-id={item.id}
        className="relative block aspect-square overflow-hidden rounded-lg bg-skeleton [&_img]:absolute [&_img]:inset-0 [&_img]:size-full [&_img]:object-cover"
      >
        <Picture media={small} eager={false} />
        {item.type === "video" && (
          <Play
            className="absolute right-1.5 bottom-1.5 size-5 fill-white text-white drop-shadow"
            aria-hidden="true"
          />
        )}
        <span className="sr-only">
          {`${title}. ${t(item.type === "video" ? "media.video" : "media.photo")}`}
        </span>
      </Link>
    </li>
  );
}
