/** A visitor's very first screen: the newest media, asked for while the app is still on its way. */

import type { RawRecord } from "@/data/engine/rows";
import { FIRST_MEDIA_PATH } from "@/data/first-media";
import { mediaRow } from "@/data/media/row";
import { servedMedia } from "@/data/media/views";
import { FIRST_MEDIA_EVENT, writeFirstScreen } from "@/state/first-screen";
import { SESSION_KEY } from "./keys";

/** As long as the client would wait for it. */
const PATIENCE_MS = 30_000;

/**
 * Puts them into the snapshot of the first screen, and calls `paint`. Whatever fails leaves the skeleton to the app. Resolves
 * after either.
 */
export function askForFirstMedia(paint: () => void): Promise<void> {
  const answer = fetch(FIRST_MEDIA_PATH, {
    // A portal that redirects to its own page must not look like an answer.
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const first = { answer, stand: false };
  window.firstMedia = first;
  return (
    answer
      .then((response) => response.clone().json())
      .then(({ items }: { items: RawRecord[] }) => {
        // Somebody has signed in meanwhile.
        if (localStorage.getItem(SESSION_KEY) !== null) return;
        const name = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
        const rows = items.map(mediaRow).filter((row) => row !== null);
        const address = (path: string) => (path.startsWith("/") ? location.origin + path : path);
        const views = rows.map((row) => servedMedia(row, address));
        writeFirstScreen({ userId: "", productName: name?.content ?? "", items: views });
        first.stand = true;
        paint();
        window.dispatchEvent(new Event(FIRST_MEDIA_EVENT));
      })
      // Ignoring what the client asks again and judges.
      .catch(() => undefined)
  );
}
