/** A video in the grid that plays muted by itself while it is the most visible one. */
import { Pause, Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MediaView } from "@/data/shapes";
import { loadLaterTexts } from "@/i18n/setup";
import { hasNoDecoder, hasNoPicture } from "@/lib/video-fault";
import { lazily } from "@/ui/lazily";

const CannotShow = lazily(async () => {
  const [file] = await Promise.all([import("./cannot-show"), loadLaterTexts()]);
  return file;
}, "CannotShow");

/** It stops by itself after this time; whoever wants more presses Play. */
const LOOP_MS = 5_000;

interface CardVideoProps {
  media: MediaView;
  height: number;
  /** Whether this device lets videos play by themselves. */
  moves: boolean;
  /** There is no picture of it: whether it can be shown at all is looked up at once. */
  bare: boolean;
}

/** Lies over the card's link, which gets the taps; only its button takes some for itself. */
export function CardVideo({ media, height, moves, bare }: CardVideoProps) {
  const place = useRef<HTMLSpanElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [lit, setLit] = useState(false);
  const [plays, setPlays] = useState(false);
  const [shown, setShown] = useState(false);
  const [unseen, setUnseen] = useState(false);
  // Outside: the window, for the video's visibility.
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    return watchSpotlight(element, (on) => {
      setLit(on);
      if (!on) setShown(false);
    });
  }, []);
  // Outside: the clock, and the video.
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => video.current?.pause(), LOOP_MS);
    return () => clearTimeout(timer);
  }, [plays]);
  // Ignoring a refusal to play: the still picture stays.
  const toggle = () =>
    plays ? video.current?.pause() : void video.current?.play().catch(() => undefined);
  const starts = moves && lit;
  // What another of them said meanwhile stays said.
  const judge = async (one: HTMLVideoElement) => (await hasNoPicture(one)) && setUnseen(true);
  return (
    <span
      ref={place}
      className="pointer-events-none absolute inset-x-0 top-0 overflow-hidden rounded-[14px]"
      style={{ height }}
    >
      {unseen && <CannotShow media={media} small />}
      {(starts || bare) && !unseen && (
        <video
          key={String(starts)}
          ref={video}
          src={media.url}
          muted
          autoPlay={starts}
          preload="metadata"
          loop
          playsInline
          tabIndex={-1}
          aria-hidden="true"
          data-testid="card-video"
          className={`size-full object-cover transition-opacity duration-200 ${shown ? "" : "opacity-0"}`}
          onPlaying={() => {
            setShown(true);
            setPlays(true);
          }}
          onPause={() => setPlays(false)}
          onEmptied={() => setPlays(false)}
          onLoadedData={({ currentTarget }) => void judge(currentTarget)}
          onError={({ currentTarget }) =>
            void hasNoDecoder(currentTarget).then((is) => (is ? setUnseen(true) : setLit(false)))
          }
        />
      )}
      {lit && shown && !unseen && <LoopButton plays={plays} onClick={toggle} />}
    </span>
  );
}

function LoopButton({ plays, onClick }: { plays: boolean; onClick: () => void }) {
  const { t } = useTranslation();
  const Icon = plays ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={t(plays ? "media.pause" : "media.play")}
      title={t(plays ? "media.pause" : "media.play")}
      data-testid="toggle-loop"
      className="pointer-events-auto absolute end-0 top-0 grid size-11 place-items-center text-white"
      onClick={onClick}
    >
      <span className="grid size-8 place-items-center rounded-full bg-slate-900/75">
        <Icon className="size-4 fill-current" aria-hidden="true" />
      </span>
    </button>
  );
}

const ENOUGH = 0.6;

interface Seen {
  ratio: number;
  /** Distance between the middles of the element and the window, pixels. */
  distance: number;
}

/** The key of the sufficiently visible element nearest to the middle, or null. */
export function pickLit<Key>(seen: ReadonlyMap<Key, Seen>): Key | null {
  let best: { key: Key; distance: number } | null = null;
  for (const [key, { ratio, distance }] of seen) {
    if (ratio < ENOUGH) continue;
    if (best === null || distance < best.distance) best = { key, distance };
  }
  return best?.key ?? null;
}

const seen = new Map<Element, Seen>();
const lights = new Map<Element, (on: boolean) => void>();
let lit: Element | null = null;
let observer: IntersectionObserver | null = null;

function relight(): void {
  const next = pickLit(seen);
  if (next === lit) return;
  if (lit !== null) lights.get(lit)?.(false);
  lit = next;
  if (lit !== null) lights.get(lit)?.(true);
}

function look(entries: IntersectionObserverEntry[]): void {
  for (const { target, intersectionRatio, boundingClientRect } of entries) {
    const middle = boundingClientRect.top + boundingClientRect.height / 2;
    seen.set(target, {
      ratio: intersectionRatio,
      distance: Math.abs(middle - window.innerHeight / 2),
    });
  }
  relight();
}

function watchSpotlight(element: Element, onChange: (on: boolean) => void): () => void {
  observer ??= new IntersectionObserver(look, { threshold: [0, 0.3, ENOUGH, 0.8, 1] });
  lights.set(element, onChange);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    lights.delete(element);
    seen.delete(element);
    relight();
  };
}
