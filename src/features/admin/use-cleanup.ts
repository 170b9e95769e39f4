/** One task of the cleanup: nothing known, looking or removing, found, done, failed. Leaving the page stops it between two steps. */
import { useEffect, useRef, useState } from "react";
import type { CleanupCount, CleanupProgress, CleanupTask } from "@/data/admin/admin-client";
import type { ErrorCode } from "@/domain/error-codes";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";

export type CleanupRun =
  | { state: "none" }
  | { state: "busy"; removing: boolean; progress: CleanupProgress }
  | { state: "found"; count: CleanupCount }
  | { state: "done"; count: CleanupCount }
  | { state: "failed"; code: ErrorCode };

const NOTHING: CleanupProgress = { items: 0, bytes: 0, percent: 0 };

export function useCleanup(task: CleanupTask) {
  const [run, setRun] = useState<CleanupRun>({ state: "none" });
  const stopper = useRef<AbortController | null>(null);
  // Outside: the server, which is asked step by step.
  useEffect(() => () => stopper.current?.abort(), []);
  const go = async (removing: boolean) => {
    const mine = new AbortController();
    stopper.current?.abort();
    stopper.current = mine;
    const tell = (next: CleanupRun) => mine === stopper.current && setRun(next);
    const onProgress = (progress: CleanupProgress) => tell({ state: "busy", removing, progress });
    onProgress(NOTHING);
    const { admin } = await whenClient();
    const options = { onProgress, signal: mine.signal };
    const answer = removing
      ? await admin.runCleanup(task, options)
      : await admin.previewCleanup(task, options);
    if (!answer.success) {
      noteAdminRefusal(answer.error);
      tell({ state: "failed", code: answer.error });
    } else if (removing) tell({ state: "done", count: answer.value });
    else tell(mine.signal.aborted ? { state: "none" } : { state: "found", count: answer.value });
  };
  return {
    run,
    look: () => go(false),
    remove: () => go(true),
    stop: () => stopper.current?.abort(),
  };
}
