/** Where this person's data are stored on this device, how much room they take, and making room. */
import { useEffect, useState } from "react";
import type { StorageState, StorageUsage } from "@/data/shapes";
import { useClient, whenClient } from "./client-store";
import { useWatch } from "./use-watch";

export const useStorageState = (): StorageState =>
  useWatch<StorageState>((client) => client.storage.state, [], "unknown");

/** Counted again when `changes` is another value; null where that failed. */
export function useStorageUsage(changes: number): StorageUsage | "counting" | null {
  const client = useClient();
  const [usage, setUsage] = useState<StorageUsage | "counting" | null>("counting");
  // biome-ignore lint/correctness/useExhaustiveDependencies: outside: the device's storage, counted again for another value of `changes`.
  useEffect(() => {
    let left = false;
    // Ignoring a failure: these are figures only, and none is better than a wrong one.
    void client?.storage.usage().then(
      (now) => left || setUsage(now),
      () => left || setUsage((before) => (before === "counting" ? null : before)),
    );
    return () => {
      left = true;
    };
  }, [client, changes]);
  return usage;
}

/** Removes from this device what the server still has. False if the browser could not. */
export async function clearCache(): Promise<boolean> {
  try {
    await (await whenClient()).storage.clear();
    return true;
  } catch {
    // The storage failed: nothing else is lost, and the figures show what remains.
    return false;
  }
}
