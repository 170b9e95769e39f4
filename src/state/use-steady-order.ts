/**
 * Popular stays put while one likes (specification §4, Like): once the list stands, a changed number moves nothing, and what
 * comes later stands behind. The order is made anew when Popular is chosen again, or the gallery opened again.
 */
import { useMemo } from "react";
import { useNavigationType } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { keepOrder } from "@/lib/keep-order";

interface Steady {
  key: string;
  ids: readonly string[];
  stood: boolean;
}
/** Kept for the way back from a detail page. */
const NOTHING: Steady = { key: "", ids: [], stood: false };
let steady = NOTHING;

interface Steadiness {
  /** The list that this is; "" for one whose order is its own. */
  key: string;
  /** From when on nothing may move. */
  stands: boolean;
}

export function useSteadyOrder(items: MediaView[], { key, stands }: Steadiness): MediaView[] {
  const type = useNavigationType();
  // Coming back finds the order of before; opening it anew does not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the beginning of this page's life counts.
  useMemo(() => {
    if (type !== "POP") steady = NOTHING;
  }, []);
  return useMemo(() => {
    if (steady.key !== key) steady = { ...NOTHING, key };
    if (key === "") return items;
    const own = items.map((item) => item.id);
    const ids = steady.stood ? keepOrder(steady.ids, own) : own;
    steady = { key, ids, stood: steady.stood || stands };
    const byId = new Map(items.map((item) => [item.id, item]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }, [items, key, stands]);
}
