import { useTranslation } from "react-i18next";
import { ExplorePage } from "@/features/explore/explore-page";
import { PersonToFollow } from "@/features/profile/person-to-follow";
import { useTitle } from "@/state/page";

export function ExploreRoute() {
  const { t } = useTranslation();
  useTitle(t("explore.title"));
  return <ExplorePage Person={PersonToFollow} />;
}
