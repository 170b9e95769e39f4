/** The operator's texts. */
import { useMemo } from "react";
import type { Loaded, SettingsView } from "@/data/shapes";
import { useClient } from "./client-store";
import { useLive } from "./use-live";

const LOADING: Loaded<SettingsView> = { state: "loading" };

export function useSettings(id: "terms" | "privacy"): Loaded<SettingsView> {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchSettings(id) ?? null, [client, id]);
  return useLive(live, LOADING);
}
