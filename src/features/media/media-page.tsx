/** Finds the medium of an address: shows it, waits for it, says that it cannot be found, or that it is gone. */
import { ImageOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import type { Found, MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { useClientState } from "@/state/client-store";
import { useMedia, useRecordView } from "@/state/media";
import { useDescription, useTitle } from "@/state/page";
import type { Neighbours } from "@/state/place";
import { useSession, useUser } from "@/state/session";
import { buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/skeleton";
import { MediaDetail } from "./media-detail";
import type { Step } from "./media-stage";

interface MediaPageProps {
  id: string;
  neighbours: Neighbours;
  onStep: (to: Step) => void;
  onBack: () => void;
  /** In place of what is there no more. */
  gone: ReactNode;
}

export function MediaPage({ id, neighbours, onStep, onBack, gone }: MediaPageProps) {
  const { t } = useText();
  const user = useUser();
  const session = useSession();
  const clientState = useClientState();
  const found = useMedia(id);
  const { media, shown } = useShown(found);
  const [deleting, setDeleting] = useState("");
  useTitle(media === null || media.caption === "" ? t("pages.media") : media.caption.slice(0, 80));
  useDescription(useAbout(media));
  useRecordView(session.state === "loading" ? null : media, user?.id ?? "");
  // Deleted here and now: the way back is on its way already.
  if (deleting === id && media === null) return null;
  // The server's definite word leads away; what merely cannot be asked for gets a card (resolutions).
  if (found.state === "gone" || media?.url === "") return gone;
  if (found.state === "unreachable" || clientState.state === "failed") return <NotThere />;
  if (shown === null) return <MediaSkeleton />;
  return (
    <MediaDetail
      media={shown}
      viewer={user}
      neighbours={neighbours}
      busy={media === null}
      onStep={onStep}
      onBack={onBack}
      onDeleting={() => setDeleting(id)}
    />
  );
}

/** While the next one is looked up, the one before stays: stepping never blanks the screen. */
function useShown(found: Found<MediaView>): { media: MediaView | null; shown: MediaView | null } {
  const media = found.state === "found" ? found.value : null;
  const [last, setLast] = useState(media);
  if (media !== null && media !== last) setLast(media);
  return { media, shown: media ?? (found.state === "loading" ? last : null) };
}

/** A sentence about it, for the browser's own uses. */
function useAbout(media: MediaView | null): string {
  const { t } = useText();
  if (media === null) return "";
  const { username: name, caption } = media;
  if (caption !== "") return t("detail.description", { caption: caption.slice(0, 150), name });
  return t(media.type === "video" ? "detail.videoBy" : "detail.photoBy", { name });
}

function NotThere() {
  const { t } = useText();
  return (
    <EmptyState
      page
      testId="media-not-found"
      icon={<ImageOff />}
      title={t("media.notFound")}
      text={t("media.notFoundText")}
    >
      <Link to={paths.home} className={buttonClasses({ variant: "accent" })} data-testid="go-home">
        {t("media.goHome")}
      </Link>
    </EmptyState>
  );
}

function MediaSkeleton() {
  const { t } = useText();
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
