import { useParams } from "react-router-dom";
import { TagPage } from "@/features/gallery/search-results";
import { GridSkeleton, MediaGrid } from "@/features/media/media-grid";
import { FollowTag } from "@/features/profile/follow-button";
import { useTitle } from "@/state/page";

const PARTS = { Grid: MediaGrid, Skeleton: GridSkeleton };

export function TagRoute() {
  const { tag = "" } = useParams();
  useTitle(`#${tag}`);
  return <TagPage key={tag} tag={tag} parts={PARTS} follow={<FollowTag tag={tag} />} />;
}
