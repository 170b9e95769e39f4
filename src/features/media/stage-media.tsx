/** The picture or video of the detail page itself: what stands there until it has come, and when it does not come. */
import { useState } from "react";
import type { MediaView } from "@/data/shapes";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { placeholderUrl } from "@/lib/placeholder";

interface StageMediaProps {
  media: MediaView;
  /** Over the whole screen: nothing about the page limits its height. */
  full: boolean;
}

export function StageMedia({ media, full }: StageMediaProps) {
  return media.type === "video" ? <Video media={media} /> : <Photo media={media} full={full} />;
}

/** The small one at once, the whole one over it when it is there; without it the small one stays (offline). */
function Photo({ media, full }: StageMediaProps) {
  const { t } = useText();
  const [small, setSmall] = useState<"shown" | "failed">("shown");
  const [whole, setWhole] = useState<"loading" | "shown" | "failed">("loading");
  const blur = placeholderUrl(media.thumbhash);
  const label = media.alt || media.caption || t("media.photoBy", { name: media.username });
  const layer = "absolute inset-0 size-full object-contain";
  const preview = media.previewUrl !== media.url && media.previewUrl !== "" && small === "shown";
  if (whole === "failed" && !preview) return <Broken blur={blur} />;
  return (
    <>
      {blur !== "" && (
        <img src={blur} alt="" aria-hidden="true" draggable={false} className={layer} />
      )}
      {preview && (
        <img
          src={media.previewUrl}
          alt={whole === "failed" ? label : ""}
          draggable={false}
          className={layer}
          onError={() => setSmall("failed")}
        />
      )}
      {whole !== "failed" && (
        <img
          src={media.url}
          alt={label}
          data-testid="photo"
          data-loaded={whole === "shown"}
          draggable={false}
          className={
            media.width > 0 || full ? layer : "relative block max-h-[72dvh] w-full object-contain"
          }
          onLoad={() => setWhole("shown")}
          onError={() => setWhole("failed")}
        />
      )}
    </>
  );
}

function Video({ media }: { media: MediaView }) {
  const { t } = useText();
  const [failed, setFailed] = useState(false);
  const label = media.alt || media.caption || t("media.videoBy", { name: media.username });
  const poster = media.previewUrl || media.thumbnailUrl || placeholderUrl(media.thumbhash);
  return (
    <>
      <video
        src={media.url}
        {...(poster !== "" && { poster })}
        controls
        playsInline
        preload="metadata"
        aria-label={label}
        data-testid="video"
        className={media.width > 0 ? "absolute inset-0 size-full" : "block max-h-[72dvh] w-full"}
        onError={() => setFailed(true)}
        onLoadedMetadata={() => setFailed(false)}
      />
      {failed && (
        <p
          role="alert"
          className="absolute inset-x-3 top-3 rounded-xl bg-slate-900/80 px-3 py-2 text-sm text-white"
        >
          {t("media.videoFailed")}
        </p>
      )}
    </>
  );
}

function Broken({ blur }: { blur: string }) {
  return (
    <div className="relative grid min-h-60 size-full place-items-center">
      {blur !== "" && <img src={blur} alt="" className="absolute inset-0 size-full object-cover" />}
      <p role="alert" className="relative rounded-xl bg-slate-900/80 px-3 py-2 text-sm text-white">
        <Say k="media.loadFailed" />
      </p>
    </div>
  );
}
