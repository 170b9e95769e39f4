/** Keeps the pictures of the head of a list decoded in memory (specification §9, "Image cache"). */
import { useEffect } from "react";
import type { MediaView } from "@/data/client-api";
import { createImagePreloader } from "@/lib/image-preloader";

const preloader = createImagePreloader({
  load: async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  },
  delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

export function usePreloadImages(items: readonly MediaView[]): void {
  const urls = items
    .slice(0, 10)
    .map((item) => item.previewUrl || item.thumbnailUrl)
    .join(" ");
  // Outside: the browser's pictures.
  useEffect(() => {
    void preloader.preload(urls.split(" "));
  }, [urls]);
}
