/** The page of one media item (specification §2 /view), with more by the same person below. */
import { ArrowLeft, ImageOff, Play } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { Found, MediaView } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import type { Viewer } from "@/domain/may";
import { mediaSlug, paths } from "@/domain/paths";
import { withReturn } from "@/lib/return-path";
import { useMedia, usePersonMedia, useRecordView } from "@/state/media";
import { useDescription, useTitle } from "@/state/page";
import { type Neighbours, rememberOpened, shownList } from "@/state/place";
import { useSession, useUser } from "@/state/session";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { CommentSection } from "./comment-section";
import { Picture } from "./media-card";
import { MediaCaption, MediaFacts, MediaOwner } from "./media-facts";
import { MediaMenu } from "./media-menu";
import { MediaStage, type Step, useFullScreen } from "./media-stage";

interface MediaPageProps {
  id: string;
  neighbours: Neighbours;
  onStep: (to: Step) => void;
  onBack: () => void;
  gone: ReactNode;
}

export function MediaPage({ id, neighbours, onStep, onBack, gone }: MediaPageProps) {
  const { t } = useTranslation();
  const user = useUser();
  const session = useSession();
  const found = useMedia(id);
  const { media, shown } = useShown(found);
  const [deleting, setDeleting] = useState("");
  useTitle(
    media === null || media.caption === "" ? t("people.mediaWord") : media.caption.slice(0, 80),
  );
  useDescription(useAbout(media));
  useRecordView(session.state === "loading" ? null : media, user?.id ?? "");
  // Deleted on this page: the navigation away is under way already.
  if (deleting === id && media === null) return null;
  // A definite answer of the server redirects; a failed request shows a card (resolutions).
  if (found.state === "gone" || media?.url === "") return gone;
  if (found.state === "unreachable") return <NotThere />;
  if (shown === null) return <MediaSkeleton />;
  return (
    <MediaDetail
      {...{ neighbours, onStep, onBack }}
      media={shown}
      viewer={user}
      busy={media === null}
      onDeleting={() => setDeleting(id)}
    />
  );
}

/** The last media item stays while the next one is looked up: stepping never blanks the screen. */
function useShown(found: Found<MediaView>): { media: MediaView | null; shown: MediaView | null } {
  const media = found.state === "found" ? found.value : null;
  const [last, setLast] = useState(media);
  if (media !== null && media !== last) setLast(media);
  return { media, shown: media ?? (found.state === "loading" ? last : null) };
}

function useAbout(media: MediaView | null): string {
  const { t } = useTranslation();
  if (media === null) return "";
  const { username: name, caption } = media;
  if (caption !== "") return t("detail.description", { caption: caption.slice(0, 150), name });
  return t(media.type === "video" ? "detail.videoBy" : "detail.photoBy", { name });
}

function NotThere() {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      testId="media-not-found"
      icon={<ImageOff />}
      title={t("media.notFound")}
      text={t("media.notFoundText")}
    >
      <Link to={paths.home} className={buttonClasses({ variant: "accent" })} data-testid="go-home">
        {t("app.goHome")}
      </Link>
    </EmptyState>
  );
}

function MediaSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" data-testid="media-loading">
      <span className="sr-only">{t("app.loading")}</span>
      <div className="mb-2 h-11" />
      <Skeleton className="mx-auto aspect-4/3 max-h-[78dvh] rounded-[14px]!" />
      <div className="mx-auto mt-4 flex max-w-[680px] items-center gap-3">
        <Skeleton className="size-10 rounded-full!" />
        <Skeleton className="h-4 w-40" />
      </div>
    </div>
  );
}

interface MediaDetailProps extends Pick<MediaPageProps, "neighbours" | "onStep" | "onBack"> {
  media: MediaView;
  viewer: Viewer | null;
  busy: boolean;
  onDeleting: () => void;
}

function MediaDetail(props: MediaDetailProps) {
  const { media, viewer, neighbours, busy, onStep } = props;
  const frame = useRef<HTMLDivElement>(null);
  const screen = useFullScreen(frame);
  const ways = { previous: neighbours.previous !== null, next: neighbours.next !== null };
  return (
    <article data-testid="media-detail" data-media-id={media.id}>
      <div inert={screen.full}>
        <Head {...props} />
      </div>
      <MediaStage {...{ media, ways, screen, frame, busy }} step={onStep} />
      <div key={media.id} inert={screen.full}>
        <div className="mx-auto mt-2 grid max-w-[680px] grid-cols-[minmax(0,1fr)] gap-4">
          <MediaFacts media={media} />
          <MediaOwner media={media} />
          <MediaCaption media={media} />
          <hr className="border-line" />
          <CommentSection mediaId={media.id} viewer={viewer} />
        </div>
        <MoreFrom media={media} />
      </div>
    </article>
  );
}

function Head({ media, viewer, onBack, onDeleting }: MediaDetailProps) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <div className="mb-2 flex items-center justify-between">
      <Button variant="ghost" className="-ml-3 px-3!" onClick={onBack} data-testid="back">
        <ArrowLeft aria-hidden="true" />
        {t("app.back")}
      </Button>
      {viewer === null ? (
        <Link
          to={withReturn(paths.login, `${pathname}${search}`)}
          data-testid="login-to-report"
          className="target -mr-2 flex items-center px-2 text-sm text-muted hover:text-foreground"
        >
          {t("media.loginToReport")}
        </Link>
      ) : (
        <MediaMenu media={media} viewer={viewer} onDeleting={onDeleting} onDeleted={onBack} />
      )}
    </div>
  );
}

const ALL = { filter: "all", step: PAGE_SIZE, most: Number.POSITIVE_INFINITY } as const;

/** 'More from {user}': thirty small squares at a time (specification §2 /view). */
function MoreFrom({ media }: { media: MediaView }) {
  const { t } = useTranslation();
  const { media: found, more, showMore } = usePersonMedia({ userId: media.userId, ...ALL });
  // A failure is not shown: the page is about one media item, and this list is secondary.
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
            {more === "loading" ? t("app.loading") : t("gallery.loadMore")}
          </Button>
        )}
      </div>
    </section>
  );
}

function Square({ item, list }: { item: MediaView; list: readonly MediaView[] }) {
  const { t } = useTranslation();
  const title = item.caption === "" ? t("media.untitled") : item.caption;
  const open = () => {
    rememberOpened(mediaSlug(item), item.id);
    shownList.items = list;
  };
  // The address of a video without a poster is its file: no picture.
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
