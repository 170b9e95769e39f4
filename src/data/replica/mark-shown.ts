/** Notes which media were shown when, a few at a time, so that showing costs no write each. */
import type { DeviceStore } from "./device-store";

const PAUSE_MS = 5_000;

export interface ShownDeps {
  device: Pick<DeviceStore, "markShown">;
  now: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  log: (message: string, error: unknown) => void;
}

export function createShownMarks(deps: ShownDeps): {
  shown: (ids: readonly string[]) => void;
  close: () => void;
} {
  const waiting = new Set<string>();
  const stop = new AbortController();
  const write = async () => {
    await deps.delay(PAUSE_MS, stop.signal);
    const ids = [...waiting];
    waiting.clear();
    if (!stop.signal.aborted) await deps.device.markShown(ids, deps.now());
  };
  return {
    shown(ids) {
      const starts = waiting.size === 0 && ids.length > 0;
      for (const id of ids) waiting.add(id);
      if (!starts || stop.signal.aborted) return;
      void write().catch((error) => deps.log("Ignoring that it is unknown what was shown", error));
    },
    close: () => stop.abort(),
  };
}
