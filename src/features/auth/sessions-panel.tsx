/** Where the account is signed in, and the way out of this device. */
import { LogOut } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadOnlineTexts } from "@/i18n/setup";
import { useSignOut } from "@/state/account";
import { useConnection } from "@/state/outbox";
import { Button } from "@/ui/button";
import { lazily } from "@/ui/lazily";
import { Skeleton } from "@/ui/loading";
import { Panel } from "@/ui/panel";
import { SignOutDialog } from "./sign-out-dialog";

/** With its texts, and kept by no device that has not asked for it: it needs the server anyway. */
const SessionList = lazily(
  async () => {
    const [file] = await Promise.all([import("./session-list"), loadOnlineTexts()]);
    return { SessionList: file.SessionList };
  },
  "SessionList",
  () => <Skeleton className="h-14" />,
);

export function SessionsPanel() {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { waiting, signOut } = useSignOut();
  const isOffline = useConnection() === "offline";
  const leave = () => (waiting > 0 ? setLeaving(true) : void signOut("discard"));
  return (
    <Panel id="session" title={t("account.session")} text={t("account.sessionText")}>
      {isOffline && !SessionList.isWarm() ? (
        <p className="text-sm text-muted">{t("account.sessionsOffline")}</p>
      ) : (
        <SessionList />
      )}
      <div className="flex">
        <Button ref={opener} data-testid="sign-out" onClick={leave}>
          <LogOut aria-hidden="true" />
          {t("account.signOut")}
        </Button>
      </div>
      <SignOutDialog open={leaving} onClose={() => setLeaving(false)} returnFocus={opener} />
    </Panel>
  );
}
