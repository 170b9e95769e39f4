/** Offers to install the app, over the gallery, at a good moment (state/install.ts). */
import { Share, SquarePlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router-dom";
import { paths } from "@/domain/paths";
import { answerInstall, type InstallWay, install } from "@/state/install";
import { useProductName } from "@/state/page";
import { Button } from "@/ui/button";
import { Prompt } from "@/ui/prompt";

export function InstallOffer({ way }: { way: NonNullable<InstallWay> }) {
  const { t } = useTranslation();
  const name = useProductName();
  const isGallery = useLocation().pathname === paths.home;
  const [isOver, setOver] = useState(false);
  if (isOver || !isGallery) return null;
  const title = t(way === "by-hand" ? "installing.titleByHand" : "installing.title", { name });
  const refuse = () => {
    answerInstall();
    setOver(true);
  };
  return (
    <Prompt label={title} testId="install-offer" tall={way === "by-hand"}>
      <strong className="block">{title}</strong>
      <p className="text-sm text-muted">
        {t(way === "by-hand" ? "installing.textByHand" : "install.text")}
      </p>
      {way === "by-hand" && <Steps />}
      <div className="mt-3 flex gap-2">
        {way === "asks" && (
          <Button
            variant="accent"
            data-testid="install"
            onClick={() => void install().finally(() => setOver(true))}
          >
            {t("install.action")}
          </Button>
        )}
        <Button variant="ghost" data-testid="install-no" onClick={refuse}>
          {t(way === "asks" ? "installing.no" : "installing.seen")}
        </Button>
      </div>
    </Prompt>
  );
}

/** The two taps on iOS, with the signs that are tapped. */
function Steps() {
  const { t } = useTranslation();
  const steps = [
    { Icon: Share, text: t("installing.share") },
    { Icon: SquarePlus, text: t("installing.add") },
  ];
  return (
    <ol className="mt-3 grid gap-2">
      {steps.map(({ Icon, text }, i) => (
        <li key={text} className="flex items-center gap-3">
          <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-surface text-link">
            <Icon className="size-5" aria-hidden="true" />
          </span>
          <span>{`${i + 1}. ${text}`}</span>
        </li>
      ))}
    </ol>
  );
}
