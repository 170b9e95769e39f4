/** A new version: taken when the app comes back from the background, and offered until then. */
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { applyUpdate, updateReady } from "@/state/service-worker";
import { useStorageState } from "@/state/storage";
import { hasUnsentText, useHasUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Prompt } from "@/ui/prompt";

/** After so long in the background nobody notices a reload: the page begins as it was left. */
const AWAY_MS = 30_000;

/** A reload that takes longer to come would meet somebody who goes on. */
const UNNOTICED_MS = 5_000;

/** Something would be lost, or break off. */
const isInUse = (): boolean =>
  hasUnsentText() ||
  document.querySelector("[data-scrim]") !== null ||
  [...document.querySelectorAll("video")].some((film) => !film.paused && !film.muted);

/** Calls back when the app is looked at again, if it is due then. */
function useReturn(isDue: boolean, onReturn: () => void): void {
  const call = useRef(onReturn);
  call.current = onReturn;
  // Outside: whether anybody sees the page.
  useEffect(() => {
    if (!isDue) return;
    let since = document.hidden ? Date.now() : Infinity;
    const look = () => {
      if (document.hidden) since = Date.now();
      else if (Date.now() - since >= AWAY_MS) call.current();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [isDue]);
}

export function UpdatePrompt() {
  const { t } = useTranslation();
  const ready = useSyncExternalStore(updateReady.subscribe, updateReady.getSnapshot);
  const unsent = useHasUnsentText();
  const [later, setLater] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const take = () => {
    setTaken(true);
    void applyUpdate();
  };
  const isKept = useStorageState() === "persistent";
  useReturn(ready && !later && !unsent && !isTaken && isKept, () => {
    const end = Date.now() + UNNOTICED_MS;
    if (!isInUse()) void applyUpdate(() => Date.now() < end && !isInUse());
  });
  if (!ready || later) return null;
  return (
    <Prompt label={t("update.ready")} testId="update-prompt" urgent>
      <p role="status">
        <strong className="block">{t("update.ready")}</strong>
        <span className="text-sm text-muted">{unsent ? t("update.unsent") : t("update.text")}</span>
      </p>
      <div className="mt-3 flex gap-2">
        <Button
          variant="accent"
          disabled={unsent || isTaken}
          data-testid="update-now"
          onClick={take}
        >
          {t("update.reload")}
        </Button>
        <Button variant="ghost" onClick={() => setLater(true)}>
          {t("update.later")}
        </Button>
      </div>
    </Prompt>
  );
}
