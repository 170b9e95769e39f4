/** The page of one media item (specification §2 /view), with more by the same person below. */
import { ArrowLeft, GalleryHorizontalEnd, ImageOff, Play } from "lucide-react";
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { Found, MediaView } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import type { Viewer } from "@/domain/may";
import { mediaSlug, paths } from "@/domain/paths";
import { withReturn } from "@/lib/return-path";
import { useMedia, usePersonMedia, usePost, useRecordView } from "@/state/media";
import { useDescription, useTitle } from "@/state/page";
import { neighboursOf, type Opened, rememberCard, shownList } from "@/state/place";
import { useSession, useUser } from "@/state/session";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { Unreachable } from "@/ui/unreachable";
import { CommentSection } from "./comment-section";
import { Picture } from "./media-card";
import { MediaCaption, MediaFacts, MediaOwner } from "./media-facts";
import { MediaMenu } from "./media-menu";
import { MediaStage, type Step, useFullScreen, type Way } from "./media-stage";
import { PostStrip } from "./post-strip";

interface MediaPageProps {
  id: string;
  /** Shows another one in its place. */
  onStep: (to: Step, other: Opened) => void;
  onBack: () => void;
  /** What stands in its place if it is gone; `wasShown` if it was there a moment ago. */
  gone: (wasShown: boolean) => ReactNode;
}

