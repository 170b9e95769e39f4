/** The stage of the detail page: a picture or video with zoom, stepping, and full screen. */

import type { TFunction } from "i18next";
import {
  ChevronLeft,
  ChevronRight,
  Heart,
  Maximize,
  Minimize,
  Pause,
  Play,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import {
  type ComponentProps,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { MediaView } from "@/data/shapes";
import { Say } from "@/i18n/say";
import { placeholderColor, placeholderUrl } from "@/lib/placeholder";
import { hasNoDecoder, hasNoPicture } from "@/lib/video-fault";
import { useConnection } from "@/state/outbox";
import { useLike } from "@/state/use-like";
import { cn } from "@/ui/cn";
import { useLoop } from "@/ui/use-loop";
import { CannotShow } from "./cannot-show";
import { useStageKeys } from "./use-stage-keys";
import { KEY_FACTOR, useZoom, type ZoomControl } from "./use-zoom";

export type Step = "next" | "previous";

/** What a step leads to: the next one of this post, or of the list. */
export type Way = "post" | "list" | null;

interface MediaStageProps {
  media: MediaView;
  ways: Record<Step, Way>;
  step: (to: Step) => void;
  /** Which of a post's media it is. */
  place: { place: number; count: number } | null;
  screen: ReturnType<typeof useFullScreen>;
  frame: React.RefObject<HTMLDivElement | null>;
  busy: boolean;
}

const HINTS = { photo: "detail.stagePhoto", video: "detail.stageVideo" } as const;
const IN_PAGE = "relative mx-auto max-h-[72dvh] w-full rounded-[14px] bg-skeleton";
const ON_SCREEN = "fixed inset-0 z-40 bg-black";

export function MediaStage(props: MediaStageProps) {
  const { media, ways, step, screen, frame, busy, place } = props;
  const { t } = useTranslation();
  const { full } = screen;
  const like = useLike(media);
  const [burst, setBurst] = useState(0);
  const zoom = useZoom({
    frame,
    shape: media,
    greedy: full,
    canSwipe: (to) => ways[to] !== null,
    onSwipe: step,
    onDoubleTap: () => {
      if (media.type === "video") return;
      like.like();
      setBurst((count) => count + 1);
    },
  });
  useStageKeys({ frame, zoom, step, screen });
  const { reset } = zoom;
  // Outside: the keyboard's focus, which a page change takes away from the full-screen element.
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
      {...wordsOf(t, media, place)}
      aria-busy={busy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it answers keys (+, -, 0, F).
      tabIndex={0}
      data-testid="stage"
      data-stage={media.id}
      data-scale={Number(zoom.scale.toFixed(2))}
      data-full={full}
      {...(full && { "data-scrim": "" })}
      className={cn(
        "overflow-hidden select-none outline-offset-2",
        full ? ON_SCREEN : IN_PAGE,
        isPhoto && (full || zoom.scale > 1) ? "touch-none" : "touch-pan-y",
        zoom.scale > 1 && "cursor-grab active:cursor-grabbing",
      )}
      style={full ? {} : shapeOf(media)}
      {...zoom.pointers}
    >
      <div
        key={media.id}
        className={cn("h-full w-full", full && "absolute inset-0", busy && "opacity-60")}
        data-testid="stage-picture"
        style={zoom.style}
      >
        {isPhoto ? <Photo media={media} full={full} /> : <Video media={media} />}
      </div>
      {burst > 0 && (
        <Heart
          key={burst}
          aria-hidden="true"
          data-testid="like-burst"
          className="pointer-events-none absolute inset-0 m-auto size-24 animate-burst fill-white/90 text-white/90 drop-shadow-lg"
        />
      )}
      {place !== null && <PlaceMark {...place} full={full} />}
      <StageButtons ways={ways} step={step} zoom={zoom} screen={screen} isPhoto={isPhoto} />
    </div>
  );
}

/** What the stage is called: of a post which one it is, and then how it is used. */
function wordsOf(t: TFunction, { type }: MediaView, place: MediaStageProps["place"]) {
  const hint = t(HINTS[type]);
  if (place === null) return { "aria-label": hint };
  const label = t(type === "photo" ? "media.photoPlace" : "media.videoPlace", { ...place });
  return { "aria-label": label, "aria-description": hint };
}

function PlaceMark({ place, count, full }: { place: number; count: number; full: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-testid="stage-place"
      className={cn(
        "pointer-events-none absolute start-1/2 -translate-x-1/2 rounded-full bg-slate-900/60 px-2.5 py-1 text-[0.8125rem] text-white tabular-nums rtl:translate-x-1/2",
        full ? "top-[max(20px,env(safe-area-inset-top))]" : "top-3",
      )}
    >
      {`${place}/${count}`}
    </span>
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

const STEPS = [
  { to: "previous", side: "start-2", Icon: ChevronLeft },
  { to: "next", side: "end-2", Icon: ChevronRight },
] as const;

type StageButtonsProps = Pick<MediaStageProps, "ways" | "step" | "screen"> & {
  zoom: ZoomControl;
  isPhoto: boolean;
};

function StageButtons({ ways, step, zoom, screen, isPhoto }: StageButtonsProps) {
  const { t } = useTranslation();
  const { full, toggle } = screen;
  const corner = full
    ? "top-[max(12px,env(safe-area-inset-top))] end-[max(12px,env(safe-area-inset-right))]"
    : "top-2 end-2";
  return (
    <>
      {STEPS.map(
        ({ to, side, Icon }) =>
          ways[to] !== null && (
            <StageButton
              key={to}
              testId={to}
              className={`top-1/2 -translate-y-1/2 ${side}`}
              label={t(ways[to] === "post" ? `detail.${to}InPost` : `detail.${to}`)}
              onClick={() => step(to)}
            >
              <Icon />
            </StageButton>
          ),
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

type StageButtonProps = ComponentProps<"button"> & { label: string; testId: string };

/** Dark glass, visible on every picture. */
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

/** The thumbnail at once, the whole picture over it once loaded; offline the thumbnail stays. */
function Photo({ media, full }: { media: MediaView; full: boolean }) {
  const { t } = useTranslation();
  const [small, setSmall] = useState<"shown" | "failed">("shown");
  const [whole, setWhole] = useState<"loading" | "shown" | "failed">("loading");
  const blur = placeholderUrl(media.thumbhash);
  const label = media.alt || media.caption || t("media.photoBy", { name: media.username });
  const layer = "absolute inset-0 size-full object-contain";
  const preview = media.previewUrl !== media.url && media.previewUrl !== "" && small === "shown";
  const { moves, still, setStill } = useLoop(media, preview, whole === "shown");
  if (whole === "failed" && !preview) return <Broken blur={blur} />;
  const Icon = still ? Play : Pause;
  return (
    <>
      {blur !== "" && (
        <img src={blur} alt="" aria-hidden="true" draggable={false} className={layer} />
      )}
      {preview && (
        <img
          src={media.previewUrl}
          // The card has shown it: with the page's first frame, and not a frame later.
          decoding="sync"
          alt={whole === "failed" || still ? label : ""}
          draggable={false}
          className={layer}
          onError={() => setSmall("failed")}
        />
      )}
      {moves && whole === "shown" && (
        <StageButton
          testId="toggle-loop"
          className="start-2 top-2 z-[1]"
          label={t(still ? "media.play" : "media.pause")}
          onClick={() => setStill(!still)}
        >
          <Icon className="fill-current" />
        </StageButton>
      )}
      {whole !== "failed" && !still && (
        <img
          src={media.url}
          decoding="async"
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
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  const [unseen, setUnseen] = useState(false);
  const player = useRef<HTMLVideoElement>(null);
  const offline = useConnection() === "offline";
  const wasOffline = useRef(offline);
  // Outside: the player, which does not try again by itself when the connection is back.
  useEffect(() => {
    if (failed && wasOffline.current && !offline) player.current?.load();
    wasOffline.current = offline;
  }, [failed, offline]);
  const label = media.alt || media.caption || t("media.videoBy", { name: media.username });
  const poster = media.previewUrl || media.thumbnailUrl || placeholderUrl(media.thumbhash);
  const judge = async (video: HTMLVideoElement) => (await hasNoPicture(video)) && setUnseen(true);
  const onError = async (video: HTMLVideoElement) => {
    const isUnseen = await hasNoDecoder(video);
    setUnseen(isUnseen);
    setFailed(!isUnseen);
  };
  if (unseen) {
    return (
      <span className={cn("block", media.width > 0 ? "absolute inset-0" : "relative h-72")}>
        {poster !== "" && <img src={poster} alt={label} className="size-full object-contain" />}
        <CannotShow media={media} />
      </span>
    );
  }
  return (
    <>
      <video
        ref={player}
        src={media.url}
        {...(poster !== "" && { poster })}
        controls
        playsInline
        preload="metadata"
        aria-label={label}
        data-testid="video"
        className={media.width > 0 ? "absolute inset-0 size-full" : "block max-h-[72dvh] w-full"}
        onError={({ currentTarget }) => void onError(currentTarget)}
        onLoadedMetadata={() => setFailed(false)}
        onLoadedData={({ currentTarget }) => void judge(currentTarget)}
      >
        {media.subtitlesUrl !== "" && (
          <track kind="captions" src={media.subtitlesUrl} label={t("detail.subtitles")} />
        )}
      </video>
      {failed && (
        <p role="alert" className={cn(FAULT, "absolute inset-x-3 top-3")}>
          {t(offline ? "media.videoOffline" : "media.videoFailed")}
        </p>
      )}
    </>
  );
}

const FAULT = "rounded-xl bg-slate-900/80 px-3 py-2 text-sm text-white";

function Broken({ blur }: { blur: string }) {
  return (
    <div className="relative grid min-h-60 size-full place-items-center">
      {blur !== "" && <img src={blur} alt="" className="absolute inset-0 size-full object-cover" />}
      <p role="alert" className={cn(FAULT, "relative")}>
        <Say k="errors.image_load_failed" />
      </p>
    </div>
  );
}

/** Full screen for one element, which covers the page where that is all it can do (iPhones). */
export function useFullScreen(element: RefObject<HTMLElement | null>) {
  const [full, setFull] = useState(false);
  const exit = useCallback(() => {
    setFull(false);
    if (document.fullscreenElement !== null) void document.exitFullscreen();
  }, []);
  const toggle = useCallback(() => {
    if (full) return exit();
    setFull(true);
    // Refused or missing: covering the page is then the largest size there is.
    void element.current?.requestFullscreen?.().catch(() => undefined);
  }, [full, exit, element]);
  // Outside: the browser's full screen, which the user can leave and which ends with the page.
  useEffect(() => {
    const onChange = () => document.fullscreenElement === null && setFull(false);
    document.addEventListener("fullscreenchange", onChange);
    return () => {
      document.removeEventListener("fullscreenchange", onChange);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, []);
  return { full, toggle, exit };
}
