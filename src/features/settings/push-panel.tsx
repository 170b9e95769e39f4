/** Notifications of this device: on and off, what about, and when not. A chunk of its own. */
import { Bell, BellOff } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PushState, PushWish } from "@/data/push/push-client";
import { PUSH_KINDS, type QuietHours } from "@/domain/push";
import { createSerialQueue } from "@/lib/serial-queue";
import { whenClient } from "@/state/client-store";
import { showFailure } from "@/state/toasts";
import { type Query, useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { TextField } from "@/ui/field";
import { Skeleton } from "@/ui/loading";
import { Panel } from "@/ui/panel";

const NIGHT = { from: "22:00", to: "07:00" };

/** The clock of this device. */
const nightHere = (): QuietHours => ({
  ...NIGHT,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export function PushPanel() {
  const { t } = useTranslation();
  const asking = useQuery("push", (client) => client.push.read());
  const { now, reload } = asking;
  if (now.state === "ready" && now.value.publicKey === null) return null;
  return (
    <Panel id="push" title={t("account.notes")} text={t("push.text")}>
      {now.state === "loading" && <Skeleton className="h-11 w-56" />}
      {now.state === "failed" && now.code === "network" && (
        <p className="text-sm text-muted">{t("account.notesOffline")}</p>
      )}
      {now.state === "failed" && now.code !== "network" && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="text-sm text-muted">{t("push.unknown")}</p>
          <Button onClick={reload}>{t("app.tryAgain")}</Button>
        </div>
      )}
      {now.state === "ready" && <Choice asking={asking} state={now.value} />}
    </Panel>
  );
}

function usePushChange({ change, reload }: Query<PushState>, { publicKey }: PushState) {
  const [busy, setBusy] = useState(false);
  const [denied, setDenied] = useState(Notification.permission === "denied");
  const [inTurn] = useState(createSerialQueue);
  const latest = useRef<PushWish | null>(null);
  const send = async (wish: PushWish | null) => {
    // A later one has been chosen meanwhile.
    if (latest.current !== wish) return;
    const { push } = await whenClient();
    const isOff = wish === null || wish.kinds.length === 0;
    const done = await (isOff ? push.stop() : push.want(publicKey ?? "", wish));
    setDenied(Notification.permission === "denied");
    if (done.success) return;
    if (done.error !== "forbidden") showFailure("push.failed");
    reload();
  };
  const set = async (wish: PushWish | null) => {
    latest.current = wish;
    change((state) => ({ ...state, wish }));
    setBusy(true);
    await inTurn(() => send(wish));
    setBusy(false);
  };
  return { busy, denied, set };
}

function Choice({ asking, state }: { asking: Query<PushState>; state: PushState }) {
  const { t } = useTranslation();
  const { busy, denied, set } = usePushChange(asking, state);
  const { wish } = state;
  if (denied) return <p className="text-sm text-muted">{t("push.denied")}</p>;
  if (wish === null || wish.kinds.length === 0) {
    return (
      <div>
        <Button
          disabled={busy}
          data-testid="push-on"
          onClick={() => void set({ kinds: [...PUSH_KINDS], quiet: null })}
        >
          <Bell aria-hidden="true" />
          {t("push.on")}
        </Button>
      </div>
    );
  }
  return (
    <>
      <Kinds wish={wish} onChange={(next) => void set(next)} />
      <Quiet wish={wish} onChange={(next) => void set(next)} />
      <div>
        <Button disabled={busy} data-testid="push-off" onClick={() => void set(null)}>
          <BellOff aria-hidden="true" />
          {t("push.off")}
        </Button>
      </div>
    </>
  );
}

interface WishProps {
  wish: PushWish;
  onChange: (wish: PushWish) => void;
}

function Kinds({ wish, onChange }: WishProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="border-0 p-0">
      <legend className="text-sm font-semibold">{t("push.about")}</legend>
      {PUSH_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          checked={wish.kinds.includes(kind)}
          testId={`push-${kind}`}
          onChange={(on) => {
            const kinds = PUSH_KINDS.filter((one) =>
              one === kind ? on : wish.kinds.includes(one),
            );
            onChange({ ...wish, kinds });
          }}
        >
          {t(`push.kinds.${kind}`)}
        </Checkbox>
      ))}
    </fieldset>
  );
}

function Quiet({ wish, onChange }: WishProps) {
  const { t } = useTranslation();
  const { quiet } = wish;
  return (
    <div>
      <Checkbox
        checked={quiet !== null}
        testId="push-quiet"
        onChange={(on) => onChange({ ...wish, quiet: on ? nightHere() : null })}
      >
        {t("push.quiet")}
        <span className="block text-[0.8125rem] text-muted">{t("push.quietText")}</span>
      </Checkbox>
      {quiet !== null && (
        <div className="mt-2 flex flex-wrap gap-3">
          {(["from", "to"] as const).map((end) => (
            <Clock
              key={end}
              label={t(`push.${end}`)}
              testId={`push-${end}`}
              stored={quiet[end]}
              other={quiet[end === "from" ? "to" : "from"]}
              onTime={(time) =>
                onChange({ ...wish, quiet: { ...quiet, zone: nightHere().zone, [end]: time } })
              }
            />
          ))}
        </div>
      )}
    </div>
  );
}

interface ClockProps {
  label: string;
  testId: string;
  stored: string;
  /** The other end, which this cannot be. */
  other: string;
  onTime: (time: string) => void;
}

/** Stored once it is left: while it is typed it goes through times that nobody means. */
function Clock({ label, testId, stored, other, onTime }: ClockProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(stored);
  return (
    <TextField
      type="time"
      label={label}
      data-testid={testId}
      value={typed}
      error={typed === other && t("push.sameTime")}
      onValue={setTyped}
      onBlur={() => {
        if (typed === "") setTyped(stored);
        else if (typed !== stored && typed !== other) onTime(typed);
      }}
    />
  );
}
