/** A video in the grid that plays muted by itself while it is the most visible one. */
import { useEffect, useRef, useState } from "react";

export function CardVideo({ src }: { src: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const [lit, setLit] = useState(false);
  const [plays, setPlays] = useState(false);
  // Outside: the window, for the video's visibility.
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    return watchSpotlight(element, (on) => {
      setLit(on);
      if (!on) setPlays(false);
    });
  }, []);
  return (
    <span ref={place} className="absolute inset-0" aria-hidden="true">
      {lit && (
        <video
          src={src}
          muted
          autoPlay
          loop
          playsInline
          tabIndex={-1}
          data-testid="card-video"
          className={`size-full object-cover transition-opacity duration-200 ${plays ? "" : "opacity-0"}`}
          onPlaying={() => setPlays(true)}
          onError={() => setLit(false)}
        />
      )}
    </span>
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
