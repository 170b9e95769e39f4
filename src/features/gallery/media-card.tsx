/** One medium of the grid. Its geometry is drawn by app/first-paint/paint.ts too: change both. */
import { Heart, MessageCircle, Play } from "lucide-react";
import { Link } from "react-router-dom";
import type { MediaView } from "@/data/client-api";
import { paths } from "@/domain/paths";
import { mediaSlug } from "@/domain/slugs";
import { durationText } from "@/i18n/duration-text";
import { pendingText } from "@/i18n/pending-text";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { rememberOpened } from "@/state/media-memory";
import { useNow } from "@/state/use-now";
import { Avatar } from "@/ui/avatar";
import { Picture } from "./picture";

interface MediaCardProps {
  media: MediaView;
  /** Of the picture, pixels. */
  height: number;
  eager: boolean;
  /** One column, or a wide screen: room for more than the likes. */
  roomy: boolean;
}

export function MediaCard({ media, height, eager, roomy }: MediaCardProps) {
  const { t, say, language } = useText();
  const now = useNow();
  const kind = media.type === "video" ? "media.videoBy" : "media.photoBy";
  const title = media.caption === "" ? t("media.untitled") : media.caption;
  const label = `${title}. ${t(kind, { name: media.username })}`;
  return (
    <article data-testid="media-card">
      <Link
        to={paths.media(media)}
        onClick={() => rememberOpened(mediaSlug(media), media.id, sessionStorage)}
        className="shell-picture"
        style={{ height }}
        data-testid="open-media"
      >
        <span className="sr-only">{label}</span>
        <Picture media={media} eager={eager} />
        <Marks media={media} />
      </Link>
      <div className="shell-meta">
        <Avatar name={media.username} />
        <div className="shell-words">
          <strong className="shell-title" dir="auto">
            {title}
          </strong>
          <span className="shell-owner">
            {media.username}
            {roomy && ` · ${say(whenText(media.createdAt, now, language))}`}
          </span>
        </div>
        <Counts media={media} roomy={roomy} />
      </div>
    </article>
  );
}

const MARK =
  "absolute bottom-2 flex items-center gap-1.5 rounded-full bg-slate-900/75 px-2 py-0.5 text-xs leading-[18px] font-semibold text-white backdrop-blur-sm";

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

function Counts({ media, roomy }: { media: MediaView; roomy: boolean }) {
  const { t } = useText();
  return (
    <span className="flex shrink-0 items-center gap-3 text-[13.5px] text-muted tabular-nums">
      <span className={`flex items-center gap-1 ${media.liked ? "text-like" : ""}`}>
        <Heart className={`size-[18px] ${media.liked ? "fill-current" : ""}`} aria-hidden="true" />
        <span aria-hidden="true">{media.likes}</span>
        <span className="sr-only">{t("media.likes", { count: media.likes })}</span>
      </span>
      {roomy && (
        <span className="flex items-center gap-1">
          <MessageCircle className="size-[18px]" aria-hidden="true" />
          <span aria-hidden="true">{media.comments}</span>
          <span className="sr-only">{t("media.comments", { count: media.comments })}</span>
        </span>
      )}
    </span>
  );
}
