/** Asks once, after the first message or comment (state/push-offer.ts). */
import { Bell } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router-dom";
import { paths } from "@/domain/paths";
import { PUSH_KINDS } from "@/domain/push";
import { whenClient } from "@/state/client-store";
import { answerPushOffer } from "@/state/push-offer";
import { showFailure, showToast } from "@/state/toasts";
import { useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { Prompt } from "@/ui/prompt";

/** @param otherwise where this server sends none, and on other pages than gallery and chats */
export function PushOffer({ otherwise }: { otherwise: ReactNode }) {
  const { t } = useTranslation();
  const { now } = useQuery("push", (client) => client.push.read());
  const { pathname } = useLocation();
  const [isBusy, setBusy] = useState(false);
  const publicKey = now.state === "ready" ? now.value.publicKey : null;
  const isHere = pathname === paths.home || pathname === paths.chats;
  if (now.state === "loading") return null;
  if (publicKey === null || !isHere) return otherwise;
  const accept = async () => {
    setBusy(true);
    const { push } = await whenClient();
    const done = await push.want(publicKey, { kinds: [...PUSH_KINDS], quiet: null });
    setBusy(false);
    if (done.success) showToast({ title: { key: "push.isOn" } });
    else if (done.error !== "forbidden") return showFailure("push.failed");
    answerPushOffer();
  };
  return (
    <Prompt label={t("push.offer")} testId="push-offer">
      <strong className="block">{t("push.offer")}</strong>
      <p className="text-sm text-muted">{t("push.offerText")}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="accent"
          disabled={isBusy}
          data-testid="push-offer-yes"
          onClick={() => void accept()}
        >
          <Bell aria-hidden="true" />
          {t("push.yes")}
        </Button>
        <Button variant="ghost" data-testid="push-offer-no" onClick={answerPushOffer}>
          {t("push.no")}
        </Button>
      </div>
    </Prompt>
  );
}
