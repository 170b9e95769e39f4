/** Signing out, here or everywhere. */
import { LogOut } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useText } from "@/i18n/use-text";
import { endSessions, useSignOut } from "@/state/account";
import { showToast } from "@/state/toasts";
import { Button } from "@/ui/button";
import { Panel } from "@/ui/panel";
import { SignOutDialog } from "./sign-out-dialog";

const AlertDialog = lazy(() =>
  import("@/ui/alert-dialog").then((file) => ({ default: file.AlertDialog })),
);

export function SessionPanel() {
  const { t } = useText();
  const [asking, setAsking] = useState<"none" | "queue" | "everywhere">("none");
  const opener = useRef<HTMLButtonElement>(null);
  const { waiting, signOut } = useSignOut();
  const leave = () => (waiting > 0 ? setAsking("queue") : void signOut("discard"));
  const leaveEverywhere = async () => {
    const ended = await endSessions();
    if (ended.success) return leave();
    showToast({ title: { key: "account.everywhereFailed" }, variant: "destructive" });
  };
  const close = (open: boolean) => open || setAsking("none");
  return (
    <Panel id="session" title={t("account.session")} text={t("account.sessionText")}>
      <div className="flex flex-wrap gap-2">
        <Button ref={opener} data-testid="sign-out" onClick={leave}>
          <LogOut aria-hidden="true" />
          {t("account.signOut")}
        </Button>
        <Button data-testid="sign-out-everywhere" onClick={() => setAsking("everywhere")}>
          {t("account.everywhere")}
        </Button>
      </div>
      <SignOutDialog open={asking === "queue"} onOpenChange={close} returnFocus={opener} />
      {asking === "everywhere" && (
        <Suspense fallback={null}>
          <AlertDialog
            open
            onOpenChange={close}
            title={t("account.everywhereTitle")}
            description={t("account.everywhereText")}
            cancel={t("app.cancel")}
            action={t("account.everywhere")}
            onAction={() => void leaveEverywhere()}
          />
        </Suspense>
      )}
    </Panel>
  );
}
