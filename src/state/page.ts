/** The page around the screens: title, description, clock, the operator's name and texts. */
import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Loaded, SettingsView } from "@/data/shapes";
import { useLoaded, useWatch } from "./use-watch";

const DEFAULT_NAME = "Augenblick";

/** The server writes the operator's name into the page (the meta element in index.html). */
const servedName = (): string =>
  document.querySelector('meta[name="application-name"]')?.getAttribute("content") || DEFAULT_NAME;

/** The product's name: the operator's, else the one the page was served with, else ours. */
export const useProductName = (): string =>
  useWatch(({ reads }) => reads.watchProductName(), [], "") || servedName();

export const useSettings = (id: "terms" | "privacy"): Loaded<SettingsView> =>
  useLoaded((reads) => reads.watchSettings(id), [id]);

export function useTitle(page: string): void {
  const { t } = useTranslation();
  const name = useProductName();
  // Outside: the document's title.
  useEffect(() => {
    document.title = page === "" ? name : t("app.title", { page, name });
  }, [page, name, t]);
}

export function useDescription(text: string): void {
  // Outside: the document's head.
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="description"]');
    if (meta === null || text === "") return;
    const before = meta.content;
    meta.content = text;
    return () => {
      meta.content = before;
    };
  }, [text]);
}

const MINUTE = 60_000;
const clockWatchers = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

/** One timer for all the cards of a page. */
function subscribeToClock(onChange: () => void): () => void {
  if (clockWatchers.size === 0) {
    clock = setInterval(() => {
      for (const watcher of [...clockWatchers]) watcher();
    }, MINUTE);
  }
  clockWatchers.add(onChange);
  return () => {
    clockWatchers.delete(onChange);
    if (clockWatchers.size === 0) clearInterval(clock);
  };
}
const thisMinute = (): number => Math.floor(Date.now() / MINUTE) * MINUTE;

/** The time to the minute, for "2 hours ago". Milliseconds since 1970. */
export const useNow = (): number => useSyncExternalStore(subscribeToClock, thisMinute);
