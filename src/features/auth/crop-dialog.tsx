/** Crops a picture to a square: dragging or arrow keys move it, the slider zooms. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Crop, cropSquare, fitCrop, ZOOM_MAX } from "@/lib/crop-square";
import { type CutPicture, cutPicture } from "@/state/people";
import { Button } from "@/ui/button";
import { Dialog, type DialogFrame } from "@/ui/dialog";

type CropDialogProps = DialogFrame & {
  chosen: ImageBitmap;
  onCut: (cut: CutPicture) => void;
};

const STAGE_PX = 640;
const STEP = 0.02;
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
      <Stage chosen={chosen} crop={crop} onChange={change} />
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

const MOVES: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

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
    const move = MOVES[event.key];
    if (move === undefined) return;
    event.preventDefault();
    onChange({ ...crop, x: crop.x + move[0] / crop.zoom, y: crop.y + move[1] / crop.zoom });
  };
  return (
    <div className="relative mx-auto aspect-square w-full max-w-[340px] overflow-hidden rounded-full">
      <canvas
        ref={canvas}
        width={STAGE_PX}
        height={STAGE_PX}
        tabIndex={0}
        role="img"
        aria-label={t("profile.cropStage")}
        data-testid="crop-stage"
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
