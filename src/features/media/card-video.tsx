/** A video of the grid that plays by itself, without sound, while it is the one most in sight. */
import { useEffect, useRef, useState } from "react";
import { watchSpotlight } from "@/lib/spotlight";

export function CardVideo({ src }: { src: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const [lit, setLit] = useState(false);
  const [plays, setPlays] = useState(false);
  // Outside: the window, in which it is in sight or not.
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
