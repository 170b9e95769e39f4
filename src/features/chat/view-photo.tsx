/** The whole picture over the page, zoomed by buttons, keys, double click, or two fingers. */
import { ImageOff, Minus, Pause, Play, Plus, X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFileUrl } from "@/state/chat";
import { useReturnFocus } from "@/ui/layer";
import { useLoop } from "@/ui/use-loop";

const ZOOMS = [1, 1.5, 2, 3, 4];
const BUTTONS = [
  { id: "zoom-out", label: "detail.zoomOut", by: -1, last: 0, Icon: Minus },
  { id: "zoom-in", label: "detail.zoomIn", by: 1, last: ZOOMS.length - 1, Icon: Plus },
] as const;

interface ViewPhotoProps {
  url: string;
  thumbnail: string;
  alt: string;
  text: string;
  onClose: () => void;
}

export function ViewPhoto({ url, thumbnail, alt, text, onClose }: ViewPhotoProps) {
  const { t } = useTranslation();
  const focus = useReturnFocus();
  const [zoom, setZoom] = useState(0);
  const step = (by: number) => setZoom((now) => Math.min(ZOOMS.length - 1, Math.max(0, now + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "+" || event.key === "=") step(1);
    if (event.key === "-") step(-1);
  };
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          {...focus}
          aria-describedby={undefined}
          data-scrim=""
          data-testid="view-photo"
          data-zoom={ZOOMS[zoom]}
          className="fixed inset-0 z-50 flex flex-col bg-slate-950 text-slate-50 outline-none animate-fade"
          onKeyDown={onKeyDown}
        >
          <div className="flex items-center gap-1 pt-[env(safe-area-inset-top)] pe-2 ps-4">
            <Primitive.Title className="me-auto truncate text-base font-semibold">
              {t("chat.viewPhoto")}
            </Primitive.Title>
            {BUTTONS.map(({ id, label, by, last, Icon }) => (
              <button
                key={id}
                type="button"
                className="shell-icon text-inherit! disabled:opacity-40"
                aria-label={t(label)}
                disabled={zoom === last}
                data-testid={id}
                onClick={() => step(by)}
              >
                <Icon aria-hidden="true" />
              </button>
            ))}
            <Primitive.Close className="shell-icon text-inherit!" aria-label={t("app.close")}>
              <X aria-hidden="true" />
            </Primitive.Close>
          </div>
          <Picture
            {...{ url, thumbnail, alt }}
            zoom={ZOOMS[zoom] ?? 1}
            onDoubleClick={() => setZoom(zoom === 0 ? 2 : 0)}
          />
          {text !== "" && (
            <p
              dir="auto"
              className="max-h-[30dvh] overflow-auto px-4 py-3 text-center whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              {text}
            </p>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface PictureProps extends Pick<ViewPhotoProps, "url" | "thumbnail" | "alt"> {
  zoom: number;
  onDoubleClick: () => void;
}

function Picture({ url, thumbnail, alt, zoom, onDoubleClick }: PictureProps) {
  const { t } = useTranslation();
  const { src, failed, onError } = useFileUrl(url);
  const [loaded, setLoaded] = useState("");
  const isWhole = src !== "" && !failed;
  const shown = { contentType: url, url: src };
  const { moves, still, setStill } = useLoop(shown, thumbnail !== "", isWhole && loaded === src);
  const Icon = still ? Play : Pause;
  if (failed && thumbnail === "") {
    return (
      <p role="alert" className="m-auto grid justify-items-center gap-3 text-slate-300">
        <ImageOff className="size-8" aria-hidden="true" />
        {t("chat.photoMissing")}
      </p>
    );
  }
  return (
    <>
      {moves && isWhole && (
        <button
          type="button"
          className="shell-icon absolute! start-2 top-12 z-[1] bg-slate-900/60 text-inherit!"
          aria-label={t(still ? "media.play" : "media.pause")}
          data-testid="toggle-loop"
          onClick={() => setStill(!still)}
        >
          <Icon className="fill-current" aria-hidden="true" />
        </button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: everybody has the buttons above. */}
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls when zoomed must be reached by the keyboard.
        tabIndex={0}
        className="grid min-h-0 flex-1 touch-manipulation overflow-auto pb-[env(safe-area-inset-bottom)] [touch-action:pan-x_pan-y_pinch-zoom]"
        onDoubleClick={onDoubleClick}
      >
        <div
          className="grid min-h-0 min-w-0 place-items-center"
          style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
        >
          <img
            src={isWhole && !still ? src : thumbnail}
            alt={alt}
            data-testid="whole-photo"
            className="size-full object-contain"
            onLoad={({ currentTarget }) => setLoaded(currentTarget.getAttribute("src") ?? "")}
            onError={onError}
          />
        </div>
      </div>
    </>
  );
}
