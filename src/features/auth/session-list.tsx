/** Where the account is signed in, and the ways out of another device and of all others. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { DeviceSession } from "@/data/account/sessions";
import type { Client } from "@/data/client";
import type { Result } from "@/domain/result";
import { momentParams } from "@/i18n/formats";
import type { Text } from "@/i18n/keys";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import { type Query, useQuery } from "@/state/use-query";
import { useAsk } from "@/ui/ask-first";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/loading";
import { isUnreached } from "./form-parts";

export function SessionList() {
  const { t } = useTranslation();
  const { ask, dialog } = useAsk();
  const sessions = useQuery("sessions", (client) => client.sessions.list());
  const end = async (send: (client: Client) => Promise<Result<null>>, done: Text) => {
    const ended = await send(await whenClient());
    if (ended.success) showToast({ title: done });
    else showFailure("sessions.endFailed");
    sessions.reload();
  };
  const askOne = (session: DeviceSession) => {
    const device = deviceText(t, session.device);
    ask({
      title: t("sessions.endTitle", { device }),
      description: t("sessions.endText"),
      action: t("sessions.end"),
      onAction: () =>
        void end((client) => client.sessions.end(session.id), {
          key: "sessions.ended",
          params: { device },
        }),
    });
  };
  const askOthers = () =>
    ask({
      title: t("sessions.othersTitle"),
      description: t("sessions.endText"),
      action: t("sessions.others"),
      onAction: () =>
        void end((client) => client.sessions.endOthers(), { key: "sessions.othersEnded" }),
    });
  return (
    <>
      <Sessions sessions={sessions} onEnd={askOne} />
      <div className="flex">
        <Button data-testid="sign-out-everywhere" onClick={askOthers}>
          {t("sessions.others")}
        </Button>
      </div>
      {dialog}
    </>
  );
}

/** "Chrome on Android", as the server words it (domain/accounts), in the language that is read. */
function deviceText(t: TFunction, words: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(words) ?? [];
  if (browser === undefined || system === undefined) return words;
  return t("sessions.deviceOn", { browser, system });
}

interface SessionsProps {
  sessions: Query<DeviceSession[]>;
  onEnd: (session: DeviceSession) => void;
}

function Sessions({ sessions: { now, reload }, onEnd }: SessionsProps) {
  const { t } = useTranslation();
  if (now.state === "loading") return <Skeleton className="h-14" />;
  if (now.state === "failed" && isUnreached(now.code)) {
    return <p className="text-sm text-muted">{t("account.sessionsOffline")}</p>;
  }
  if (now.state === "failed") {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <p className="text-sm text-muted">{t("sessions.failed")}</p>
        <Button onClick={reload}>{t("app.tryAgain")}</Button>
      </div>
    );
  }
  if (now.value.length === 0) {
    return <p className="text-sm text-muted">{t("sessions.none")}</p>;
  }
  return (
    <ul className="grid gap-3" data-testid="sessions">
      {now.value.map((session) => (
        <SessionRow key={session.id} session={session} onEnd={() => onEnd(session)} />
      ))}
    </ul>
  );
}

function SessionRow({ session, onEnd }: { session: DeviceSession; onEnd: () => void }) {
  const { t, i18n } = useTranslation();
  const { since, lastSeen, isThis } = session;
  const device = deviceText(t, session.device);
  const seen = momentParams(lastSeen, i18n.language);
  return (
    <li className="flex items-center justify-between gap-3" data-session={session.id}>
      <div className="min-w-0">
        <p className="font-semibold break-words">{device}</p>
        <p className="text-[0.8125rem] text-muted text-pretty">
          {isThis && (
            <strong className="block font-semibold text-foreground">{t("sessions.this")}</strong>
          )}
          {t("sessions.times", { since: momentParams(since, i18n.language).date, ...seen })}
        </p>
      </div>
      {!isThis && (
        <Button
          aria-label={t("sessions.endTitle", { device })}
          data-testid="end-session"
          onClick={onEnd}
        >
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}
