import { Gallery } from "@/features/gallery/gallery";
import type { GalleryParts } from "@/features/gallery/gallery-bar";
import { GridSkeleton, MediaGrid } from "@/features/media/media-grid";
import { loadLaterTexts, loadOnlineTexts } from "@/i18n/setup";
import { useTitle } from "@/state/page";
import { lazily } from "@/ui/lazily";

const WhomToFollow = lazily(async () => {
  const load = import("@/features/profile/whom-to-follow");
  const [file] = await Promise.all([load, loadLaterTexts(), loadOnlineTexts()]);
  return file;
}, "WhomToFollow");

const PARTS: GalleryParts = { Grid: MediaGrid, Skeleton: GridSkeleton, WhomToFollow };

export function HomeRoute() {
  useTitle("");
  return <Gallery parts={PARTS} />;
}
