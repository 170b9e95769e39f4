/** Reads live values of the client into React, for every screen that watches data. */
import { type DependencyList, useCallback, useMemo, useSyncExternalStore } from "react";
import type { Client, ClientReads } from "@/data/client";
import type { Found, Live, Loaded } from "@/data/shapes";
import { useClientState } from "./client-store";

/** The usual first value of a `Loaded` or a `Found`. */
export const LOADING = { state: "loading" } as const;
/** A list when the client's own code could not be loaded. */
export const NO_CLIENT = { state: "failed", code: "network" } as const;
/** A single thing in the same situation. */
const UNREACHABLE = { state: "unreachable", code: "network" } as const;

const noop = (): void => {};

/** `watch` runs again when `deps` change. `withoutClient`: the client could not be loaded. */
export function useWatch<T>(
  watch: (client: Client) => Live<T>,
  deps: DependencyList,
  initial: NoInfer<T>,
  withoutClient: NoInfer<T> = initial,
): T {
  const now = useClientState();
  const client = now.state === "ready" ? now.client : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what `watch` depends on.
  const live = useMemo(() => (client === null ? null : watch(client)), [client, ...deps]);
  const subscribe = useCallback(
    (onChange: () => void) => (live === null ? noop : live.subscribe(onChange)),
    [live],
  );
  const fallback = now.state === "failed" ? withoutClient : initial;
  return useSyncExternalStore(subscribe, () => (live === null ? fallback : live.getSnapshot()));
}

/** `useWatch` for a list, which has failed when the client could not be loaded. */
export const useLoaded = <T>(
  watch: (reads: ClientReads) => Live<Loaded<T>>,
  deps: DependencyList,
): Loaded<T> =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: named by the caller.
  useWatch<Loaded<T>>(({ reads }) => watch(reads), deps, LOADING, NO_CLIENT);

/** `useWatch` for one record, which is unreachable when the client could not be loaded. */
export const useFound = <T>(
  watch: (reads: ClientReads) => Live<Found<T>>,
  deps: DependencyList,
): Found<T> =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: named by the caller.
  useWatch<Found<T>>(({ reads }) => watch(reads), deps, LOADING, UNREACHABLE);
