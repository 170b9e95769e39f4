/** A card of the grid. app/first-paint/paint.ts draws the same geometry: change both. */
import { Eye, Film, GalleryHorizontalEnd, MessageCircle, Play } from "lucide-react";
import { type CSSProperties, type MouseEvent, useReducer, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { durationText, pendingText, whenText } from "@/i18n/formats";
import { plain } from "@/i18n/say";
import { loadLaterTexts } from "@/i18n/setup";
import { placeholderColor, placeholderUrl } from "@/lib/placeholder";
import { useNow } from "@/state/page";
import { useFace } from "@/state/people";
import { rememberCard } from "@/state/place";
import { Avatar } from "@/ui/avatar";
import { lazily } from "@/ui/lazily";
import { LikeBurst, LikeButton, useDoubleTap } from "./like-button";

const CardVideo = lazily(() => import("./card-video"), "CardVideo");
const CardPost = lazily(async () => {
  const [{ CardPost: Part }] = await Promise.all([import("./card-post"), loadLaterTexts()]);
  return { CardPost: Part };
}, "CardPost");

interface MediaCardProps {
  media: MediaView;
  height: number;
  eager: boolean;
  /** One column, or a wide screen: everything in one row. */
  roomy: boolean;
  tags: number;
  /** Of the caption. */
  lines: 1 | 2;
}

export function MediaCard({ media: first, height, eager, roomy, tags, lines }: MediaCardProps) {
  const { t } = useTranslation();
  const { members } = first;
  const [at, setAt] = useState(0);
  const [isSwiped, setSwiped] = useReducer(() => true, false);
  // Of a post, the card tells of the medium in view.
  const media = members?.[at] ?? first;
  const when = plain(t, whenText(media.createdAt, useNow()));
  const face = useFace(media.userId);
  const { liked, answered, onClick } = useDoubleTap(media);
  const moves = mayPlayBySelf();
  const bare = media.previewUrl === "" && media.thumbnailUrl === "";
  const open = (event: MouseEvent) => {
    rememberCard(media);
    onClick(event);
  };
  const where = members && { place: at + 1, count: members.length };
  return (
    <article data-testid="media-card" data-shown={media.id}>
      <Link
        to={paths.media(media)}
        onClick={open}
        data-answered={answered}
        // The pictures of a post lie over it, and open it too.
        tabIndex={isSwiped ? -1 : 0}
        className="shell-open"
        data-testid="open-media"
      >
        <span className="shell-picture" style={{ height }} data-picture={first.id}>
          <Picture media={first} eager={eager} />
          <Marks media={media} />
          {where && <PostMark {...where} />}
          {liked > 0 && <LikeBurst key={liked} />}
        </span>
        <strong className="shell-title" dir="auto" style={{ "--lines": lines } as CSSProperties}>
          {media.caption || t("media.untitled")}
        </strong>
        <Kind isVideo={media.type === "video"} where={where} />
      </Link>
      {members ? (
        <CardPost
          {...{ members, at, height, moves }}
          pictures={members.map((member) => (
            <Picture key={member.id} media={member} eager={false} />
          ))}
          onView={setAt}
          onOpen={open}
          onShown={setSwiped}
        />
      ) : (
        media.type === "video" &&
        (moves || bare) && <CardVideo media={media} height={height} moves={moves} bare={bare} />
      )}
      {media.tags.length > 0 && <CardTags tags={media.tags.slice(0, tags)} />}
      <div className="shell-meta">
        <Link to={paths.user(media.username)} className="shell-by" data-testid="owner-link">
          <Avatar name={media.username} src={face} />
          <span className="shell-words">
            <span className="shell-owner">{media.username}</span>
            {roomy && <span className={WHEN}>{when}</span>}
          </span>
        </Link>
        <LikeButton key={media.id} media={media} className="-me-1.5 px-1.5" />
        {roomy && <Counts media={media} className={ROOMY_COUNT} />}
      </div>
      {!roomy && (
        <p className="pointer-events-none mx-[2px] -mt-[6px] flex h-[1rem] items-center gap-[8px] text-xs/[1rem] text-muted">
          {/* The counts stand still when the time's words grow. */}
          <span className={`${WHEN} flex-1`}>{when}</span>
          <Counts media={media} className="gap-[3px] [&_svg]:size-[13px]" />
        </p>
      )}
    </article>
  );
}

interface Where {
  place: number;
  count: number;
}

/** Said, not shown: what it is, and of a post which one. */
function Kind({ isVideo, where }: { isVideo: boolean; where: Where | undefined }) {
  const { t } = useTranslation();
  return (
    <span className="sr-only">
      {where
        ? t(isVideo ? "media.videoPlace" : "media.photoPlace", { ...where })
        : t(isVideo ? "media.video" : "media.photo")}
    </span>
  );
}

function PostMark({ place, count }: Where) {
  return (
    <span className={`${MARK} start-2 top-2 bottom-auto!`} data-testid="post-mark">
      <GalleryHorizontalEnd className="size-3" aria-hidden="true" />
      <span aria-hidden="true">{`${place}/${count}`}</span>
    </span>
  );
}

function CardTags({ tags }: { tags: readonly string[] }) {
  return (
    <p className="shell-tags" data-testid="card-tags">
      {tags.map((tag) => (
        <Link key={tag} to={paths.tag(tag)} dir="auto" className="shell-tag" data-testid="card-tag">
          {`#${tag}`}
        </Link>
      ))}
    </p>
  );
}

const MARK =
  "absolute bottom-2 z-[1] flex items-center gap-1.5 rounded-full bg-slate-900/75 px-2 py-0.5 text-xs leading-[1.125rem] font-semibold text-white";

function Marks({ media }: { media: MediaView }) {
  const { t } = useTranslation();
  const { pending } = media;
  const refused = pending?.state === "refused";
  return (
    <>
      {media.type === "video" && (
        <span className={`${MARK} start-2`} data-testid="video-mark">
          <Play className="size-3 fill-current" aria-hidden="true" />
          {media.duration > 0 ? durationText(media.duration) : t("media.video")}
        </span>
      )}
      {pending !== null && pending.state !== "acked" && (
        <span
          className={`${MARK} end-2 ${refused ? "bg-red-800/90" : ""}`}
          data-testid="pending-mark"
          data-state={pending.state}
        >
          <span
            className={`size-[9px] rounded-full border-2 ${refused ? "border-white" : "border-accent"}`}
          />
          {plain(t, pendingText(pending))}
        </span>
      )}
    </>
  );
}

const WHEN = "block min-w-0 truncate text-[0.75rem] text-muted";
const ROOMY_COUNT = "gap-[4px] ps-[8px] text-[0.84375rem] [&_svg]:size-[18px]";

function Counts({ media, className }: { media: MediaView; className: string }) {
  const { t, i18n } = useTranslation();
  const counts = [
    { Icon: MessageCircle, count: media.comments, key: "media.comments" },
    { Icon: Eye, count: media.views, key: "media.views" },
  ] as const;
  return counts.map(({ Icon, count, key }) => (
    <span
      key={key}
      className={`flex flex-none items-center text-muted tabular-nums [&_svg]:block ${className}`}
    >
      <span aria-hidden="true">
        <Icon />
      </span>
      <span aria-hidden="true">{compact(count, i18n.language)}</span>
      <span className="sr-only">{t(key, { count })}</span>
    </span>
  ));
}

/** "1.2K": a card has no room for the full number. */
const compact = (value: number, language: string): string =>
  value < 1000
    ? String(value)
    : new Intl.NumberFormat(language, { notation: "compact" }).format(value);

/** The addresses to try, in order (specification §8, Thumbnails). */
function pictureSources(media: MediaView): string[] {
  // Renditions are still images. Older animated files have none, so the file itself is used.
  const moves = media.contentType === "image/gif" && !mayPlayBySelf();
  const whole = media.type === "photo" && !moves ? media.url : "";
  const urls = [media.previewUrl, media.thumbnailUrl, whole];
  return [...new Set(urls)].filter((url) => url !== "" && !(moves && url === media.url));
}

/** Its colour or blurred placeholder, then the picture, both at the final size. */
export function Picture({ media, eager }: { media: MediaView; eager: boolean }) {
  const [failures, setFailures] = useState(0);
  const source = pictureSources(media)[failures];
  const blur = eager ? "" : placeholderUrl(media.thumbhash);
  return (
    <>
      {eager ? (
        // A plain colour, as in index.html: decoding a blur would delay the first pictures.
        <span
          className="absolute inset-0"
          style={{ background: placeholderColor(media.thumbhash) }}
        />
      ) : (
        blur !== "" && <img src={blur} alt="" aria-hidden="true" />
      )}
      {source === undefined && media.type === "video" && (
        <Film className="absolute inset-0 m-auto size-9 text-muted" data-testid="no-picture" />
      )}
      {source !== undefined && (
        <img
          key={source}
          src={source}
          alt={media.alt}
          loading={eager ? "eager" : "lazy"}
          decoding={eager ? "sync" : "async"}
          onError={() => setFailures((count) => count + 1)}
        />
      )}
    </>
  );
}

/** Videos and animations start only on request with reduced motion or data saving. */
function mayPlayBySelf(): boolean {
  const { connection } = navigator as Navigator & {
    connection?: { saveData?: boolean; effectiveType?: string };
  };
  if (connection?.saveData === true || connection?.effectiveType?.includes("2g")) return false;
  return !window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
}
