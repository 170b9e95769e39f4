/** Calls `keep` when the page may close; phones only report that it is hidden. Returns a stop. */
export function onLeave(keep: () => void): () => void {
  const onHide = () => document.visibilityState === "hidden" && keep();
  window.addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", onHide);
  return () => {
    window.removeEventListener("pagehide", keep);
    document.removeEventListener("visibilitychange", onHide);
  };
}
