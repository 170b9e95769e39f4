/** Loading, no connection, failed, nothing and something are five screens; this one chooses for every list of the panel. */
import { CloudOff, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ErrorCode } from "@/domain/error-codes";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import type { PagedQuery, QueryState } from "@/state/use-query";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/skeleton";

interface AskedViewProps<T> {
  asked: QueryState<T>;
  onRetry: () => void;
  loading: ReactNode;
  children: (value: T) => ReactNode;
}

const isOffline = (code: ErrorCode): boolean => code === "network" || code === "timeout";

export function AskedView<T>({ asked, onRetry, loading, children }: AskedViewProps<T>) {
  switch (asked.state) {
    case "loading":
      return loading;
    case "failed":
      return <AskedFailure code={asked.code} onRetry={onRetry} />;
    case "ready":
      return (
        <>
          {asked.stale && <StaleNote onRetry={onRetry} />}
          {children(asked.value)}
        </>
      );
  }
}

function AskedFailure({ code, onRetry }: { code: ErrorCode; onRetry: () => void }) {
  const { t } = useText();
  const offline = isOffline(code);
  return (
    <EmptyState
      testId={offline ? "admin-offline" : "admin-failed"}
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={t(offline ? "admin.offlineTitle" : "admin.failedTitle")}
      text={offline ? t("admin.offlineText") : <Say k={errorKey(code)} />}
    >
      <Button onClick={onRetry}>{t("app.retry")}</Button>
    </EmptyState>
  );
}

function StaleNote({ onRetry }: { onRetry: () => void }) {
  const { t } = useText();
  return (
    <div
      role="status"
      data-testid="admin-stale"
      className="mb-4 flex flex-wrap items-center justify-between gap-2 rounded-2xl bg-surface px-4 py-1 text-sm"
    >
      <span className="py-2">{t("admin.stale")}</span>
      <Button variant="ghost" onClick={onRetry}>
        {t("app.retry")}
      </Button>
    </div>
  );
}

/** Rows of the final height. */
export function RowsLoading({ rows = 6, height = "h-16" }: { rows?: number; height?: string }) {
  const { t } = useText();
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{t("app.loading")}</span>
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <Skeleton key={index} className={`${height} w-full rounded-2xl`} />
      ))}
    </div>
  );
}

/** The end of a list in pages. */
export function MoreRows({ paged }: { paged: Pick<PagedQuery<unknown>, "more" | "loadMore"> }) {
  const { t } = useText();
  if (paged.more === "none") return null;
  return (
    <div className="mt-6 grid justify-items-center gap-2">
      {paged.more === "failed" && (
        <p role="alert" className="text-sm text-danger">
          {t("admin.moreFailed")}
        </p>
      )}
      <Button onClick={paged.loadMore} disabled={paged.more === "loading"} data-testid="admin-more">
        {t(paged.more === "loading" ? "admin.loadingMore" : "admin.loadMore")}
      </Button>
    </div>
  );
}
