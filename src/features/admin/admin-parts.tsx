/**
 * What the tabs of the panel share: the five states of a list, acts on the server, and small parts
 * such as tags, thumbnails and a search field.
 */
import { CloudOff, ImageOff, Search, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminClient } from "@/data/admin/admin-client";
import type { ErrorCode } from "@/domain/error-codes";
import type { Result } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { placeholderUrl } from "@/lib/placeholder";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import type { PagedQuery, QueryState } from "@/state/use-query";
import { AlertDialog } from "@/ui/alert-dialog";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { EmptyState } from "@/ui/empty-state";
import { Input } from "@/ui/field";
import { Skeleton } from "@/ui/loading";

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
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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

/** Skeletons at the rows' final height. */
export function RowsLoading({ rows = 6, height = "h-16" }: { rows?: number; height?: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{t("app.loading")}</span>
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <Skeleton key={index} className={`${height} w-full rounded-2xl`} />
      ))}
    </div>
  );
}

/** The end of a paged list. */
export function MoreRows({ paged }: { paged: Pick<PagedQuery<unknown>, "more" | "loadMore"> }) {
  const { t } = useTranslation();
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

interface Act {
  /** The id of what is acted on; its buttons are disabled meanwhile. */
  target: string;
  run: (admin: AdminClient) => Promise<Result<unknown>>;
  done: TextKey;
  failed: TextKey;
  /** Replaces `failed` for particular refusals. */
  failedBy?: Partial<Record<ErrorCode, TextKey>>;
  /** Titles of the toasts; English by default (specification §8). */
  titles?: { done: TextKey; failed: TextKey };
}

const ENGLISH = { done: "admin.success", failed: "admin.error" } as const;

/** One administrative act: sent at once, never queued, reported by a toast. */
export function useAct() {
  const [busy, setBusy] = useState<string | null>(null);
  /** Resolves to whether the act succeeded. */
  const act = async (wanted: Act): Promise<boolean> => {
    const titles = wanted.titles ?? ENGLISH;
    setBusy(wanted.target);
    const answer = await wanted.run((await whenClient()).admin);
    setBusy(null);
    if (answer.success) {
      showToast({ title: { key: titles.done }, description: { key: wanted.done } });
      return true;
    }
    noteAdminRefusal(answer.error);
    showToast({
      title: { key: titles.failed },
      description: { key: wanted.failedBy?.[answer.error] ?? wanted.failed },
      variant: "destructive",
    });
    return false;
  };
  return { busy, act };
}

interface RemoveMediaDialogProps {
  doomed: { id: string } | null;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

/**
 * Confirms the deletion of anybody's media, and reports the outcome in German (specification §8).
 */
export function RemoveMediaDialog({ doomed, onClose, onDeleted }: RemoveMediaDialogProps) {
  const { t } = useTranslation();
  const { act } = useAct();
  const media = useLastValue(doomed);
  if (media === null) return null;
  const remove = async () => {
    const done = await act({
      target: media.id,
      run: (admin) => admin.deleteMedia(media.id),
      done: "admin.media.deleted",
      failed: "admin.media.deleteFailed",
      titles: { done: "admin.erfolg", failed: "admin.fehler" },
    });
    if (done) onDeleted(media.id);
  };
  return (
    <AlertDialog
      open={doomed !== null}
      onOpenChange={(open) => !open && onClose()}
      title={<Say k="admin.media.deleteTitle" />}
      description={t("admin.media.deleteText")}
      cancel={t("app.cancel")}
      action={<Say k="admin.media.delete" />}
      onAction={() => void remove()}
    />
  );
}

/** The last value that was not null: a closing dialog still shows its subject. */
export function useLastValue<T>(value: T | null): T | null {
  const last = useRef<T | null>(null);
  if (value !== null) last.current = value;
  return last.current;
}

/** After the last key, milliseconds. */
const PAUSE_MS = 250;

/** Debounces typing, so that a search runs once per word and not once per letter. */
export function useDebounced(typed: string): string {
  const [settled, setSettled] = useState(typed);
  // Outside: the clock.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
  testId: string;
}

export function SearchField({ label, value, onChange, className, testId }: SearchFieldProps) {
  return (
    <div className={cn("relative", className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-4 size-[18px] -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        className="pl-11"
        autoComplete="off"
        value={value}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

const TONES = {
  quiet: "bg-surface text-muted border-line",
  accent: "bg-accent text-on-accent border-transparent",
  danger: "border-danger text-danger",
  ok: "border-ok text-ok",
} as const;

interface TagProps {
  tone?: keyof typeof TONES;
  children: ReactNode;
  testId?: string;
}

/** A label on a row: a state, not an action. */
export function Tag({ tone = "quiet", children, testId }: TagProps) {
  return (
    <span
      data-testid={testId}
      className={cn(
        "inline-flex items-center rounded-full border px-2 text-[12px] leading-5 font-semibold whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

interface ThumbnailProps {
  media: { url: string; thumbnailUrl: string; thumbhash: string; type: string };
}

/**
 * A square thumbnail. The blurred placeholder shows until the picture has loaded, or for good if it
 * fails.
 */
export function Thumbnail({ media }: ThumbnailProps) {
  const address = media.thumbnailUrl || (media.type === "photo" ? media.url : "");
  const [broken, setBroken] = useState("");
  const stand = placeholderUrl(media.thumbhash);
  return (
    <span className="relative block aspect-square w-full overflow-hidden bg-skeleton">
      {stand === "" && address === "" && (
        <ImageOff aria-hidden="true" className="absolute inset-0 m-auto size-7 text-muted" />
      )}
      {stand !== "" && (
        <img src={stand} alt="" className="absolute inset-0 size-full object-cover" />
      )}
      {address !== "" && broken !== address && (
        <img
          src={address}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
          onError={() => setBroken(address)}
        />
      )}
    </span>
  );
}

/** Exact times, because they are evidence. */
export const dateTimeText = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
  }).format(at);

export const countText = (count: number, language: string): string =>
  new Intl.NumberFormat(language).format(count);
