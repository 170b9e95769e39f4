/** Meldungen: what was reported, by whom, why, and the outcome. */
import { Clock, ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { AdminReport, ReportStatus } from "@/data/admin/admin-client";
import { paths } from "@/domain/paths";
import { whenText } from "@/i18n/formats";
import { Say, SayText } from "@/i18n/say";
import { useNow } from "@/state/page";
import { Button, buttonClasses } from "@/ui/button";
import { cn } from "@/ui/cn";
import {
  FilterChips,
  mediaRemoval,
  PagedView,
  RowsLoading,
  Tag,
  Thumbnail,
  useAct,
} from "./admin-parts";
import type { AdminLists } from "./use-admin-lists";
import { userQuestion } from "./users-tab";

const STATES = ["all", "open", "resolved", "dismissed"] as const;

type ReportsTabProps = Pick<
  AdminLists,
  "reports" | "reportChoice" | "setReportChoice" | "onMediaDeleted"
>;

export function ReportsTab(props: ReportsTabProps) {
  const { reports, reportChoice, setReportChoice, onMediaDeleted } = props;
  const { t } = useTranslation();
  return (
    <>
      <FilterChips
        label={t("app.show")}
        value={reportChoice}
        testId="admin-reports"
        options={STATES.map((value) => ({ value, text: t(`admin.reports.${value}`) }))}
        onChange={setReportChoice}
      />
      <PagedView
        paged={reports}
        loading={<RowsLoading row="h-44 w-full" />}
        empty={{
          testId: "reports-empty",
          icon: <ShieldCheck />,
          title: <Say k="admin.reports.none" />,
        }}
      >
        {(items) => (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {items.map((report) => (
              <ReportCard key={report.id} {...{ report, onMediaDeleted }} change={reports.change} />
            ))}
          </ul>
        )}
      </PagedView>
    </>
  );
}

/** An open report is late after this, milliseconds. */
const REPORT_DUE_MS = 24 * 3_600_000;

export const isOverdue = (
  report: Pick<AdminReport, "status" | "createdAt">,
  now: number,
): boolean => report.status === "open" && now - report.createdAt >= REPORT_DUE_MS;

const TONES = { open: "accent", resolved: "ok", dismissed: "quiet" } as const;

interface ReportCardProps extends Pick<AdminLists, "onMediaDeleted"> {
  report: AdminReport;
  change: AdminLists["reports"]["change"];
}

function ReportCard(props: ReportCardProps) {
  const { t } = useTranslation();
  const { report } = props;
  const owner = report.ownerUsername || t("people.unknown");
  const reporter = report.reporterUsername || t("people.unknown");
  return (
    <li
      data-testid="report-card"
      data-report-id={report.id}
      className="grid gap-4 rounded-2xl border border-line p-4 md:grid-cols-[128px_minmax(0,1fr)]"
    >
      <div className="w-32 overflow-hidden rounded-xl max-md:hidden">
        <Thumbnail media={report} />
      </div>
      <div className="min-w-0">
        <div className="flex items-start gap-3">
          <div className="w-20 shrink-0 overflow-hidden rounded-xl md:hidden">
            <Thumbnail media={report} />
          </div>
          <div className="min-w-0 flex-1">
            <ReportHead report={report} />
            <p className="mt-2 wrap-anywhere whitespace-pre-wrap" data-testid="report-reason">
              {report.reason}
            </p>
          </div>
        </div>
        <p className="mt-2 text-sm text-muted wrap-anywhere">
          {t("admin.reports.reporter", { name: reporter })}
          {" · "}
          <Say k="admin.media.by" params={{ name: owner }} />
          {report.caption !== "" && <span className="block truncate">{report.caption}</span>}
        </p>
        {!report.mediaExists && (
          <p className="mt-2 text-sm font-medium">{t("admin.reports.gone")}</p>
        )}
        <ReportActs {...props} />
      </div>
    </li>
  );
}

function ReportHead({ report }: { report: AdminReport }) {
  const { t } = useTranslation();
  const now = useNow();
  const late = isOverdue(report, now);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="text-lg font-bold">
        <Say k="admin.reports.number" params={{ number: report.number }} />
      </h2>
      <Tag tone={TONES[report.status]} data-testid="report-status">
        {t(`admin.reports.${report.status}`)}
      </Tag>
      <span
        data-testid="report-age"
        data-late={late}
        className={cn(
          "inline-flex items-center gap-1 text-sm [&_svg]:size-4",
          late ? "font-semibold text-danger" : "text-muted",
        )}
      >
        <Clock aria-hidden="true" />
        <SayText text={whenText(report.createdAt, now)} />
        {late && <span className="sr-only">{t("admin.reports.overdue")}</span>}
      </span>
    </div>
  );
}

const ACTS = {
  resolve: "report-resolve",
  dismiss: "report-dismiss",
  reopen: "report-reopen",
  deleteMedia: "report-delete-media",
  suspendOwner: "report-suspend",
};

function ReportActs({ report, change, onMediaDeleted }: ReportCardProps) {
  const { t } = useTranslation();
  const { busy, act, confirm, dialog } = useAct();
  const { id, ownerId, ownerUsername } = report;
  const edit = (which: (report: AdminReport) => boolean, changes: Partial<AdminReport>) =>
    change((items) => items.map((item) => (which(item) ? { ...item, ...changes } : item)));
  const judge = (status: ReportStatus) =>
    void act({
      run: (admin) => admin.setReportStatus(id, status),
      done: "admin.reports.updated",
      failed: "admin.reports.updateFailed",
      onDone: () => edit((item) => item.id === id, { status }),
    });
  const suspend = () =>
    confirm({
      ...userQuestion("suspend", { id: ownerId, username: ownerUsername }, t),
      onDone: () => edit((item) => item.ownerId === ownerId, { ownerIsBlocked: true }),
    });
  const remove = () => confirm(mediaRemoval(report.mediaId, onMediaDeleted));
  const name = t("admin.reports.number", { number: report.number });
  const medium = { id: report.mediaId, caption: report.caption };
  const button = (
    act: keyof typeof ACTS,
    variant: "solid" | "outline" | "ghost",
    run: () => void,
  ) => (
    <Button
      variant={variant}
      className={variant === "ghost" ? "text-danger!" : ""}
      data-testid={ACTS[act]}
      onClick={run}
    >
      {t(`admin.reports.${act}`)}
    </Button>
  );
  return (
    <fieldset className="mt-3 flex flex-wrap gap-2 border-0 p-0" disabled={busy}>
      <legend className="sr-only">{name}</legend>
      {report.status === "open" ? (
        <>
          {button("resolve", "solid", () => judge("resolved"))}
          {button("dismiss", "outline", () => judge("dismissed"))}
        </>
      ) : (
        button("reopen", "outline", () => judge("open"))
      )}
      {report.mediaExists && (
        <>
          <Link to={paths.media(medium)} className={buttonClasses({ variant: "ghost" })}>
            {t("admin.reports.openMedia")}
          </Link>
          {button("deleteMedia", "ghost", remove)}
        </>
      )}
      {report.ownerExists && !report.ownerIsBlocked && button("suspendOwner", "ghost", suspend)}
      {report.ownerIsBlocked && (
        <Tag tone="danger" className="self-center">
          {t("admin.reports.ownerSuspended")}
        </Tag>
      )}
      {dialog}
    </fieldset>
  );
}
