/** Throwing a queued action away, after a question: it cannot be brought back. */
import { lazy, Suspense, useState } from "react";
import { useText } from "@/i18n/use-text";
import { whenClient } from "@/state/client-store";
import { Button } from "@/ui/button";

const AlertDialog = lazy(() =>
  import("@/ui/alert-dialog").then((file) => ({ default: file.AlertDialog })),
);

interface DiscardIntentProps {
  intentId: string;
  name: string;
  /** After it is gone, and this button with it. */
  onDiscarded: () => void;
}

export function DiscardIntent({ intentId, name, onDiscarded }: DiscardIntentProps) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  const discard = async () => {
    await (await whenClient()).outbox.discard(intentId);
    onDiscarded();
  };
  return (
    <>
      <Button
        variant="ghost"
        className="px-3! text-muted! hover:text-foreground!"
        data-testid="discard-intent"
        aria-label={t("outbox.discardItem", { name })}
        onClick={() => setAsking(true)}
      >
        {t("app.discard")}
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <AlertDialog
            open
            onOpenChange={setAsking}
            title={t("outbox.discardTitle")}
            description={t("outbox.discardText", { name })}
            cancel={t("app.cancel")}
            action={t("app.discard")}
            onAction={() => void discard()}
          />
        </Suspense>
      )}
    </>
  );
}
