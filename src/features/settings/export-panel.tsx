/** Downloads all data of the account as one archive. */
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Export, useExport } from "@/state/account";
import { useProductName } from "@/state/page";
import { Button } from "@/ui/button";
import { Progress } from "@/ui/loading";
import { Panel } from "@/ui/panel";

const PERCENT = 100;

export function ExportPanel({ username }: { username: string }) {
  const { t } = useTranslation();
  const { now, start, stop } = useExport(`${useProductName()}-${username}`);
  return (
    <Panel id="export" title={t("account.export")} text={t("account.exportText")}>
      {now.state === "running" && <Running now={now} />}
      <div className="flex flex-wrap items-center gap-3">
        {now.state === "running" ? (
          <Button onClick={stop} data-testid="stop-export">
            {t("exporting.stop")}
          </Button>
        ) : (
          <Button onClick={start} data-testid="start-export">
            <Download aria-hidden="true" />
            {t("account.exportStart")}
          </Button>
        )}
        <Outcome now={now} />
      </div>
    </Panel>
  );
}

function Running({ now }: { now: Extract<Export, { state: "running" }> }) {
  const { t } = useTranslation();
  const { done, files } = now;
  const text =
    files === 0 ? t("exporting.listing") : t("exporting.progress", { done, count: files });
  return (
    <div className="grid gap-2">
      <p className="text-sm tabular-nums">{text}</p>
      <Progress value={files === 0 ? 0 : (done / files) * PERCENT} label={t("account.export")} />
    </div>
  );
}

function Outcome({ now }: { now: Export }) {
  const { t } = useTranslation();
  return (
    <p
      role="status"
      className="min-w-0 flex-1 text-sm not-empty:basis-48"
      data-testid="export-outcome"
    >
      {now.state === "failed" && (
        <span className="font-medium text-danger">{t("account.exportFailed")}</span>
      )}
      {now.state === "done" && t("exporting.done")}
      {now.state === "done" && now.missing > 0 && (
        <span className="block text-muted">{t("exporting.missing", { count: now.missing })}</span>
      )}
    </p>
  );
}
