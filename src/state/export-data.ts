/** Making the archive of one's own data, and handing it over as a download. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { ErrorCode } from "@/domain/error-codes";
import { whenClient } from "./client-store";

export type Export =
  | { state: "idle" }
  | { state: "running"; done: number; files: number }
  | { state: "done"; missing: number }
  | { state: "failed"; code: ErrorCode };

/** An address that a download needs for a moment, milliseconds. */
const KEEP_MS = 60_000;

export function useExport(name: string): { now: Export; start: () => void; stop: () => void } {
  const [now, setNow] = useState<Export>({ state: "idle" });
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => running.current?.abort(), []);
  // Outside: the requests, which end with the page.
  useEffect(() => stop, [stop]);
  const start = useCallback(async () => {
    const mine = new AbortController();
    running.current = mine;
    setNow({ state: "running", done: 0, files: 0 });
    const client = await whenClient();
    const answer = await client.exportData({
      signal: mine.signal,
      onProgress: (progress) => setNow({ state: "running", ...progress }),
    });
    if (mine.signal.aborted) return setNow({ state: "idle" });
    if (!answer.success) return setNow({ state: "failed", code: answer.error });
    download(answer.value.archive, `${name}.zip`);
    setNow({ state: "done", missing: answer.value.missing });
  }, [name]);
  return { now, start: () => void start(), stop };
}

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}
