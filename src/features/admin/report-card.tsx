/** One report: 'Meldung #n', its reason, its reporter, the medium or what is kept of it, and what can be done. */
import { Clock } from "lucide-react";
import { Link } from "react-router-dom";
import type { AdminReport, ReportStatus } from "@/data/admin/admin-client";
import { paths } from "@/domain/paths";
import { Say, SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { useNow } from "@/state/page";
import { Button, buttonClasses } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Tag } from "./tag";
import { Thumbnail } from "./thumbnail";

/** An open report is late after this, milliseconds. */
export const REPORT_DUE_MS = 24 * 3_600_000;

export const isOverdue = (
  report: Pick<AdminReport, "status" | "createdAt">,
  now: number,
): boolean => report.status === "open" && now - report.createdAt >= REPORT_DUE_MS;

const TONES = { open: "accent", resolved: "ok", dismissed: "quiet" } as const;

interface ReportCardProps {
  report: AdminReport;
  busy: boolean;
  onJudge: (status: ReportStatus) => void;
  onDelete: () => void;
  onSuspend: () => void;
}

export function ReportCard(props: ReportCardProps) {
  const { t } = useText();
  const { report } = props;
  const owner = report.ownerUsername || t("admin.unbekannt");
  const reporter = report.reporterUsername || t("admin.unbekannt");
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
  const { t } = useText();
  const now = useNow();
  const late = isOverdue(report, now);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="text-lg font-bold">
        <Say k="admin.reports.number" params={{ number: report.number }} />
      </h2>
      <Tag tone={TONES[report.status]} testId="report-status">
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

function ReportActs({ report, busy, onJudge, onDelete, onSuspend }: ReportCardProps) {
  const { t } = useText();
  const name = t("admin.reports.number", { number: report.number });
  const medium = { id: report.mediaId, caption: report.caption };
  return (
    <fieldset className="mt-3 flex flex-wrap gap-2 border-0 p-0" disabled={busy}>
      <legend className="sr-only">{name}</legend>
      {report.status === "open" ? (
        <>
          <Button variant="solid" data-testid="report-resolve" onClick={() => onJudge("resolved")}>
            {t("admin.reports.resolve")}
          </Button>
          <Button data-testid="report-dismiss" onClick={() => onJudge("dismissed")}>
            {t("admin.reports.dismiss")}
          </Button>
        </>
      ) : (
        <Button data-testid="report-reopen" onClick={() => onJudge("open")}>
          {t("admin.reports.reopen")}
        </Button>
      )}
      {report.mediaExists && (
        <>
          <Link to={paths.media(medium)} className={buttonClasses({ variant: "ghost" })}>
            {t("admin.reports.openMedia")}
          </Link>
          <Button
            variant="ghost"
            className="text-danger!"
            data-testid="report-delete-media"
            onClick={onDelete}
          >
            {t("admin.reports.deleteMedia")}
          </Button>
        </>
      )}
      {report.ownerExists && !report.ownerIsBlocked && (
        <Button
          variant="ghost"
          className="text-danger!"
          data-testid="report-suspend"
          onClick={onSuspend}
        >
          {t("admin.reports.suspendOwner")}
        </Button>
      )}
      {report.ownerIsBlocked && (
        <span className="self-center">
          <Tag tone="danger">{t("admin.reports.ownerSuspended")}</Tag>
        </span>
      )}
    </fieldset>
  );
}
