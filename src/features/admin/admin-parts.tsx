/** What the tabs share: the states of a list, acts on the server, and small parts. */

import type { TFunction } from "i18next";
import { CloudOff, ImageOff, Search, TriangleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminClient, AdminMedia, AdminUser } from "@/data/admin/admin-client";
import type { ErrorCode } from "@/domain/error-codes";
import { REASON_MAX } from "@/domain/limits";
import type { Result } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { placeholderUrl } from "@/lib/placeholder";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import type { PagedQuery, Query } from "@/state/use-query";
import { useAsk } from "@/ui/ask-first";
import { Button } from "@/ui/button";
import { Chips, type ChipsProps } from "@/ui/chips";
import { cn } from "@/ui/cn";
import { EmptyState, type EmptyStateProps } from "@/ui/empty-state";
import { Input, TextareaField } from "@/ui/field";
import { Skeleton } from "@/ui/loading";

type QueryViewProps<T> = {
  query: Pick<Query<T>, "now" | "reload">;
  loading: ReactNode;
  children: (value: T) => ReactNode;
};

export function QueryView<T>({ query: { now, reload }, loading, children }: QueryViewProps<T>) {
  switch (now.state) {
    case "loading":
      return loading;
    case "failed":
      return <QueryFailure code={now.code} onRetry={reload} />;
    case "ready":
      return (
        <>
          {now.stale && <StaleNote onRetry={reload} />}
          {children(now.value)}
        </>
      );
  }
}

interface PagedViewProps<T> {
  paged: Omit<PagedQuery<T>, "total" | "change">;
  loading: ReactNode;
  empty?: EmptyStateProps;
  children: (items: T[]) => ReactNode;
}

export function PagedView<T>({ paged, loading, empty, children }: PagedViewProps<T>) {
  return (
    <>
      <QueryView query={paged} loading={loading}>
        {(items) => (items.length === 0 && empty ? <EmptyState {...empty} /> : children(items))}
      </QueryView>
      <LoadMore
        state={paged.more}
        text="admin.loadMore"
        failed="admin.moreFailed"
        testId="admin-more"
        className="mt-6 gap-2"
        onClick={paged.loadMore}
      />
    </>
  );
}

interface LoadMoreProps {
  state: PagedQuery<unknown>["more"];
  text: TextKey;
  failed: TextKey;
  testId: string;
  className: string;
  onClick: () => void;
}

export function LoadMore({ state, text, failed, testId, className, onClick }: LoadMoreProps) {
  const { t } = useTranslation();
  if (state === "none") return null;
  return (
    <div className={`grid justify-items-center ${className}`}>
      {state === "failed" && (
        <p role="alert" className="text-sm text-danger">
          {t(failed)}
        </p>
      )}
      <Button onClick={onClick} disabled={state === "loading"} data-testid={testId}>
        {t(state === "loading" ? "app.loading" : text)}
      </Button>
    </div>
  );
}

function QueryFailure({ code, onRetry }: { code: ErrorCode; onRetry: () => void }) {
  const { t } = useTranslation();
  const offline = code === "network";
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

interface RowsLoadingProps {
  rows?: number;
  row?: string;
  className?: string;
}

/** Skeletons at the rows' final height. */
export function RowsLoading({
  rows = 6,
  row = "h-16 w-full",
  className = "grid gap-3",
}: RowsLoadingProps) {
  const { t } = useTranslation();
  return (
    <div role="status" className={className}>
      <span className="sr-only">{t("app.loading")}</span>
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <Skeleton key={index} className={`${row} rounded-2xl`} />
      ))}
    </div>
  );
}

interface GridTableProps {
  label: string;
  testId: string;
  columns: string;
  heads: readonly TextKey[];
  className?: string;
  children: ReactNode;
}

/** Rows are grids, so that those out of sight are not laid out; on a phone each row is a card. */
export function GridTable(props: GridTableProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: elements of a real table cannot be grids.
    <div role="table" aria-label={props.label} data-testid={props.testId}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" className="max-md:sr-only">
        <GridRow className={`${props.columns} border-b border-line py-2 text-sm text-muted`}>
          {props.heads.map((head) => (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useFocusableInteractive: headings are read, not used.
            <span key={head} role="columnheader" className="font-semibold">
              {t(head)}
            </span>
          ))}
        </GridRow>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" className={props.className}>
        {props.children}
      </div>
    </div>
  );
}

export const GridRow = (props: ComponentProps<"div">) => (
  // biome-ignore lint/a11y/useSemanticElements: see GridTable.
  // biome-ignore lint/a11y/useFocusableInteractive: a row is read; its buttons are what is used.
  <div role="row" {...props} />
);

export const GridCell = (props: ComponentProps<"span">) => (
  // biome-ignore lint/a11y/useSemanticElements: see GridTable.
  <span role="cell" {...props} />
);

interface Act<T> {
  run: (admin: AdminClient) => Promise<Result<T>>;
  done: TextKey;
  failed: TextKey;
  failedBy?: Partial<Record<ErrorCode, TextKey>>;
  /** Titles of the toasts; English by default (specification §8). */
  titles?: { done: TextKey; failed: TextKey };
  onDone: (value: T) => void;
  onFailed?: (error: ErrorCode) => unknown;
}

