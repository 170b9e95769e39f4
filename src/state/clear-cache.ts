import { whenClient } from "./client-store";

/** Removes from this device what can be had again. False where the browser would not. */
export async function clearCache(): Promise<boolean> {
  try {
    await (await whenClient()).storage.clear();
    return true;
  } catch {
    // The storage itself failed: nothing of it is lost, and the figures show what is still there.
    return false;
  }
}
