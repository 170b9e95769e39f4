/** Calls `moved` when somebody goes on by themselves. Answers what ends that. */
export function onMove(moved: () => void): () => void {
  const end = new AbortController();
  for (const move of ["wheel", "touchstart", "pointerdown", "keydown"])
    window.addEventListener(move, moved, { passive: true, signal: end.signal });
  return () => end.abort();
}
