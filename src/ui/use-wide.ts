import { useSyncExternalStore } from "react";

/** Whether the window is as wide as `md:` asks. For what is one thing or another; looks are CSS. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, isWide);

const query = () => matchMedia("(min-width: 768px)");
const isWide = () => query().matches;

function subscribe(onChange: () => void): () => void {
  const media = query();
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}
