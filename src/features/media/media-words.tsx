/** Whose it is, what it is called and tagged with. */
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { pendingText } from "@/i18n/pending-text";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { useNow } from "@/state/page";
import { useProfilePicture } from "@/state/people";
import { Avatar } from "@/ui/avatar";

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
          <span className="block text-[13px] text-muted">
            <SayText text={whenText(media.createdAt, now)} />
          </span>
        </span>
      </Link>
      <span className="flex-1" />
      <Fate media={media} />
      {children}
    </div>
  );
}

function Fate({ media: { pending } }: { media: MediaView }) {
  if (pending === null || pending.state === "acked") return null;
  const refused = pending.state === "refused";
  return (
    <span
      data-testid="pending-mark"
      data-state={pending.state}
      className={`flex shrink-0 items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-[13px] ${refused ? "text-danger" : "text-muted"}`}
    >
      <i className={`size-2 rounded-full ${refused ? "bg-danger" : "bg-accent"}`} />
      <SayText text={pendingText(pending)} />
    </span>
  );
}

export function MediaCaption({ media }: { media: MediaView }) {
  const { t } = useText();
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
        {media.caption === "" ? t("media.untitled") : media.caption}
      </h1>
      {media.tags.length > 0 && (
        <ul
          className="-my-1 flex flex-wrap gap-x-2"
          aria-label={t("media.tags")}
          data-testid="tags"
        >
          {media.tags.map((tag) => (
            <li key={tag} className="max-w-full">
              <Link
                to={paths.tag(tag)}
                aria-label={t("detail.showTag", { tag })}
                className="target flex items-center no-underline"
                data-testid="tag"
              >
                <span
                  dir="auto"
                  className="truncate rounded-full bg-surface px-3 py-1 text-sm text-muted hover:text-foreground"
                >
                  {tag}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
