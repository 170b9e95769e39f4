/** Audit: who did what and when. Read, filtered and taken away as a file; never changed. */
import { Download, ScrollText } from "lucide-react";
import { useState } from "react";
import type { AuditQuery, AuditRow } from "@/data/admin/admin-client";
import { ADMIN_PAGE } from "@/domain/limits";
import { useText } from "@/i18n/use-text";
import { saveFile } from "@/lib/save-file";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { usePagedQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { AskedView, MoreRows, RowsLoading } from "./asked-view";
import { AuditFilter } from "./audit-filter";
import { type AuditChoice, auditQuery, NO_AUDIT_FILTER } from "./audit-query";
import { AuditTable } from "./audit-table";
import { useLater } from "./use-later";

export function AuditLog() {
  const { t } = useText();
  const [choice, setChoice] = useState<AuditChoice>(NO_AUDIT_FILTER);
  const actor = useLater(choice.actor.trim());
  const query = auditQuery({ ...choice, actor });
  const rows = usePagedQuery<AuditRow>(`admin audit ${JSON.stringify(query)}`, (client, after) =>
    client.admin.audit({ ...query, limit: ADMIN_PAGE, ...(after === undefined ? {} : { after }) }),
  );
  return (
    <section data-testid="audit">
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-xl font-bold">{t("admin.settings.audit")}</h2>
          <p className="text-muted">{t("admin.audit.intro")}</p>
        </div>
        <ExportButton query={query} />
      </div>
      <AuditFilter choice={choice} onChange={setChoice} />
      <AskedView asked={rows.now} onRetry={rows.reload} loading={<RowsLoading height="h-12" />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState testId="audit-empty" icon={<ScrollText />} title={t("admin.audit.none")}>
              <Button onClick={() => setChoice(NO_AUDIT_FILTER)}>{t("admin.audit.clear")}</Button>
            </EmptyState>
          ) : (
            <AuditTable rows={items} />
          )
        }
      </AskedView>
      <MoreRows paged={rows} />
    </section>
  );
}

function ExportButton({ query }: { query: AuditQuery }) {
  const { t } = useText();
  const [rows, setRows] = useState<number | null>(null);
  const save = async () => {
    setRows(0);
    const answer = await (await whenClient()).admin.exportAudit(query, setRows);
    setRows(null);
    if (answer.success) return saveFile(answer.value, "audit.csv");
    noteAdminRefusal(answer.error);
    showToast({
      title: { key: "admin.error" },
      description: { key: "admin.audit.exportFailed" },
      variant: "destructive",
    });
  };
  return (
    <Button disabled={rows !== null} data-testid="audit-export" onClick={() => void save()}>
      <Download aria-hidden="true" />
      {rows === null ? t("admin.audit.export") : t("admin.audit.exporting", { count: rows })}
    </Button>
  );
}
