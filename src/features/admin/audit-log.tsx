/** The audit log: who did what and when. It can be read, filtered and exported, but not changed. */
import { Download, ScrollText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AuditQuery, AuditRow } from "@/data/admin/admin-client";
import { saveFile } from "@/lib/save-file";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showFailure } from "@/state/toasts";
import { usePagedQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/field";
import { Select } from "@/ui/select";
import {
  dateTimeText,
  GridCell,
  GridRow,
  GridTable,
  PagedView,
  RowsLoading,
  useDebounced,
} from "./admin-parts";
import { actorText, actText, detailsText, targetText } from "./audit-words";

export function AuditLog() {
  const { t } = useTranslation();
  const [choice, setChoice] = useState<AuditChoice>(NO_AUDIT_FILTER);
  const actor = useDebounced(choice.actor.trim());
  const query = auditQuery({ ...choice, actor });
  const rows = usePagedQuery<AuditRow>(`admin audit ${JSON.stringify(query)}`, (client, page) =>
    client.admin.audit({ ...query, ...page }),
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
      <PagedView
        paged={rows}
        loading={<RowsLoading row="h-12 w-full" />}
        empty={{
          testId: "audit-empty",
          icon: <ScrollText />,
          title: t("admin.audit.none"),
          children: (
            <Button onClick={() => setChoice(NO_AUDIT_FILTER)}>{t("admin.audit.clear")}</Button>
          ),
        }}
      >
        {(items) => (
          <GridTable
            label={t("admin.settings.audit")}
            testId="audit-table"
            columns={COLUMNS}
            heads={HEADS.map((head) => `admin.audit.${head}` as const)}
          >
            {items.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </GridTable>
        )}
      </PagedView>
    </section>
  );
}

function ExportButton({ query }: { query: AuditQuery }) {
  const { t } = useTranslation();
  const [rows, setRows] = useState<number | null>(null);
  const save = async () => {
    setRows(0);
    const answer = await (await whenClient()).admin.exportAudit(query, setRows);
    setRows(null);
    if (answer.success) return saveFile(answer.value, "audit.csv");
    noteAdminRefusal(answer.error);
    showFailure("admin.error", "admin.audit.exportFailed");
  };
  return (
    <Button disabled={rows !== null} data-testid="audit-export" onClick={() => void save()}>
      <Download aria-hidden="true" />
      {rows === null ? t("admin.audit.export") : t("admin.audit.exporting", { count: rows })}
    </Button>
  );
}

const ACTIONS = [
  "users",
  "media",
  "comments",
  "conversations",
  "messages",
  "reports",
  "settings",
  "cleanup",
] as const;

type AuditFilterProps = { choice: AuditChoice; onChange: (choice: AuditChoice) => void };

function AuditFilter({ choice, onChange }: AuditFilterProps) {
  const { t } = useTranslation();
  const set = (changes: Partial<AuditChoice>) => onChange({ ...choice, ...changes });
  const isSet = Object.values(choice).some((value) => value !== "");
  return (
    <search className="mb-4 grid grid-cols-2 items-end *:min-w-0 gap-3 md:flex md:flex-wrap">
      {(["from", "to"] as const).map((end) => (
        <TextField
          key={end}
          label={t(`admin.audit.${end}`)}
          type="date"
          className="min-w-0 px-2.5! text-[0.9375rem]!"
          min={end === "to" ? choice.from : undefined}
          max={end === "from" ? choice.to : undefined}
          data-testid={`audit-${end}`}
          value={choice[end]}
          onValue={(day) => set({ [end]: day })}
        />
      ))}
      <TextField
        label={t("admin.audit.actor")}
        placeholder={t("admin.audit.actorHint")}
        autoComplete="off"
        data-testid="audit-actor"
        value={choice.actor}
        onValue={(actor) => set({ actor })}
      />
      <div className="grid min-w-0 gap-1.5">
        <span aria-hidden="true" className="text-sm font-semibold">
          {t("admin.audit.action")}
        </span>
        <Select
          label={t("admin.audit.action")}
          value={choice.action}
          testId="audit-action"
          options={[
            { value: "", text: t("admin.audit.anyAction") },
            ...ACTIONS.map((value) => ({ value, text: t(`admin.audit.${value}`) })),
          ]}
          onChange={(action) => set({ action })}
        />
      </div>
      {isSet && (
        <Button variant="ghost" data-testid="audit-clear" onClick={() => onChange(NO_AUDIT_FILTER)}>
          {t("admin.audit.clear")}
        </Button>
      )}
    </search>
  );
}

/** Days are in the format of the browser's date field, "2026-11-21"; "" leaves a field out. */
type AuditChoice = Record<"actor" | "action" | "from" | "to", string>;

export const NO_AUDIT_FILTER: AuditChoice = { actor: "", action: "", from: "", to: "" };

/** Local midnight in milliseconds; null for an empty or invalid day. */
function startOfDay(day: string, later = 0): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (match === null) return null;
  return new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + later).getTime();
}

/** Both days are included in full. */
export function auditQuery({ actor, action, from, to }: AuditChoice): AuditQuery {
  const first = startOfDay(from);
  const end = startOfDay(to, 1);
  return {
    ...(actor === "" ? {} : { actor }),
    ...(action === "" ? {} : { action }),
    ...(first === null ? {} : { from: first }),
    ...(end === null ? {} : { to: end }),
  };
}

const HEADS = ["time", "actor", "action", "target", "details"] as const;
const COLUMNS =
  "md:grid md:grid-cols-[150px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1.3fr)] md:gap-3";

function Row({ row }: { row: AuditRow }) {
  const { t, i18n } = useTranslation();
  const cells = [
    dateTimeText(row.createdAt, i18n.language),
    actorText(row, t),
    actText(row.action, t),
    targetText(row, t),
    detailsText(row, t, i18n.language),
  ];
  return (
    <GridRow
      data-testid="audit-row"
      data-action={row.action}
      className={`${COLUMNS} border-b border-line py-2.5 text-sm [contain-intrinsic-size:auto_42px] [content-visibility:auto]`}
    >
      {cells.map((cell, index) => (
        <GridCell key={HEADS[index]} className={CELLS[index]}>
          {cell}
        </GridCell>
      ))}
    </GridRow>
  );
}

const CELLS = [
  "block text-muted tabular-nums",
  "block truncate font-semibold",
  "block wrap-anywhere",
  "block truncate text-muted",
  "block text-[0.8125rem] text-muted wrap-anywhere",
];
