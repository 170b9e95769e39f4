/** A picture of the grid: its colour or a blur of it, then the picture, both at its final size. */
import { useState } from "react";
import type { MediaView } from "@/data/shapes";
import { mayPlayBySelf } from "@/lib/may-play";
import { placeholderColor, placeholderUrl } from "@/lib/placeholder";

/** What is tried, in this order: a failing smaller picture falls back to the whole one (specification §8, Thumbnails). */
export function pictureSources(media: MediaView): string[] {
  // Renditions stand still, an animated file does not: older ones have none, and their file stands in for it.
  const moves = media.contentType === "image/gif" && !mayPlayBySelf();
  const whole = media.type === "photo" && !moves ? media.url : "";
  const urls = [media.previewUrl, media.thumbnailUrl, whole];
  return [...new Set(urls)].filter((url) => url !== "" && !(moves && url === media.url));
}

interface PictureProps {
  media: MediaView;
  /** Drawn with the page: loaded at once and never faded in. */
  eager: boolean;
}

export function Picture({ media, eager }: PictureProps) {
  const [failures, setFailures] = useState(0);
  const source = pictureSources(media)[failures];
  return (
    <>
      {eager ? <Color hash={media.thumbhash} /> : <Blur hash={media.thumbhash} />}
      {source !== undefined && (
        <img
          key={source}
          src={source}
          alt=""
          loading={eager ? "eager" : "lazy"}
          decoding={eager ? "sync" : "async"}
          onError={() => setFailures((count) => count + 1)}
        />
      )}
    </>
  );
}

/** As index.html draws it: a blur takes longer to make than those that come first have to wait for their picture. */
const Color = ({ hash }: { hash: string }) => (
  <span className="absolute inset-0" style={{ background: placeholderColor(hash) }} />
);

function Blur({ hash }: { hash: string }) {
  const blur = placeholderUrl(hash);
  return blur === "" ? null : <img src={blur} alt="" aria-hidden="true" />;
}
