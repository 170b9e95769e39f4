/** What was shown keeps its place; what went is left out; what is new stands behind, in its own order. */
export function keepOrder(shown: readonly string[], now: readonly string[]): string[] {
  const [before, standing] = [new Set(shown), new Set(now)];
  return [...shown.filter((id) => standing.has(id)), ...now.filter((id) => !before.has(id))];
}
