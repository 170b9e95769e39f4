/** Finds the medium of an address: shows it, waits for it, says that it cannot be found, or goes home. */
import { ImageOff } from "lucide-react";
import { Link, Navigate } from "react-router-dom";
import { may } from "@/domain/may";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { useClientState } from "@/state/client-store";
import { useMedia, useRecordView } from "@/state/use-media";
import { useSession, useUser } from "@/state/use-session";
import { useTitle } from "@/state/use-title";
import { buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/skeleton";
import { MediaDetail } from "./media-detail";

export function MediaPage({ id, onBack }: { id: string; onBack: () => void }) {
  const { t } = useText();
  const user = useUser();
  const session = useSession();
  const clientState = useClientState();
  const found = useMedia(id);
  const media = found.state === "found" ? found.value : null;
  useTitle(media === null || media.caption === "" ? t("pages.media") : media.caption.slice(0, 80));
  useRecordView(session.state === "loading" ? null : media, user?.id ?? "");
  // The server's definite word sends home; what merely cannot be asked for gets a card (resolutions).
  if (found.state === "gone" || media?.url === "") return <Navigate to={paths.home} replace />;
  if (found.state === "unreachable" || clientState.state === "failed") return <NotThere />;
  if (media === null) return <MediaSkeleton />;
  return (
    <MediaDetail
      media={media}
      signedIn={session.state !== "signed-out"}
      mayDelete={may.deleteMedia(user, media)}
      onBack={onBack}
    />
  );
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
