/** Meldungen: what was reported, by whom and why, and what became of it. */
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { AdminReport, ReportStatus } from "@/data/admin/admin-client";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import type { PagedQuery } from "@/state/use-query";
import { Chips } from "@/ui/chips";
import { EmptyState } from "@/ui/empty-state";
import { AskedView, MoreRows, RowsLoading } from "./asked-view";
import { DeleteMedium } from "./delete-medium";
import { ReportCard } from "./report-card";
import { SuspendOwner } from "./suspend-owner";
import { useAct } from "./use-act";
import type { Choice } from "./use-admin-lists";

type StatusChoice = ReportStatus | "all";
const STATES = ["all", "open", "resolved", "dismissed"] as const;

interface ReportsTabProps {
  reports: PagedQuery<AdminReport>;
  choice: Choice<StatusChoice>;
  onMediaDeleted: (id: string) => void;
}

export function ReportsTab({ reports, choice, onMediaDeleted }: ReportsTabProps) {
  const { t } = useText();
  const { busy, act } = useAct();
  const [doomed, setDoomed] = useState<AdminReport | null>(null);
  const [suspended, setSuspended] = useState<AdminReport | null>(null);
  const edit = (which: (report: AdminReport) => boolean, changes: Partial<AdminReport>) =>
    reports.change((items) => items.map((item) => (which(item) ? { ...item, ...changes } : item)));
  const judge = async (report: AdminReport, status: ReportStatus) => {
    const done = await act({
      target: report.id,
      run: (admin) => admin.setReportStatus(report.id, status),
      done: "admin.reports.updated",
      failed: "admin.reports.updateFailed",
    });
    if (done) edit((item) => item.id === report.id, { status });
  };
  return (
    <>
      <div className="-mx-3 mb-3 overflow-x-auto px-3 [scrollbar-width:none]">
        <Chips
          label={t("admin.reports.filter")}
          value={choice.value}
          testId="admin-reports"
          options={STATES.map((value) => ({ value, text: t(`admin.reports.${value}`) }))}
          onChange={choice.set}
        />
      </div>
      <AskedView
        asked={reports.now}
        onRetry={reports.reload}
        loading={<RowsLoading height="h-44" />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              testId="reports-empty"
              icon={<ShieldCheck />}
              title={<Say k="admin.reports.none" />}
            />
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
              {items.map((report) => (
                <ReportCard
                  key={report.id}
                  report={report}
                  busy={busy === report.id}
                  onJudge={(status) => void judge(report, status)}
                  onDelete={() => setDoomed(report)}
                  onSuspend={() => setSuspended(report)}
                />
              ))}
            </ul>
          )
        }
      </AskedView>
      <MoreRows paged={reports} />
      <DeleteMedium
        doomed={doomed === null ? null : { id: doomed.mediaId }}
        onClose={() => setDoomed(null)}
        onDeleted={onMediaDeleted}
      />
      <SuspendOwner
        report={suspended}
        onClose={() => setSuspended(null)}
        onSuspended={(ownerId) =>
          edit((item) => item.ownerId === ownerId, { ownerIsBlocked: true })
        }
      />
    </>
  );
}
