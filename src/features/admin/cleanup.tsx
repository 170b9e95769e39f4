/** Cleanup: shows what it would remove, then removes it on request and shows the progress. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CleanupCount, CleanupProgress, CleanupTask } from "@/data/admin/admin-client";
import type { ErrorCode } from "@/domain/error-codes";
import { errorKey } from "@/i18n/error-text";
import { bytesText } from "@/i18n/formats";
import { plain } from "@/i18n/say";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { useAsk } from "@/ui/ask-first";
import { Button } from "@/ui/button";
import { Progress } from "@/ui/loading";

const TASKS = [
  { task: "orphaned-files", word: "orphans" },
  { task: "expired-uploads", word: "uploads" },
  { task: "old-tombstones", word: "tombstones" },
] as const satisfies { task: CleanupTask; word: string }[];

export function Cleanup() {
  const { t } = useTranslation();
  return (
    <section className="grid gap-3" data-testid="cleanup">
      <h2 className="text-xl font-bold">{t("admin.settings.cleanup")}</h2>
      <p className="text-muted">{t("admin.cleanup.intro")}</p>
      {TASKS.map((task) => (
        <CleanupCard key={task.task} {...task} />
      ))}
    </section>
  );
}

function CleanupCard({ task, word }: (typeof TASKS)[number]) {
  const { t } = useTranslation();
  const name = t(`admin.cleanup.${word}`);
  const { run, look, remove, stop } = useCleanup(task);
  const { ask, dialog } = useAsk();
  const found = run.state === "found" ? run.count.items : 0;
  const askToRemove = () =>
    ask({
      title: t("admin.cleanup.removeTitle"),
      description: t("admin.cleanup.removeText", { count: found }),
      action: t("admin.cleanup.remove"),
      onAction: () => void remove(),
    });
  return (
    <article
      data-testid={`cleanup-${task}`}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl border border-line p-4"
    >
      <div className="min-w-0 flex-[1_1_320px]">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-sm text-muted">{t(`admin.cleanup.${word}Text`)}</p>
        <div role="status" className="mt-2" data-testid="cleanup-state">
          <RunState run={run} name={name} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {run.state === "busy" ? (
          <Button onClick={stop}>{t("app.cancel")}</Button>
        ) : (
          <Button data-testid="cleanup-look" onClick={() => void look()}>
            {t(run.state === "none" ? "admin.cleanup.look" : "admin.cleanup.again")}
          </Button>
        )}
        {found > 0 && (
          <Button variant="danger" data-testid="cleanup-remove" onClick={askToRemove}>
            {t("admin.cleanup.remove")}
          </Button>
        )}
      </div>
      {dialog}
    </article>
  );
}

function RunState({ run, name }: { run: CleanupRun; name: string }) {
  const { t, i18n } = useTranslation();
  switch (run.state) {
    case "none":
      return null;
    case "busy":
      return (
        <div className="grid gap-1.5">
          <span className="text-sm">
            {t(run.removing ? "admin.cleanup.removing" : "admin.cleanup.looking")}{" "}
            {t("admin.cleanup.items", { count: run.progress.items })}
          </span>
          <Progress value={run.progress.percent} label={name} />
        </div>
      );
    case "found": {
      if (run.count.items === 0) return t("admin.cleanup.nothing");
      const size = bytesText(run.count.bytes, i18n.language);
      return (
        <strong>
          {t("admin.cleanup.items", { count: run.count.items })}
          {run.count.bytes > 0 && ` · ${t("admin.cleanup.size", { size })}`}
        </strong>
      );
    }
    case "done":
      return t("admin.cleanup.done", { count: run.count.items });
    case "failed":
      return (
        <span className="text-danger!">
          {t("admin.cleanup.failed", { reason: plain(t, { key: errorKey(run.code) }) })}
        </span>
      );
  }
}

/** Leaving the page stops a task between two steps. */
type CleanupRun =
  | { state: "none" }
  | { state: "busy"; removing: boolean; progress: CleanupProgress }
  | { state: "found"; count: CleanupCount }
  | { state: "done"; count: CleanupCount }
  | { state: "failed"; code: ErrorCode };

const NOTHING: CleanupProgress = { items: 0, bytes: 0, percent: 0 };

function useCleanup(task: CleanupTask) {
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
