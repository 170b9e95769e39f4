/** The stage of the detail page: the medium at its own shape from the first moment, magnified, stepped through, over the whole screen. */
import {
  ChevronLeft,
  ChevronRight,
  Heart,
  Maximize,
  Minimize,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { MediaView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { placeholderColor } from "@/lib/placeholder";
import { useLike } from "@/state/use-like";
import { cn } from "@/ui/cn";
import { StageMedia } from "./stage-media";
import { useStageKeys } from "./use-stage-keys";
import { KEY_FACTOR, useZoom, type ZoomControl } from "./use-zoom";

export type Step = "next" | "previous";

interface MediaStageProps {
  media: MediaView;
  /** Which ways there is something to step to. */
  ways: Record<Step, boolean>;
  step: (to: Step) => void;
  screen: { full: boolean; toggle: () => void; exit: () => void };
  frame: React.RefObject<HTMLDivElement | null>;
  /** The next one is being looked up. */
  busy: boolean;
}

const IN_PAGE = "relative mx-auto max-h-[72dvh] w-full rounded-[14px] bg-skeleton";
const ON_SCREEN = "fixed inset-0 z-40 bg-black";

export function MediaStage({ media, ways, step, screen, frame, busy }: MediaStageProps) {
  const { t } = useText();
  const { full } = screen;
  const like = useLike(media);
  const [burst, setBurst] = useState(0);
  const zoom = useZoom({
    frame,
    shape: media,
    greedy: full,
    onSwipe: (to) => ways[to] && step(to),
    onDoubleTap: () => {
      like.like();
      setBurst((count) => count + 1);
    },
  });
  useStageKeys({
    frame,
    zoom,
    full,
    step: (to) => ways[to] && step(to),
    toggleFull: screen.toggle,
    exit: screen.exit,
  });
  const { reset } = zoom;
  // Outside: the keyboard's focus, which a page change takes away from what fills the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another medium begins unmagnified.
  useEffect(() => {
    reset();
    if (full) frame.current?.focus({ preventScroll: true });
  }, [media.id, full, reset, frame]);
  const isPhoto = media.type === "photo";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div
      ref={frame}
      role="group"
      aria-label={isPhoto ? t("detail.stagePhoto") : t("detail.stageVideo")}
      aria-busy={busy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it answers keys (+, -, 0, F).
      tabIndex={0}
      data-testid="stage"
      data-scale={Number(zoom.scale.toFixed(2))}
      data-full={full}
      {...(full && { "data-scrim": "" })}
      className={cn(
        "overflow-hidden select-none outline-offset-2",
        full ? ON_SCREEN : IN_PAGE,
        isPhoto && (full || zoom.scale > 1 ? "touch-none" : "touch-pan-y"),
        zoom.scale > 1 && "cursor-grab active:cursor-grabbing",
      )}
      style={full ? {} : shapeOf(media)}
      {...(isPhoto ? zoom.pointers : {})}
    >
      <div
        key={media.id}
        className={cn("h-full w-full", full && "absolute inset-0", busy && "opacity-60")}
        style={zoom.style}
      >
        <StageMedia media={media} full={full} />
      </div>
      {burst > 0 && <Burst key={burst} />}
      <StageButtons ways={ways} step={step} zoom={zoom} screen={screen} isPhoto={isPhoto} />
    </div>
  );
}

function shapeOf({ width, height, thumbhash }: MediaView): React.CSSProperties {
  const color = placeholderColor(thumbhash);
  return {
    ...(width > 0 &&
      height > 0 && {
        aspectRatio: `${width} / ${height}`,
        maxWidth: `calc(72dvh * ${width / height})`,
      }),
    ...(color !== "" && { background: color }),
  };
}

function Burst() {
  return (
    <Heart
      aria-hidden="true"
      data-testid="like-burst"
      className="pointer-events-none absolute inset-0 m-auto size-24 animate-burst fill-white/90 text-white/90 drop-shadow-lg"
    />
  );
}

type StageButtonsProps = Pick<MediaStageProps, "ways" | "step" | "screen"> & {
  zoom: ZoomControl;
  isPhoto: boolean;
};

function StageButtons({ ways, step, zoom, screen, isPhoto }: StageButtonsProps) {
  const { t } = useText();
  const { full, toggle } = screen;
  const corner = full
    ? "top-[max(12px,env(safe-area-inset-top))] right-[max(12px,env(safe-area-inset-right))]"
    : "top-2 right-2";
  return (
    <>
      {ways.previous && (
        <StageButton
          testId="previous"
          className="top-1/2 left-2 -translate-y-1/2"
          label={t("detail.previous")}
          onClick={() => step("previous")}
        >
          <ChevronLeft />
        </StageButton>
      )}
      {ways.next && (
        <StageButton
          testId="next"
          className="top-1/2 right-2 -translate-y-1/2"
          label={t("detail.next")}
          onClick={() => step("next")}
        >
          <ChevronRight />
        </StageButton>
      )}
      <div className={cn("absolute flex gap-2", corner)}>
        {isPhoto && (full || zoom.scale > 1) && (
          <>
            <StageButton
              testId="zoom-out"
              label={t("detail.zoomOut")}
              disabled={zoom.scale === 1}
              onClick={() => zoom.by(1 / KEY_FACTOR)}
            >
              <ZoomOut />
            </StageButton>
            <StageButton
              testId="zoom-in"
              label={t("detail.zoomIn")}
              onClick={() => zoom.by(KEY_FACTOR)}
            >
              <ZoomIn />
            </StageButton>
          </>
        )}
        <StageButton
          testId="full-screen"
          label={full ? t("detail.leaveFullScreen") : t("detail.fullScreen")}
          onClick={toggle}
        >
          {full ? <Minimize /> : <Maximize />}
        </StageButton>
      </div>
    </>
  );
}

interface StageButtonProps {
  label: string;
  testId: string;
  onClick: () => void;
  className?: string;
  disabled?: boolean;
  children: ReactNode;
}

/** Dark glass, so that it is seen on every picture. */
function StageButton({ label, testId, className, children, ...rest }: StageButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      data-testid={testId}
      className={cn(
        "grid size-11 place-items-center rounded-full bg-slate-900/60 text-white backdrop-blur-sm transition-colors hover:bg-slate-900/80 disabled:opacity-40 [&_svg]:size-[22px]",
        className !== undefined && "absolute",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
