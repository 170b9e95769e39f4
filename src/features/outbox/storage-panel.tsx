/** What the app stores on this device. Figures that the browser does not report are left out. */
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { bytesText } from "@/i18n/formats";
import { useClientState } from "@/state/client-store";
import { useStorageUsage } from "@/state/storage";
import { cn } from "@/ui/cn";

interface StoragePanelProps {
  changes: number;
  className?: string;
  /** By default that of a page on which it is one thing of several. */
  title?: string;
}

export function StoragePanel({ changes, className = "mt-10", title }: StoragePanelProps) {
  const { t, i18n } = useTranslation();
  const usage = useStorageUsage(changes);
  const { state } = useClientState();
  // What is below waits for it, instead of being pushed away.
  if (usage === "counting" && state !== "failed") return <span data-pending="" />;
  if (usage === "counting" || usage === null) return null;
  const { usedBytes, grantedBytes, cachedBytes, queuedBytes, keptBytes, isLasting } = usage;
  const used = usedBytes === null ? "" : bytesText(usedBytes, i18n.language);
  const whole =
    used === "" || grantedBytes === null || grantedBytes === 0
      ? used
      : t("storage.usedOf", { used, granted: bytesText(grantedBytes, i18n.language) });
  const all = [
    ["used", whole],
    ["cached", cachedBytes === null ? "" : bytesText(cachedBytes, i18n.language)],
    ["queued", bytesText(queuedBytes, i18n.language)],
    ["kept", keptBytes > 0 ? bytesText(keptBytes, i18n.language) : ""],
    ["media", usage.media.toLocaleString(i18n.language)],
  ] as const;
  const rows = all.filter(([, figure]) => figure !== "");
  return (
    <section
      className={cn("rounded-[18px] bg-surface p-4", className)}
      aria-labelledby="storage-title"
      data-testid="storage"
    >
      <h2 id="storage-title" className="text-base font-bold">
        {title ?? t("storage.title")}
      </h2>
      <dl className="mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1.5 text-sm tabular-nums">
        {rows.map(([name, figure]) => (
          <Fragment key={name}>
            <dt className="text-muted">{t(`storage.${name}`)}</dt>
            <dd className="text-end font-semibold" data-testid={`storage-${name}`}>
              {figure}
            </dd>
          </Fragment>
        ))}
      </dl>
      {isLasting !== null && (
        <p className="mt-3 text-[0.8125rem] text-muted text-pretty">
          {t(isLasting ? "storage.lasting" : "storage.fleeting")}
        </p>
      )}
    </section>
  );
}
