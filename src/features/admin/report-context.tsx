/** The messages up to a reported one, as they were when it was reported. */
import { useTranslation } from "react-i18next";
import type { AdminContextMessage, AdminReport } from "@/data/admin/admin-client";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Dialog } from "@/ui/dialog";
import { Spinner } from "@/ui/loading";
import { dateTimeText } from "./admin-parts";

export function ReportContext({ report, onClose }: { report: AdminReport; onClose: () => void }) {
  const { t } = useTranslation();
  const { now, reload } = useQuery(`admin report context ${report.id}`, (client) =>
    client.admin.reportContext(report.id),
  );
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t("admin.reports.number", { number: report.number })}
      description={<span className="text-sm">{t("admin.chat.audited")}</span>}
    >
      <div data-testid="report-context-dialog" className="min-h-40">
        {now.state === "loading" && (
          <Spinner label={t("chat.messagesLoading")} className="w-full py-12" />
        )}
        {now.state === "failed" && (
          <div role="alert" className="grid justify-items-center gap-3 py-8 text-center">
            <p>{t("admin.chat.loadFailed")}</p>
            <p className="text-sm text-muted">
              <Say k={errorKey(now.code)} />
            </p>
            <Button onClick={reload}>{t("app.retry")}</Button>
          </div>
        )}
        {now.state === "ready" && (
          <ol className="grid gap-2">
            {now.value.map((message) => (
              <ContextMessage
                key={message.id}
                message={message}
                isReported={message.id === report.targetId}
              />
            ))}
          </ol>
        )}
      </div>
      <Button className="justify-self-end" data-testid="close-context" onClick={onClose}>
        {t("app.close")}
      </Button>
    </Dialog>
  );
}

interface ContextMessageProps {
  message: AdminContextMessage;
  isReported: boolean;
}

function ContextMessage({ message, isReported }: ContextMessageProps) {
  const { t, i18n } = useTranslation();
  return (
    <li
      data-testid="context-message"
      aria-current={isReported || undefined}
      className={cn(
        "rounded-2xl px-3 py-2",
        isReported ? "border-2 border-danger" : "border border-line",
      )}
    >
      <p className="text-[0.8125rem] text-muted">
        <strong className="text-foreground">{message.username || t("chat.unknownUser")}</strong>{" "}
        <time>{dateTimeText(message.sentAt, i18n.language)}</time>
        {isReported && (
          <span className="ms-2 font-semibold text-danger">{t("admin.reports.reported")}</span>
        )}
      </p>
      {message.deleted && <p className="text-muted italic">{t("chat.deleted")}</p>}
      {message.isPhoto && <p className="text-muted">{t("media.photo")}</p>}
      {message.text !== "" && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {message.text}
        </p>
      )}
    </li>
  );
}