export function MediaPage({ id, onStep, onBack, gone }: MediaPageProps) {
  const { t } = useTranslation();
  const user = useUser();
  const session = useSession();
  const found = useMedia(id);
  const { media, shown } = useShown(found);
  const members = usePost(shown?.post ?? "");
  const [deleting, setDeleting] = useState("");
  const wasShown = useShownId(media);
  useTitle(
    media === null || media.caption === "" ? t("people.mediaWord") : media.caption.slice(0, 80),
  );
  useDescription(useAbout(media));
  useRecordView(session.state === "loading" ? null : media, user?.id ?? "");
  // Deleted on this page: the navigation away is under way already.
  if (deleting === id && media === null) return null;
  // A definite answer of the server redirects; a failed request shows a card (resolutions).
  if (found.state === "gone" || media?.url === "") return gone(wasShown === id);
  if (found.state === "unreachable") {
    return (
      <Unreachable testId="media-not-found" code={found.code}>
        <ToHome />
      </Unreachable>
    );
  }
  if (shown === null) return <MediaSkeleton />;
  return (
    <MediaDetail
      {...{ id, members, onStep, onBack }}
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

/** The id of the media item that this page has shown last. */
function useShownId(media: MediaView | null): string {
  const [id, setId] = useState("");
  if (media !== null && media.url !== "" && media.id !== id) setId(media.id);
  return id;
}

/** Somebody has deleted it while it was looked at. */
export function DeletedMedia() {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      testId="media-not-found"
      icon={<ImageOff />}
      title={t("media.notFound")}
      text={t("media.goneText")}
    >
      <ToHome />
    </EmptyState>
  );
}

function ToHome() {
  const { t } = useTranslation();
  return (
    <Link to={paths.home} className={buttonClasses({ variant: "accent" })} data-testid="go-home">
      {t("app.goHome")}
    </Link>
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

interface MediaDetailProps extends Pick<MediaPageProps, "id" | "onStep" | "onBack"> {
  media: MediaView;
  /** All media of its post. */
  members: readonly MediaView[];
  viewer: Viewer | null;
  busy: boolean;
  onDeleting: () => void;
}

function MediaDetail(props: MediaDetailProps) {
  const { id, media, members, viewer, busy, onStep } = props;
  const frame = useRef<HTMLDivElement>(null);
  const screen = useFullScreen(frame);
  const near = useMemo(() => neighboursOf(id, members), [id, members]);
  const wayTo = (to: Step): Way => {
    const other = near[to];
    if (other === null) return null;
    return members.some((member) => member.id === other.id) ? "post" : "list";
  };
  const ways = { previous: wayTo("previous"), next: wayTo("next") };
  const step = (to: Step) => {
    const other = near[to];
    if (other !== null) onStep(to, other);
  };
  const at = members.findIndex((member) => member.id === media.id);
  const place = at < 0 ? null : { place: at + 1, count: members.length };
  const open = (member: MediaView) => {
    const to = member.postIndex < media.postIndex ? "previous" : "next";
    onStep(to, { id: member.id, slug: mediaSlug(member) });
  };
  return (
    <article data-testid="media-detail" data-media-id={media.id}>
      <div inert={screen.full}>
        <Head {...props} />
      </div>
      <MediaStage {...{ media, ways, screen, frame, busy, place, step }} />
      {place !== null && (
        <div inert={screen.full}>
          <PostStrip members={members} id={media.id} onOpen={open} />
        </div>
      )}
      <div key={media.id} inert={screen.full}>
        <div className="mx-auto mt-2 grid max-w-[680px] grid-cols-[minmax(0,1fr)] gap-4">
          <MediaFacts media={media} />
          <MediaOwner media={media} />
          <MediaCaption media={media} />
        </div>
        <Below media={media} viewer={viewer} />
      </div>
    </article>
  );
}

/** What is further down is drawn once the picture is there, in pieces. */
function Below({ media, viewer }: Pick<MediaDetailProps, "media" | "viewer">) {
  const isTime = useDeferredValue(true, false);
  if (!isTime) return <div data-pending="" />;
  return (
    <>
      <div className="mx-auto mt-4 grid max-w-[680px] grid-cols-[minmax(0,1fr)] gap-4">
        <hr className="border-line" />
        <CommentSection media={media} viewer={viewer} />
      </div>
      <MoreFrom key={media.userId} media={media} />
    </>
  );
}

function Head({ media, members, viewer, onBack, onDeleting }: MediaDetailProps) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <div className="mb-2 flex items-center justify-between">
      <Button variant="ghost" className="-ms-3 px-3!" onClick={onBack} data-testid="back">
        <ArrowLeft aria-hidden="true" />
        {t("app.back")}
      </Button>
      {viewer === null ? (
        <Link
          to={withReturn(paths.login, `${pathname}${search}`)}
          data-testid="login-to-report"
          className="target -me-2 flex items-center px-2 text-sm text-muted hover:text-foreground"
        >
          {t("media.loginToReport")}
        </Link>
      ) : (
        <MediaMenu {...{ media, members, viewer, onDeleting }} onDeleted={onBack} />
      )}
    </div>
  );
}

const ALL = { filter: "all", step: PAGE_SIZE, most: Number.POSITIVE_INFINITY } as const;

/** 'More from {user}': thirty small squares at a time (specification §2 /view). */
function MoreFrom({ media }: { media: MediaView }) {
  const { t } = useTranslation();
  const { media: rows, more, showMore } = usePersonMedia({ userId: media.userId, ...ALL });
  const found = useDeferredValue(rows);
  // A failure is not shown: the page is about one media item, and this list is secondary.
  if (found.state !== "ready") return null;
  const isOther = ({ id, post }: MediaView) =>
    id !== media.id && (post === "" || post !== media.post);
  const others = found.value.filter(isOther);
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
    rememberCard(item);
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
        data-picture={item.id}
        className="relative block aspect-square overflow-hidden rounded-lg bg-skeleton [&_img]:absolute [&_img]:inset-0 [&_img]:size-full [&_img]:object-cover"
      >
        <Picture media={small} eager={false} />
        {item.members ? (
          <GalleryHorizontalEnd
            className="absolute end-1.5 bottom-1.5 size-5 text-white drop-shadow"
            aria-hidden="true"
          />
        ) : (
          item.type === "video" && (
            <Play
              className="absolute end-1.5 bottom-1.5 size-5 fill-white text-white drop-shadow"
              aria-hidden="true"
            />
          )
        )}
        <span className="sr-only">
          {`${title}. ${
            item.members
              ? t("media.post", { count: item.members.length })
              : t(item.type === "video" ? "media.video" : "media.photo")
          }`}
        </span>
      </Link>
    </li>
  );
}
