/** The product's name: the operator's, else what the page was served with, else ours. */
import { useMemo } from "react";
import { useClient } from "./client-store";
import { useLive } from "./use-live";

const DEFAULT_NAME = "Augenblick";

/** The server writes the operator's name into the page (see the meta element in index.html). */
const servedName = (): string =>
  document.querySelector('meta[name="application-name"]')?.getAttribute("content") || DEFAULT_NAME;

export function useProductName(): string {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchProductName() ?? null, [client]);
  const name = useLive(live, "");
  return name === "" ? servedName() : name;
}
