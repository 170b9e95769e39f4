/** Asked when something is queued: send it first, keep it sealed for this person, or discard it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSignOut } from "@/state/account";
import { Button } from "@/ui/button";
import { Dialog, type DialogFrame } from "@/ui/dialog";

export function SignOutDialog(props: DialogFrame & { open: boolean }) {
  const { onClose } = props;
  const { t } = useTranslation();
  const { waiting, signOut, sendFirst } = useSignOut();
  const [trial, setTrial] = useState<"none" | "sending" | "tried">("none");
  const leave = async (queue: "keep" | "discard") => {
    if (await signOut(queue)) onClose();
  };
  const send = async () => {
    setTrial("sending");
    await sendFirst();
    setTrial("tried");
  };
  return (
    <Dialog
      {...props}
      title={t("auth.logoutTitle")}
      description={t("auth.logoutText", { count: waiting })}
    >
      {trial === "tried" && waiting > 0 && (
        <p role="status" className="text-sm text-muted">
          {t("auth.stillWaiting")}
        </p>
      )}
      <div className="grid gap-2" data-testid="sign-out-dialog">
        {waiting > 0 ? (
          <>
            <Button
              variant="accent"
              data-testid="send-first"
              disabled={trial === "sending"}
              onClick={() => void send()}
            >
              {trial === "sending" ? t("auth.sendingFirst") : t("auth.sendFirst")}
            </Button>
            <Button data-testid="sign-out-keep" onClick={() => void leave("keep")}>
              {t("auth.keepForMe")}
            </Button>
            <Button
              variant="danger"
              data-testid="sign-out-discard"
              onClick={() => void leave("discard")}
            >
              {t("auth.discardAndLogout")}
            </Button>
          </>
        ) : (
          <Button variant="accent" data-testid="sign-out-now" onClick={() => void leave("discard")}>
            {t("nav.logout")}
          </Button>
        )}
        <Button variant="ghost" onClick={onClose}>
          {t("auth.stay")}
        </Button>
      </div>
    </Dialog>
  );
}
