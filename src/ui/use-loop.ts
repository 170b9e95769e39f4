/** Animated pictures, which stop by themselves (WCAG 2.2.2). */
import { useEffect, useState } from "react";

/** An animation stops after this time, milliseconds; whoever wants more presses Play. */
const LOOP_MS = 5_000;

/** Bytes in which a picture says that it moves; a profile of colours may stand before. */
const HEAD_BYTES = 65_536;

/** Whether a picture that is shown already is an animated WebP or PNG. */
async function isAnimation(url: string): Promise<boolean> {
  const answer = await fetch(url, { headers: { range: `bytes=0-${HEAD_BYTES - 1}` } });
  const head = new TextDecoder("latin1").decode(await answer.arrayBuffer());
  if (head.startsWith("VP8X", 12)) return (head.charCodeAt(20) & 2) > 0;
  // An animated PNG says so before its first picture.
  return /^.PNG(?:(?!IDAT).)*acTL/s.test(head);
}

interface Picture {
  /** Its type, or its address where that has the ending. */
  contentType: string;
  url: string;
}

/**
 * An animation cannot be stopped: its still rendition takes its place, where it has one.
 * `loaded`: whether the picture itself is shown.
 */
export function useLoop({ contentType, url }: Picture, hasStill: boolean, loaded: boolean) {
  const [still, setStill] = useState(false);
  const [found, setFound] = useState(false);
  const moves = hasStill && (found || /\bgif$/.test(contentType || url));
  const mayMove = hasStill && loaded && /\b(?:webp|png)$/.test(contentType || url);
  // Outside: the file, which alone knows.
  useEffect(() => {
    // Ignoring a failure: the picture stays as it is shown.
    if (mayMove) void isAnimation(url).then(setFound, () => undefined);
  }, [mayMove, url]);
  // Outside: the clock.
  useEffect(() => {
    if (!moves || !loaded || still) return;
    const timer = setTimeout(() => setStill(true), LOOP_MS);
    return () => clearTimeout(timer);
  }, [moves, loaded, still]);
  return { moves, still: moves && still, setStill };
}
