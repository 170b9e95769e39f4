/** Everything that this device has not sent yet, read from the queue alone. */
import { CircleCheck, CloudOff, SendHorizontal, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { IntentView, OutboxView } from "@/data/shapes";
import { bytesText } from "@/i18n/formats";
import { useClientState, whenClient } from "@/state/client-store";
import { isByHand } from "@/state/install";
import { useConnection, useIsConnectionKnown, useOutbox, useSendsWhenClosed } from "@/state/outbox";
import { Badge, UNREAD_CAP } from "@/ui/badge";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { OutboxItem } from "./outbox-item";
import { StoragePanel } from "./storage-panel";

export function OutboxScreen() {
  const { t } = useTranslation();
  const outbox = useOutbox();
  const broken = useClientState().state === "failed" || outbox.failed;
  const heading = useRef<HTMLHeadingElement>(null);
  const connection = useConnection();
  // The note that there is none stands above the list: what is below waits until that is known.
  const unknown = !useIsConnectionKnown() && !broken;
  const sendsWhenClosed = useSendsWhenClosed();
  const isReady = outbox.ready && sendsWhenClosed !== undefined;
  const onDiscarded = () => heading.current?.focus();
  const refused = outbox.items.filter((item) => item.state === "refused");
  const waiting = outbox.items.filter((item) => item.state !== "refused");
  return (
    <div className="mx-auto max-w-[760px] pt-4" data-testid="outbox">
      <h1
        ref={heading}
        tabIndex={-1}
        className="text-[1.625rem] leading-tight font-bold tracking-tight"
      >
        {t("outbox.title")}
      </h1>
      {isReady && <Totals outbox={outbox} sendsWhenClosed={sendsWhenClosed} />}
      {connection === "offline" && <OfflineNote />}
      {waiting.length > 0 && isByHand() && (
        <p className="mt-4 text-sm text-muted" data-testid="kept-seven-days">
          {t("install.beside")}
        </p>
      )}
      {broken ? (
        <EmptyState
          testId="outbox-failed"
          passing
          icon={<TriangleAlert />}
          title={t("outbox.failed")}
          text={t("outbox.failedText")}
        />
      ) : !isReady || (unknown && outbox.items.length === 0) ? (
        <Loading />
      ) : outbox.items.length === 0 ? (
        <EmptyState
          testId="outbox-empty"
          icon={<CircleCheck />}
          title={t("outbox.nothing")}
          text={t("outbox.nothingText")}
        />
      ) : (
        <>
          <Items title={t("outbox.refusedList")} items={refused} onDiscarded={onDiscarded} />
          <Items title={t("outbox.waitingList")} items={waiting} onDiscarded={onDiscarded} />
        </>
      )}
      {unknown ? <span data-pending="" /> : <StoragePanel changes={outbox.bytes} />}
    </div>
  );
}

function Totals({ outbox, sendsWhenClosed }: { outbox: OutboxView; sendsWhenClosed: boolean }) {
  const { t, i18n } = useTranslation();
  const words = [
    outbox.waiting > 0 ? t("outbox.waiting", { count: outbox.waiting }) : "",
    outbox.refused > 0 ? t("outbox.refused", { count: outbox.refused }) : "",
    outbox.bytes > 0 ? bytesText(outbox.bytes, i18n.language) : "",
  ].filter(Boolean);
  if (words.length === 0) return null;
  return (
    <>
      <p className="mt-1 text-muted">
        {t("outbox.intro")} {t(sendsWhenClosed ? "outbox.whenClosed" : "outbox.whenOpen")}
      </p>
      <div className="mt-3 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" data-testid="outbox-totals" className="font-semibold tabular-nums">
          {words.join(" · ")}
        </p>
        {outbox.waiting > 0 && <SendNow />}
      </div>
    </>
  );
}

function SendNow() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const client = await whenClient();
    await client.outbox.drain();
    // After the server was unreachable, only a request shows whether it is back.
    await client.sync();
    setBusy(false);
  };
  return (
    <Button variant="accent" disabled={busy} data-testid="send-now" onClick={() => void send()}>
      <SendHorizontal aria-hidden="true" />
      {busy ? t("outbox.sendingNow") : t("outbox.sendNow")}
    </Button>
  );
}

function OfflineNote() {
  const { t } = useTranslation();
  return (
    <p
      className="mt-4 flex items-center gap-3 rounded-[18px] bg-surface px-4 py-3 text-sm text-muted"
      data-testid="outbox-offline"
      data-passing={navigator.onLine ? "" : "offline"}
    >
      <CloudOff className="size-5 shrink-0" aria-hidden="true" />
      <span>
        <b className="block text-foreground">{t("outbox.offline")}</b>
        {t("outbox.offlineText")}
      </span>
    </p>
  );
}

type ItemsProps = { title: string; items: readonly IntentView[]; onDiscarded: () => void };

function Items({ title, items, onDiscarded }: ItemsProps) {
  if (items.length === 0) return null;
  return (
    <section className="mt-6" aria-label={title}>
      <h2 className="mb-2 flex items-center gap-2 text-base font-bold">
        {title}
        <Badge count={items.length} cap={UNREAD_CAP} />
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {items.map((item) => (
          <OutboxItem key={item.id} item={item} onDiscarded={onDiscarded} />
        ))}
      </ul>
    </section>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" data-testid="outbox-loading" className="mt-6 grid gap-3">
      <span className="sr-only">{t("outbox.loading")}</span>
      <Skeleton className="h-[120px] rounded-[18px]!" />
      <Skeleton className="h-[120px] rounded-[18px]!" />
    </div>
  );
}
