/** Where this person's data lie on this device, and how much they take. */
import { useEffect, useState } from "react";
import type { StorageState, StorageUsage } from "@/data/shapes";
import { useClient } from "./client-store";
import { useLive } from "./use-live";

export function useStorageState(): StorageState {
  const client = useClient();
  return useLive<StorageState>(client?.storage.state ?? null, "unknown");
}

/** Null until it has been counted; counted anew when `changes` is another value. */
export function useStorageUsage(changes: number): StorageUsage | null {
  const client = useClient();
  const [usage, setUsage] = useState<StorageUsage | null>(null);
  // Outside: the device's storage.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed is counted again.
  useEffect(() => {
    let left = false;
    // Ignoring a failure: these are figures only, and none is better than a wrong one.
    void client?.storage.usage().then(
      (now) => left || setUsage(now),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [client, changes]);
  return usage;
}