export type Named = Pick<AdminUser, "id" | "username">;

type Question = Act<unknown> &
  Record<"title" | "text" | "action", ReactNode> & { more?: ReactNode };

const ENGLISH = { done: "admin.success", failed: "admin.error" } as const;

/** An administrative act: sent at once, never queued, reported by a toast. */
async function perform<T>(act: Act<T>): Promise<void> {
  const titles = act.titles ?? ENGLISH;
  const answer = await act.run((await whenClient()).admin);
  if (answer.success) {
    showToast({ title: { key: titles.done }, description: { key: act.done } });
    return act.onDone(answer.value);
  }
  noteAdminRefusal(answer.error);
  showFailure(titles.failed, act.failedBy?.[answer.error] ?? act.failed);
  act.onFailed?.(answer.error);
}

export function useAct() {
  const [busy, setBusy] = useState(false);
  const { ask, dialog } = useAsk();
  const act = async <T,>(wanted: Act<T>) => {
    setBusy(true);
    await perform(wanted);
    setBusy(false);
  };
  const confirm = ({ title, text, action, more, ...wanted }: Question) =>
    ask({
      title,
      description: text,
      children: more,
      action,
      onAction: () => void perform(wanted),
    });
  return { busy, act, confirm, dialog };
}

/**
 * Deletes anybody's media, with a reason for the owner, and reports the outcome in German
 * (specification §8).
 */
export function mediaRemoval(id: string, onDeleted: (id: string) => void): Question {
  let reason = "";
  const setReason = (text: string) => {
    reason = text;
  };
  return {
    title: <Say k="admin.media.deleteTitle" />,
    text: <Say k="admin.media.deleteText" />,
    more: (
      <Words
        label="admin.media.reason"
        hint="admin.media.reasonHint"
        testId="removal-reason"
        onChange={setReason}
      />
    ),
    action: <Say k="admin.media.delete" />,
    run: (admin) => admin.deleteMedia(id, reason.trim()),
    done: "admin.media.deleted",
    failed: "admin.media.deleteFailed",
    titles: { done: "admin.erfolg", failed: "admin.fehler" },
    onDone: () => onDeleted(id),
  };
}

/** Tells somebody in his notifications what is not welcome. */
export function warning({ id, username }: Named, t: TFunction): Question {
  let text = "";
  const setText = (now: string) => {
    text = now;
  };
  return {
    title: t("admin.users.warnTitle", { name: username }),
    text: t("admin.users.warnText"),
    more: <Words label="admin.users.warnWords" testId="warning-text" onChange={setText} />,
    action: t("admin.users.warn"),
    run: (admin) => admin.warn(id, text),
    done: "admin.users.warned",
    failed: "admin.users.warnFailed",
    failedBy: { text_empty: "admin.users.warnEmpty" },
    onDone: () => undefined,
  };
}

interface WordsProps {
  label: TextKey;
  hint?: TextKey;
  testId: string;
  onChange: (words: string) => void;
}

function Words({ label, hint, testId, onChange }: WordsProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  return (
    <TextareaField
      label={t(label)}
      {...(hint && { hint: t(hint) })}
      rows={2}
      maxLength={REASON_MAX}
      data-testid={testId}
      value={words}
      onValue={(text) => {
        setWords(text);
        onChange(text);
      }}
    />
  );
}

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
  value: string;
  onChange: (value: string) => void;
  className: string;
  testId: string;
}

/** The filter of a list; it scrolls sideways where the chips do not fit. */
export const FilterChips = <T extends string>(props: ChipsProps<T>) => (
  <div className="-mx-3 mb-3 overflow-x-auto px-3 [scrollbar-width:none]">
    <Chips {...props} />
  </div>
);

export function SearchField({ value, onChange, className, testId }: SearchFieldProps) {
  const { t } = useTranslation();
  const label = t("admin.users.search");
  return (
    <div className={cn("relative", className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 start-4 size-[18px] -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        className="ps-11"
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

export function Tag({
  tone = "quiet",
  className,
  ...rest
}: ComponentProps<"span"> & { tone?: keyof typeof TONES }) {
  return (
    <span
      className={cn(
        "inline-flex items-center rounded-full border px-2 text-[0.75rem] leading-[1.25rem] font-semibold whitespace-nowrap",
        TONES[tone],
        className,
      )}
      {...rest}
    />
  );
}

type AdminMediaPicture = Pick<AdminMedia, "url" | "thumbnailUrl" | "thumbhash" | "type">;

/** A square thumbnail over its blurred placeholder, which stays if the picture fails. */
export function Thumbnail({ media }: { media: AdminMediaPicture }) {
  const address = media.thumbnailUrl || (media.type === "photo" ? media.url : "");
  const [broken, setBroken] = useState("");
  const placeholder = placeholderUrl(media.thumbhash);
  return (
    <span className="relative block aspect-square w-full overflow-hidden bg-skeleton">
      {placeholder === "" && address === "" && (
        <ImageOff aria-hidden="true" className="absolute inset-0 m-auto size-7 text-muted" />
      )}
      {placeholder !== "" && (
        <img src={placeholder} alt="" className="absolute inset-0 size-full object-cover" />
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
