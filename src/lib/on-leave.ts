/** Calls `keep` whenever the page may be about to go: on phones it never says so but by hiding. Returns the way to leave. */
export function onLeave(keep: () => void): () => void {
  const onHide = () => document.visibilityState === "hidden" && keep();
  window.addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", onHide);
  return () => {
    window.removeEventListener("pagehide", keep);
    document.removeEventListener("visibilitychange", onHide);
  };
}
