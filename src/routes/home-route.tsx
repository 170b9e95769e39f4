import { Gallery } from "@/features/gallery/gallery";
import type { GalleryParts } from "@/features/gallery/gallery-bar";
import { GridSkeleton, MediaGrid } from "@/features/media/media-grid";
import { useTitle } from "@/state/page";

const PARTS: GalleryParts = { Grid: MediaGrid, Skeleton: GridSkeleton };

export function HomeRoute() {
  useTitle("");
  return <Gallery parts={PARTS} />;
}
