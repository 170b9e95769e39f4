/** Keeping the whole file of a medium on this device until the person lets go of it. */
import { useCallback, useEffect, useState } from "react";
import type { MediaView } from "@/data/shapes";
import { fetchAndKeep, isKept, releaseFiles } from "@/lib/keep-files";
import { showToast } from "./toasts";

export type KeepState =
  | { state: "unknown" }
  | { state: "loose" }
  /** `percent` of the bytes. */
  | { state: "fetching"; percent: number }
  | { state: "kept" };

export interface KeepOffline {
  keep: KeepState;
  toggle: () => void;
}

/** Null where there is nothing to keep: it waits on this device anyway, or the browser has no cache. */
export function useKeepOffline(media: MediaView): KeepOffline | null {
  const { id, url } = media;
  const [known, setKnown] = useState<{ id: string; keep: KeepState }>({
    id,
    keep: { state: "unknown" },
  });
  const keep: KeepState = known.id === id ? known.keep : { state: "unknown" };
  // Outside: the media cache.
  useEffect(() => {
    let current = true;
    const show = (kept: boolean) =>
      current && setKnown({ id, keep: { state: kept ? "kept" : "loose" } });
    // Ignoring a failure: a browser that stores nothing keeps nothing.
    isKept(url).then(show, () => show(false));
    return () => {
      current = false;
    };
  }, [id, url]);
  const urls = [...new Set([url, media.previewUrl, media.thumbnailUrl])].filter(
    (one) => one !== "",
  );
  const toggle = useCallback(async () => {
    const set = (next: KeepState) => setKnown({ id, keep: next });
    try {
      if (keep.state === "kept") {
        await releaseFiles(urls);
        set({ state: "loose" });
        return;
      }
      set({ state: "fetching", percent: 0 });
      const onPercent = (percent: number) => set({ state: "fetching", percent });
      await fetchAndKeep(urls, onPercent);
      set({ state: "kept" });
    } catch (error) {
      set({ state: "loose" });
      const full = error instanceof DOMException && error.name === "QuotaExceededError";
      showToast({
        title: { key: "detail.keepFailed" },
        description: { key: full ? "errors.storage_full" : "errors.network" },
        variant: "destructive",
      });
    }
  }, [id, keep.state, urls]);
  if (!("caches" in globalThis) || url.startsWith("blob:")) return null;
  return { keep, toggle: () => void (keep.state === "fetching" || toggle()) };
}
