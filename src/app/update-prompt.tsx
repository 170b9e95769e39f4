/** Says that a new version is ready, and starts it when asked; never over text that was not sent. */
import { useState, useSyncExternalStore } from "react";
import { useText } from "@/i18n/use-text";
import { applyUpdate, updateReady } from "@/state/service-worker";
import { useHasUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";

export function UpdatePrompt() {
  const { t } = useText();
  const ready = useSyncExternalStore(updateReady.subscribe, updateReady.getSnapshot);
  const unsent = useHasUnsentText();
  const [later, setLater] = useState(false);
  if (!ready || later) return null;
  return (
    <section
      aria-label={t("update.ready")}
      data-testid="update-prompt"
      className="fixed inset-x-4 bottom-[calc(16px+env(safe-area-inset-bottom))] z-30 mx-auto max-w-[420px] rounded-[20px] border border-line bg-raised p-4 shadow-float animate-rise"
    >
      <p role="status">
        <strong className="block">{t("update.ready")}</strong>
        <span className="text-sm text-muted">{unsent ? t("update.unsent") : t("update.text")}</span>
      </p>
      <div className="mt-3 flex gap-2">
        <Button variant="accent" disabled={unsent} data-testid="update-now" onClick={applyUpdate}>
          {t("update.reload")}
        </Button>
        <Button variant="ghost" onClick={() => setLater(true)}>
          {t("update.later")}
        </Button>
      </div>
    </section>
  );
}
