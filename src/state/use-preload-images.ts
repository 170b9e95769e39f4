/** Keeps the pictures of the head of a list decoded in memory (specification §9, "Image cache"). */
import { useEffect } from "react";
import type { MediaView } from "@/data/shapes";
import type { ImagePreloader } from "@/lib/image-preloader";

/** Loaded when first wanted: it must not delay the picture that it is to hasten. */
let preloader: Promise<ImagePreloader> | null = null;

function loadPreloader(): Promise<ImagePreloader> {
  preloader ??= import("@/lib/image-preloader").then(({ createImagePreloader }) =>
    createImagePreloader({
      load: async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        return image;
      },
      delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
  );
  return preloader;
}

export function usePreloadImages(items: readonly MediaView[]): void {
  const urls = items
    .slice(0, 10)
    .map((item) => item.previewUrl || item.thumbnailUrl)
    .join(" ");
  // Outside: the browser's pictures.
  useEffect(() => {
    // Ignoring a failure: without it they load when they are shown.
    void loadPreloader()
      .then((ready) => ready.preload(urls.split(" ")))
      .catch(() => undefined);
  }, [urls]);
}
