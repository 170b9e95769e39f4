import { ImagePlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { PAGE_SIZE } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { ColumnToggle } from "@/features/gallery/gallery-bar";
import { GridSkeleton } from "@/features/media/media-grid";
import { PersonGallery } from "@/features/media/person-gallery";
import { OwnProfile } from "@/features/profile/own-profile";
import { usePreferences } from "@/state/preferences";
import { useLoginPath } from "@/state/session";
import { buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { lazily } from "@/ui/lazily";

const SavedGallery = lazily(() => import("@/features/media/saved-gallery"), "SavedGallery");
const ProfileSettings = lazily(() => import("./profile-settings"), "ProfileSettings");

export function ProfileRoute() {
  const columns = usePreferences((now) => now.columns);
  const [deleting, setDeleting] = useState(false);
  const login = useLoginPath();
  return (
    <OwnProfile
      signedOutTo={deleting ? paths.home : login}
      mediaLoading={<GridSkeleton columns={columns} />}
      media={(person) => <OwnMedia userId={person.id} />}
      saved={<SavedGallery columnToggle={<ColumnToggle />} />}
      settings={(person) => <ProfileSettings person={person} onDeleting={setDeleting} />}
    />
  );
}

function OwnMedia({ userId }: { userId: string }) {
  const { t } = useTranslation();
  return (
    <PersonGallery
      userId={userId}
      step={PAGE_SIZE}
      texts={{
        all: t("people.all"),
        photos: t("profile.photosOnly"),
        videos: t("profile.videosOnly"),
        more: t("gallery.loadMore"),
      }}
      columnToggle={<ColumnToggle />}
      empty={
        <EmptyState
          testId="my-media-empty"
          icon={<ImagePlus />}
          title={t("profile.emptyTitle")}
          text={t("profile.emptyText")}
        >
          <Link to={paths.upload} className={buttonClasses({ variant: "accent" })}>
            {t("profile.uploadNow")}
          </Link>
        </EmptyState>
      }
    />
  );
}
