/** The row under the picture: like, comments, views, and what one may do with it without an account. */
import { CloudCheck, CloudDownload, Eye, MessageCircle, Share2 } from "lucide-react";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { bytesText } from "@/i18n/bytes-text";
import { useText } from "@/i18n/use-text";
import { shareLink, useKeepOffline } from "@/state/media";
import { cn } from "@/ui/cn";
import { COMMENTS_ID } from "./comment-section";
import { LikeButton } from "./like-button";

const BUTTON =
  "grid size-11 shrink-0 place-items-center rounded-full text-foreground hover:bg-surface [&_svg]:size-[21px]";

export function MediaFacts({ media }: { media: MediaView }) {
  const { t } = useText();
  const title = media.caption || t("media.untitled");
  return (
    <div className="flex flex-wrap items-center gap-x-1 text-[15px] text-muted tabular-nums">
      <LikeButton media={media} className="-ml-2 px-2 text-[15px]! [&_svg]:size-[21px]!" />
      <button
        type="button"
        className="target flex items-center gap-1.5 px-2"
        data-testid="comments"
        onClick={showComments}
      >
        <MessageCircle className="size-[20px]" aria-hidden="true" />
        <span aria-hidden="true">{media.comments}</span>
        <span className="sr-only">{t("media.comments", { count: media.comments })}</span>
      </button>
      <span className="flex items-center gap-1.5 px-2" data-testid="views">
        <Eye className="size-[20px]" aria-hidden="true" />
        <span aria-hidden="true">{media.views}</span>
        <span className="sr-only">{t("media.views", { count: media.views })}</span>
      </span>
      <span className="flex-1" />
      <KeepButton media={media} />
      <button
        type="button"
        aria-label={t("detail.share")}
        title={t("detail.share")}
        data-testid="share"
        className={cn(BUTTON, "-mr-2")}
        onClick={() => void shareLink(title, `${location.origin}${paths.media(media)}`)}
      >
        <Share2 aria-hidden="true" />
      </button>
    </div>
  );
}

/** Not by an address with `#`: that would be a page of its own on the way back. */
function showComments(): void {
  const heading = document.getElementById(COMMENTS_ID);
  heading?.scrollIntoView({ behavior: "smooth" });
  heading?.focus({ preventScroll: true });
}

function KeepButton({ media }: { media: MediaView }) {
  const { t, language } = useText();
  const offline = useKeepOffline(media);
  if (offline === null) return null;
  const { keep, toggle } = offline;
  const size = bytesText(media.fileSize, language);
  const isKept = keep.state === "kept";
  const label = isKept ? t("detail.kept", { size }) : t("detail.keep", { size });
  const busy = keep.state === "fetching";
  return (
    <button
      type="button"
      aria-pressed={isKept}
      title={label}
      data-testid="keep-offline"
      data-state={keep.state}
      className={cn(
        "target flex shrink-0 items-center gap-1.5 rounded-full px-2.5 text-[13.5px] hover:bg-surface aria-pressed:font-semibold aria-pressed:text-ok",
        busy && "animate-pulse-soft",
      )}
      onClick={toggle}
    >
      {isKept ? (
        <CloudCheck className="size-[21px]" aria-hidden="true" />
      ) : (
        <CloudDownload className="size-[21px]" aria-hidden="true" />
      )}
      <span aria-hidden="true">{busy ? `${keep.percent} %` : size}</span>
      <span className="sr-only">
        {busy ? t("detail.keeping", { percent: keep.percent }) : label}
      </span>
    </button>
  );
}
