import { Images } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router-dom";
import { PROFILE_MEDIA_MAX, PROFILE_STEP } from "@/domain/limits";
import { ColumnToggle } from "@/features/gallery/gallery-bar";
import { GridSkeleton } from "@/features/media/media-grid";
import { PersonGallery } from "@/features/media/person-gallery";
import { PublicProfile } from "@/features/profile/public-profile";
import { usePreferences } from "@/state/preferences";
import { useUser } from "@/state/session";
import { EmptyState } from "@/ui/empty-state";

export function UserRoute() {
  const { t } = useTranslation();
  const { username = "" } = useParams();
  const columns = usePreferences((now) => now.columns);
  // Whoever is signed in now sees nothing that was for another.
  const viewer = useUser()?.id ?? "";
  return (
    <PublicProfile
      key={`${username} ${viewer}`}
      username={username}
      mediaLoading={<GridSkeleton columns={columns} />}
      media={(person) => (
        <PersonGallery
          userId={person.id}
          step={PROFILE_STEP}
          most={PROFILE_MEDIA_MAX}
          texts={{
            all: t("people.all"),
            photos: t("gallery.photos"),
            videos: t("gallery.videos"),
            more: t("people.showMore"),
          }}
          columnToggle={<ColumnToggle />}
          empty={
            <EmptyState
              testId="person-media-empty"
              icon={<Images />}
              title={t("people.noMedia")}
              text={t("people.noMediaText", { name: person.username })}
            />
          }
        />
      )}
    />
  );
}
