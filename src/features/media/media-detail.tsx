/** One medium (specification §2 /view): what it shows, who made it, its figures, and deleting it. */
import { ArrowLeft, Eye, Heart, MessageCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { MediaView } from "@/data/client-api";
import { paths } from "@/domain/paths";
import { pendingText } from "@/i18n/pending-text";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { useNow } from "@/state/use-now";
import { useProfilePicture } from "@/state/use-profile-picture";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { DeleteMedia } from "./delete-media";
import { MediaStage } from "./media-stage";

interface MediaDetailProps {
  media: MediaView;
  signedIn: boolean;
  mayDelete: boolean;
  onBack: () => void;
}

export function MediaDetail({ media, signedIn, mayDelete, onBack }: MediaDetailProps) {
  const { t } = useText();
  return (
    <article data-testid="media-detail" data-media-id={media.id}>
      <div className="mb-2 flex items-center justify-between">
        <Button variant="ghost" className="-ml-3 px-3!" onClick={onBack} data-testid="back">
          <ArrowLeft aria-hidden="true" />
          {t("media.back")}
        </Button>
        {mayDelete && <DeleteMedia media={media} onDeleted={onBack} />}
        {!signedIn && (
          <Link
            to={paths.login}
            data-testid="login-to-report"
            className="target -mr-2 flex items-center px-2 text-sm text-muted hover:text-foreground"
          >
            {t("media.loginToReport")}
          </Link>
        )}
      </div>
      <MediaStage media={media} />
      <div className="mx-auto mt-4 grid max-w-[680px] gap-4">
        <Owner media={media} />
        <h1
          dir="auto"
          className={
            media.caption === ""
              ? "sr-only"
              : "text-xl leading-snug font-bold tracking-tight whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
          }
        >
          {media.caption === "" ? t("media.untitled") : media.caption}
        </h1>
        {media.tags.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label={t("media.tags")} data-testid="tags">
            {media.tags.map((tag) => (
              <li
                key={tag}
                dir="auto"
                className="max-w-full truncate rounded-full bg-surface px-3 py-1 text-sm text-muted"
              >
                {tag}
              </li>
            ))}
          </ul>
        )}
        <Figures media={media} />
      </div>
    </article>
  );
}

function Owner({ media }: { media: MediaView }) {
  const { language } = useText();
  const now = useNow();
  const picture = useProfilePicture(media.userId);
  const refused = media.pending?.state === "refused";
  return (
    <div className="flex items-center gap-3">
      <Avatar name={media.username} src={picture} size={40} />
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate font-semibold" data-testid="owner">
          {media.username}
        </p>
        <p className="text-[13px] text-muted">
          <SayText text={whenText(media.createdAt, now, language)} />
        </p>
      </div>
      {media.pending !== null && media.pending.state !== "acked" && (
        <span
          data-testid="pending-mark"
          data-state={media.pending.state}
          className={`flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-[13px] ${refused ? "text-danger" : "text-muted"}`}
        >
          <i className={`size-2 rounded-full ${refused ? "bg-danger" : "bg-accent"}`} />
          <SayText text={pendingText(media.pending)} />
        </span>
      )}
    </div>
  );
}

function Figures({ media }: { media: MediaView }) {
  const { t } = useText();
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-2 border-t border-line pt-4 text-[15px] text-muted tabular-nums">
      <Figure
        icon={<Heart className={media.liked ? "fill-current text-like" : ""} />}
        testId="likes"
      >
        {t("media.likes", { count: media.likes })}
      </Figure>
      <Figure icon={<MessageCircle />} testId="comments">
        {t("media.comments", { count: media.comments })}
      </Figure>
      <Figure icon={<Eye />} testId="views">
        {t("media.views", { count: media.views })}
      </Figure>
    </ul>
  );
}

function Figure({
  icon,
  testId,
  children,
}: {
  icon: ReactNode;
  testId: string;
  children: ReactNode;
}) {
  return (
    <li className="flex items-center gap-2 [&_svg]:size-[19px]" data-testid={testId}>
      <span aria-hidden="true">{icon}</span>
      {children}
    </li>
  );
}
