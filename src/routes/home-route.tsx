import { Gallery, type GalleryParts } from "@/features/gallery/gallery";
import { GridSkeleton } from "@/features/media/grid-skeleton";
import { MediaGrid } from "@/features/media/media-grid";
import { useTitle } from "@/state/page";

const PARTS: GalleryParts = { Grid: MediaGrid, Skeleton: GridSkeleton };

export function HomeRoute() {
  useTitle("");
  return <Gallery parts={PARTS} />;
}
