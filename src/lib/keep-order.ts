/** The ids of `now`: those already shown keep their order, and new ones follow in theirs. */
export function keepOrder(shown: readonly string[], now: readonly string[]): string[] {
  const [before, present] = [new Set(shown), new Set(now)];
  return [...shown.filter((id) => present.has(id)), ...now.filter((id) => !before.has(id))];
}
