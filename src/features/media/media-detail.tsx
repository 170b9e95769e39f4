/** One medium (specification §2 /view): what it shows, who made it, what is said about it, and what else there is. */
import { ArrowLeft } from "lucide-react";
import { useRef } from "react";
import { Link, useLocation } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import type { Viewer } from "@/domain/may";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { withReturn } from "@/lib/with-return";
import type { Neighbours } from "@/state/place";
import { Button } from "@/ui/button";
import { CommentSection } from "./comment-section";
import { MediaFacts } from "./media-facts";
import { MediaMenu } from "./media-menu";
import { MediaStage, type Step } from "./media-stage";
import { MediaCaption, MediaOwner } from "./media-words";
import { MoreFrom } from "./more-from";
import { useFullScreen } from "./use-full-screen";

interface MediaDetailProps {
  media: MediaView;
  /** Null for visitors. */
  viewer: Viewer | null;
  neighbours: Neighbours;
  /** Another medium is being looked up; this one is what stood here before. */
  busy: boolean;
  onStep: (to: Step) => void;
  onBack: () => void;
  onDeleting: () => void;
}

export function MediaDetail(props: MediaDetailProps) {
  const { media, viewer, neighbours, busy, onStep } = props;
  const frame = useRef<HTMLDivElement>(null);
  const screen = useFullScreen(frame);
  const ways = { previous: neighbours.previous !== null, next: neighbours.next !== null };
  return (
    <article data-testid="media-detail" data-media-id={media.id}>
      <div inert={screen.full}>
        <Head {...props} />
      </div>
      <MediaStage
        media={media}
        ways={ways}
        step={onStep}
        screen={screen}
        frame={frame}
        busy={busy}
      />
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
  const { t } = useText();
  const { pathname, search } = useLocation();
  return (
    <div className="mb-2 flex items-center justify-between">
      <Button variant="ghost" className="-ml-3 px-3!" onClick={onBack} data-testid="back">
        <ArrowLeft aria-hidden="true" />
        {t("media.back")}
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
