/** One medium of the grid. Its geometry is drawn by app/first-paint/paint.ts too: change both. */
import { Eye, MessageCircle, Play } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { mediaSlug } from "@/domain/slugs";
import { durationText } from "@/i18n/duration-text";
import { pendingText } from "@/i18n/pending-text";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { mayPlayBySelf } from "@/lib/may-play";
import { useNow } from "@/state/page";
import { rememberOpened } from "@/state/place";
import { Avatar } from "@/ui/avatar";
import { LikeBurst } from "./like-burst";
import { LikeButton } from "./like-button";
import { Picture } from "./picture";
import { useDoubleTap } from "./use-double-tap";

const CardVideo = lazy(() => import("./card-video").then((file) => ({ default: file.CardVideo })));

interface MediaCardProps {
  media: MediaView;
  /** Of the picture, pixels. */
  height: number;
  eager: boolean;
  /** One column, or a wide screen: everything in one row. */
  roomy: boolean;
  /** How many tags it shows at most. */
  tags: number;
}

export function MediaCard({ media, height, eager, roomy, tags }: MediaCardProps) {
  const { t } = useText();
  const when = useWhen(media.createdAt);
  const counts = <Counts media={media} />;
  const { liked, onClick } = useDoubleTap(media);
  return (
    <article data-testid="media-card">
      <Link
        to={paths.media(media)}
        onClick={(event) => {
          rememberOpened(mediaSlug(media), media.id);
          onClick(event);
        }}
        className="shell-open"
        data-testid="open-media"
      >
        <span className="shell-picture" style={{ height }}>
          <Picture media={media} eager={eager} />
          {media.type === "video" && mayPlayBySelf() && (
            <Suspense fallback={null}>
              <CardVideo src={media.url} />
            </Suspense>
          )}
          <Marks media={media} />
          {liked > 0 && <LikeBurst key={liked} />}
        </span>
        <strong className="shell-title" dir="auto">
          {media.caption === "" ? t("media.untitled") : media.caption}
        </strong>
        <span className="sr-only">{t(media.type === "video" ? "media.video" : "media.photo")}</span>
      </Link>
      {media.tags.length > 0 && <CardTags tags={media.tags.slice(0, tags)} />}
      <div className="shell-meta">
        <Link to={paths.user(media.username)} className="shell-by" data-testid="owner-link">
          <Avatar name={media.username} />
          <span className="shell-words">
            <span className="shell-owner">{media.username}</span>
            {roomy && <span className="shell-when">{when}</span>}
          </span>
        </Link>
        <LikeButton media={media} className="-mr-1.5 px-1.5" />
        {roomy && counts}
      </div>
      {!roomy && (
        <p className="shell-facts">
          <span className="shell-when">{when}</span>
          {counts}
        </p>
      )}
    </article>
  );
}

/** What else is tagged so, one tap away. The detail shows the rest. */
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

function useWhen(at: number): string {
  const { say } = useText();
  return say(whenText(at, useNow()));
}

const MARK =
  "absolute bottom-2 flex items-center gap-1.5 rounded-full bg-slate-900/75 px-2 py-0.5 text-xs leading-[18px] font-semibold text-white";

function Marks({ media }: { media: MediaView }) {
  const { t, say } = useText();
  const { pending } = media;
  const refused = pending?.state === "refused";
  return (
    <>
      {media.type === "video" && (
        <span className={`${MARK} left-2`} data-testid="video-mark">
          <Play className="size-3 fill-current" aria-hidden="true" />
          {media.duration > 0 ? durationText(media.duration) : t("media.video")}
        </span>
      )}
      {pending !== null && pending.state !== "acked" && (
        <span
          className={`${MARK} right-2 ${refused ? "bg-red-800/90" : ""}`}
          data-testid="pending-mark"
          data-state={pending.state}
        >
          <span
            className={`size-[9px] rounded-full border-2 ${refused ? "border-white" : "border-accent"}`}
          />
          {say(pendingText(pending))}
        </span>
      )}
    </>
  );
}

function Counts({ media }: { media: MediaView }) {
  const { t } = useText();
  return (
    <>
      <Count
        icon={<MessageCircle />}
        value={media.comments}
        label={t("media.comments", { count: media.comments })}
      />
      <Count icon={<Eye />} value={media.views} label={t("media.views", { count: media.views })} />
    </>
  );
}

interface CountProps {
  icon: ReactNode;
  value: number;
  label: string;
}

function Count({ icon, value, label }: CountProps) {
  const { language } = useText();
  return (
    <span className="shell-count">
      <span aria-hidden="true">{icon}</span>
      <span aria-hidden="true">{compact(value, language)}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** "1.2K": a card has no room for more. */
const compact = (value: number, language: string): string =>
  value < 1000
    ? String(value)
    : new Intl.NumberFormat(language, { notation: "compact" }).format(value);
