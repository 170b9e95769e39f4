/** What the app stores on this device. Figures that the browser does not report are left out. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { bytesText } from "@/i18n/formats";
import { useStorageUsage } from "@/state/storage";
import { cn } from "@/ui/cn";

interface StoragePanelProps {
  /** Changes when something was queued or sent. */
  changes: number;
  /** Its distance to what is above. */
  className?: string;
}

export function StoragePanel({ changes, className = "mt-10" }: StoragePanelProps) {
  const { t, i18n } = useTranslation();
  const usage = useStorageUsage(changes);
  if (usage === null) return null;
  const { usedBytes, grantedBytes, cachedBytes, queuedBytes, keptBytes, isLasting } = usage;
  const used = usedBytes === null ? "" : bytesText(usedBytes, i18n.language);
  const whole =
    grantedBytes === null || grantedBytes === 0
      ? used
      : t("storage.usedOf", { used, granted: bytesText(grantedBytes, i18n.language) });
  return (
    <section
      className={cn("rounded-[18px] bg-surface p-4", className)}
      aria-labelledby="storage-title"
      data-testid="storage"
    >
      <h2 id="storage-title" className="text-base font-bold">
        {t("storage.title")}
      </h2>
      <dl className="mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1.5 text-sm tabular-nums">
        {used !== "" && (
          <Row name={t("storage.used")} testId="storage-used">
            {whole}
          </Row>
        )}
        {cachedBytes !== null && (
          <Row name={t("storage.cached")} testId="storage-cached">
            {bytesText(cachedBytes, i18n.language)}
          </Row>
        )}
        <Row name={t("storage.queued")} testId="storage-queued">
          {bytesText(queuedBytes, i18n.language)}
        </Row>
        {keptBytes > 0 && (
          <Row name={t("storage.kept")} testId="storage-kept">
            {bytesText(keptBytes, i18n.language)}
          </Row>
        )}
        <Row name={t("storage.media")} testId="storage-media">
          {usage.media.toLocaleString(i18n.language)}
        </Row>
      </dl>
      {isLasting !== null && (
        <p className="mt-3 text-[13px] text-muted text-pretty">
          {t(isLasting ? "storage.lasting" : "storage.fleeting")}
        </p>
      )}
    </section>
  );
}

function Row({ name, testId, children }: { name: string; testId: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="text-right font-semibold" data-testid={testId}>
        {children}
      </dd>
    </>
  );
}
