/** Crops a picture to a square: by dragging, by keys on the picture, and by buttons. */
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  type LucideIcon,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TextKey } from "@/i18n/keys";
import { type Crop, cropSquare, fitCrop, ZOOM_MAX } from "@/lib/crop-square";
import { type CutPicture, cutPicture } from "@/state/profile-picture";
import { Button } from "@/ui/button";
import { Dialog, type DialogFrame } from "@/ui/dialog";

type CropDialogProps = DialogFrame & {
  chosen: ImageBitmap;
  onCut: (cut: CutPicture) => void;
};

const STAGE_PX = 640;
const STEP = 0.02;
const ZOOM_STEP = 1.15;
const MIDDLE: Crop = { x: 0.5, y: 0.5, zoom: 1 };

export function CropDialog({ chosen, onCut, ...frame }: CropDialogProps) {
  const { t } = useTranslation();
  const [crop, setCrop] = useState<Crop>(MIDDLE);
  const [failed, setFailed] = useState(false);
  const change = (next: Crop) => setCrop(fitCrop(chosen, next));
  const use = async () => {
    const cut = await cutPicture(chosen, cropSquare(chosen, crop));
    if (cut === null) setFailed(true);
    else onCut(cut);
  };
  return (
    <Dialog {...frame} title={t("profile.cropTitle")} description={t("profile.cropText")}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-center gap-4 [@media(max-height:600px)_and_(min-width:480px)]:grid-cols-2">
        <Stage chosen={chosen} crop={crop} onChange={change} />
        <div className="grid min-w-0 gap-2">
          <CropButtons crop={crop} onChange={change} />
          <label className="flex items-center gap-3 text-sm font-semibold">
            {t("profile.zoom")}
            <input
              type="range"
              min={1}
              max={ZOOM_MAX}
              step={0.05}
              value={crop.zoom}
              data-testid="crop-zoom"
              className="h-11 min-w-0 flex-1 accent-foreground"
              onChange={(event) => change({ ...crop, zoom: Number(event.target.value) })}
            />
          </label>
        </div>
      </div>
      {failed && (
        <p role="alert" className="text-sm font-medium text-danger">
          {t("profile.cropFailed")}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={frame.onClose}>{t("app.cancel")}</Button>
        <Button variant="accent" data-testid="use-crop" onClick={() => void use()}>
          {t("profile.useCrop")}
        </Button>
      </div>
    </Dialog>
  );
}

interface StageProps {
  chosen: ImageBitmap;
  crop: Crop;
  onChange: (crop: Crop) => void;
}

/** By key: where the visible square goes, against the picture, and how much nearer it comes. */
const ACTS: Record<string, { x?: number; y?: number; zoom?: number }> = {
  ArrowLeft: { x: STEP },
  ArrowRight: { x: -STEP },
  ArrowUp: { y: STEP },
  ArrowDown: { y: -STEP },
  "+": { zoom: ZOOM_STEP },
  "=": { zoom: ZOOM_STEP },
  "-": { zoom: 1 / ZOOM_STEP },
};

function acted(crop: Crop, key: string): Crop | null {
  const act = ACTS[key];
  if (act === undefined) return null;
  const { x = 0, y = 0, zoom = 1 } = act;
  return {
    x: crop.x + x / crop.zoom,
    y: crop.y + y / crop.zoom,
    zoom: Math.min(ZOOM_MAX, Math.max(1, crop.zoom * zoom)),
  };
}

const BUTTONS: readonly { key: string; label: TextKey; Icon: LucideIcon }[] = [
  { key: "ArrowLeft", label: "profile.cropLeft", Icon: ArrowLeft },
  { key: "ArrowRight", label: "profile.cropRight", Icon: ArrowRight },
  { key: "ArrowUp", label: "profile.cropUp", Icon: ArrowUp },
  { key: "ArrowDown", label: "profile.cropDown", Icon: ArrowDown },
  { key: "-", label: "detail.zoomOut", Icon: ZoomOut },
  { key: "+", label: "detail.zoomIn", Icon: ZoomIn },
];

function CropButtons({ crop, onChange }: Pick<StageProps, "crop" | "onChange">) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto flex flex-wrap justify-center gap-1 max-[374px]:max-w-[150px]">
      {BUTTONS.map(({ key, label, Icon }) => (
        <button
          key={key}
          type="button"
          aria-label={t(label)}
          title={t(label)}
          data-testid={`crop-${key}`}
          className="shell-icon border! border-line-strong! bg-raised!"
          onClick={() => onChange(acted(crop, key) ?? crop)}
        >
          <Icon aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}

function Stage({ chosen, crop, onChange }: StageProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const from = useRef<{ x: number; y: number; crop: Crop } | null>(null);
  // Outside: the canvas.
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const { left, top, side } = cropSquare(chosen, crop);
    context.fillStyle = "#fff";
    context.fillRect(0, 0, STAGE_PX, STAGE_PX);
    context.drawImage(chosen, left, top, side, side, 0, 0, STAGE_PX, STAGE_PX);
  }, [chosen, crop]);
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    const start = from.current;
    if (start === null) return;
    const scale =
      cropSquare(chosen, start.crop).side / event.currentTarget.getBoundingClientRect().width;
    onChange({
      ...start.crop,
      x: start.crop.x - ((event.clientX - start.x) * scale) / chosen.width,
      y: start.crop.y - ((event.clientY - start.y) * scale) / chosen.height,
    });
  };
  const press = (event: KeyboardEvent) => {
    const next = acted(crop, event.key);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div className="relative mx-auto aspect-square w-full max-w-[max(120px,min(340px,45dvh))] overflow-hidden rounded-full">
      <canvas
        ref={canvas}
        width={STAGE_PX}
        height={STAGE_PX}
        tabIndex={0}
        role="img"
        aria-label={t("profile.cropStage")}
        data-testid="crop-stage"
        data-crop={[crop.x, crop.y, crop.zoom].map((part) => part.toFixed(3)).join(" ")}
        className="block size-full cursor-grab touch-none rounded-full active:cursor-grabbing"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = { x: event.clientX, y: event.clientY, crop };
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          from.current = null;
        }}
        onPointerCancel={() => {
          from.current = null;
        }}
        onKeyDown={press}
      />
    </div>
  );
}
