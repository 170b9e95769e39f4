/** What stands in a video's place where this browser has no decoder for its pictures. */
import { Download, Film } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MediaView } from "@/data/shapes";
import { downloadMedia } from "@/state/media";

/** `small`: on a card, whose link gets the taps that the button does not take. */
export function CannotShow({ media, small = false }: { media: MediaView; small?: boolean }) {
  const { t } = useTranslation();
  const download = () => void downloadMedia(media);
  const label = t("detail.download");
  // A poster stays visible; the sign that stands for a missing one would show twice.
  const glass = media.previewUrl || media.thumbnailUrl ? "bg-slate-900/75" : "bg-slate-800";
  return (
    <span
      className={`absolute inset-0 grid place-items-center overflow-hidden text-white ${small ? `rounded-[14px] px-2 pb-7 ${glass}` : "px-14 py-2"}`}
      data-testid="cannot-show"
    >
      <span
        className={`grid max-w-full justify-items-center text-center ${small ? "gap-1 text-xs/tight" : "gap-2 rounded-2xl bg-slate-900/80 p-4 text-[0.9375rem]"}`}
      >
        <Film className={small ? "size-5" : "size-7"} aria-hidden="true" />
        <span {...(!small && { role: "alert" })}>{t("media.cannotShow")}</span>
        {!small && (
          <button
            type="button"
            className="inline-flex min-h-11 items-center gap-2 rounded-full bg-white px-5 font-semibold text-slate-900 [&_svg]:size-[18px]"
            data-testid="download-video"
            onClick={download}
          >
            <Download aria-hidden="true" />
            {label}
          </button>
        )}
      </span>
      {small && (
        <button
          type="button"
          aria-label={label}
          title={label}
          className="pointer-events-auto absolute end-0 top-0 grid size-11 place-items-center"
          data-testid="download-video"
          onClick={download}
        >
          <span className="grid size-8 place-items-center rounded-full bg-slate-900/75">
            <Download className="size-4" aria-hidden="true" />
          </span>
        </button>
      )}
    </span>
  );
}
