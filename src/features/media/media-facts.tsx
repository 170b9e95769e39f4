/** The rows below the picture: like, comments, views and sharing, then owner, caption and tags. */

import { Bookmark, CloudCheck, CloudDownload, Eye, MessageCircle, Share2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { linkParts } from "@/domain/linked-words";
import { paths } from "@/domain/paths";
import { bytesText, pendingText, whenText } from "@/i18n/formats";
import { SayText } from "@/i18n/say";
import { useKeepOffline } from "@/state/media";
import { useNow } from "@/state/page";
import { useProfilePicture } from "@/state/people";
import { useSave } from "@/state/saves";
import { shareMedia } from "@/state/share";
import { Avatar } from "@/ui/avatar";
import { cn } from "@/ui/cn";
import { LinkedText } from "@/ui/linked-text";
import { COMMENTS_ID } from "./comment-section";
import { LikeButton } from "./like-button";

export function MediaFacts({ media }: { media: MediaView }) {
  const { t } = useTranslation();
  const title = media.caption || t("media.untitled");
  return (
    <div className="flex flex-wrap items-center gap-x-1 text-[0.9375rem] text-muted tabular-nums">
      <LikeButton media={media} className="-ms-2 px-2 text-[0.9375rem]! [&_svg]:size-[21px]!" />
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
      <SaveButton mediaId={media.id} />
      <button
        type="button"
        aria-label={t("detail.share")}
        title={t("detail.share")}
        data-testid="share"
        className="-me-2 grid size-11 shrink-0 place-items-center rounded-full text-foreground hover:bg-surface [&_svg]:size-[21px]"
        onClick={() => void shareMedia(media, title)}
      >
        <Share2 aria-hidden="true" />
      </button>
    </div>
  );
}

/** Scrolls by script: an address with `#` would add a history entry. */
function showComments(): void {
  const heading = document.getElementById(COMMENTS_ID);
  heading?.scrollIntoView({ behavior: "smooth" });
  heading?.focus({ preventScroll: true });
}

function KeepButton({ media }: { media: MediaView }) {
  const { t, i18n } = useTranslation();
  const offline = useKeepOffline(media);
  if (offline === null) return null;
  const { keep, toggle } = offline;
  const size = bytesText(media.fileSize, i18n.language);
  const isKept = keep.state === "kept";
  const label = t(isKept ? "detail.kept" : "detail.keep", { size });
  const Icon = isKept ? CloudCheck : CloudDownload;
  const busy = keep.state === "fetching";
  return (
    <button
      type="button"
      aria-pressed={isKept}
      title={label}
      data-testid="keep-offline"
      data-state={keep.state}
      className={cn(
        "target flex shrink-0 items-center gap-1.5 rounded-full px-2.5 text-[0.84375rem] hover:bg-surface aria-pressed:font-semibold aria-pressed:text-ok",
        busy && "animate-pulse-soft",
      )}
      onClick={toggle}
    >
      <Icon className="size-[21px]" aria-hidden="true" />
      <span aria-hidden="true">{busy ? `${keep.percent} %` : size}</span>
      <span className="sr-only">
        {busy ? t("detail.keeping", { percent: keep.percent }) : label}
      </span>
    </button>
  );
}

function SaveButton({ mediaId }: { mediaId: string }) {
  const { t } = useTranslation();
  const { isSaved, toggle } = useSave(mediaId);
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      aria-label={t("saves.save")}
      title={t(isSaved ? "saves.saved" : "saves.save")}
      data-testid="save"
      className="grid size-11 shrink-0 place-items-center rounded-full text-foreground hover:bg-surface"
      onClick={toggle}
    >
      <Bookmark aria-hidden="true" className={cn("size-[21px]", isSaved && "fill-current")} />
    </button>
  );
}

export function MediaOwner({ media, children }: { media: MediaView; children?: ReactNode }) {
  const now = useNow();
  const picture = useProfilePicture(media.userId);
  return (
    <div className="flex items-center gap-3">
      <Link
        to={paths.user(media.username)}
        className="target flex min-w-0 items-center gap-3 text-foreground no-underline"
        data-testid="owner-link"
      >
        <Avatar name={media.username} src={picture} size={40} />
        <span className="min-w-0 leading-tight">
          <span className="block truncate font-semibold" data-testid="owner">
            {media.username}
          </span>
          <span className="block text-[0.8125rem] text-muted">
            <SayText text={whenText(media.createdAt, now)} />
          </span>
        </span>
      </Link>
      <span className="flex-1" />
      <Outcome pending={media.pending} />
      {children}
    </div>
  );
}

function Outcome({ pending }: Pick<MediaView, "pending">) {
  if (pending === null || pending.state === "acked") return null;
  const refused = pending.state === "refused";
  return (
    <span
      data-testid="pending-mark"
      data-state={pending.state}
      className={`flex shrink-0 items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-[0.8125rem] ${refused ? "text-danger" : "text-muted"}`}
    >
      <i className={`size-2 rounded-full ${refused ? "bg-danger" : "bg-mark"}`} />
      <SayText text={pendingText(pending)} />
    </span>
  );
}

export function MediaCaption({ media }: { media: MediaView }) {
  const { t } = useTranslation();
  return (
    <>
      <h1
        dir="auto"
        tabIndex={-1}
        className={
          media.caption === ""
            ? "sr-only"
            : "text-xl leading-snug font-bold tracking-tight whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
        }
      >
        {media.caption === "" ? (
          t("media.untitled")
        ) : (
          <LinkedText parts={linkParts(media.caption)} />
        )}
      </h1>
      {media.tags.length > 0 && (
        <ul
          className="-my-1 flex flex-wrap gap-x-2"
          aria-label={t("detail.tags")}
          data-testid="tags"
        >
          {media.tags.map((tag) => (
            <li key={tag} className="max-w-full">
              <Link
                to={paths.tag(tag)}
                aria-label={t("detail.showTag", { tag })}
                className="target flex items-center rounded-[10px] text-[0.8125rem] text-muted no-underline hover:text-foreground"
                data-testid="tag"
              >
                <span dir="auto" className="truncate">
                  {`#${tag}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
