import { Gallery } from "@/features/gallery/gallery";
import { useTitle } from "@/state/use-title";

export function HomeRoute() {
  useTitle("");
  return <Gallery />;
}
