import { useTranslation } from "react-i18next";
import { cn } from "./cn";

export function Spinner({ label, className }: { label: string; className?: string }) {
  return (
    <span
      role="status"
      data-pending
      aria-live="polite"
      className={cn("inline-grid place-items-center", className)}
    >
      <span
        aria-hidden="true"
        className="size-7 animate-spin rounded-full border-[3px] border-line border-t-mark"
      />
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** In place of a whole page. */
export function PageLoading() {
  const { t } = useTranslation();
  return <Spinner label={t("app.loading")} className="w-full py-24" />;
}

/** A placeholder at the final size of what is loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-pending
      className={cn("block rounded-lg bg-skeleton animate-pulse-soft", className)}
    />
  );
}

export function Progress({ value, label }: { value: number; label: string }) {
  const percent = Math.max(0, Math.min(100, Math.round(value)));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div
        className="h-full rounded-full bg-mark transition-[width] duration-200"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
