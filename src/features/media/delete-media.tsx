/** Deleting, after 'Really delete photo?'. */
import { Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { MediaView } from "@/data/client-api";
import { useText } from "@/i18n/use-text";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { useConnection } from "@/state/use-outbox";
import { Button } from "@/ui/button";

const AlertDialog = lazy(() =>
  import("@/ui/alert-dialog").then((file) => ({ default: file.AlertDialog })),
);

export function DeleteMedia({ media, onDeleted }: { media: MediaView; onDeleted: () => void }) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  const offline = useConnection() === "offline";
  const remove = async () => {
    const answer = await (await whenClient()).writes.deleteMedia(media.id);
    if (!answer.success) {
      showToast({ title: { key: "media.deleteFailed" }, variant: "destructive" });
      return;
    }
    showToast({ title: { key: offline ? "media.deleteQueued" : "media.deleted" } });
    onDeleted();
  };
  return (
    <>
      <Button
        variant="ghost"
        className="-mr-3 px-3! text-danger!"
        data-testid="delete-media"
        onClick={() => setAsking(true)}
      >
        <Trash2 aria-hidden="true" />
        {t("media.delete")}
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <AlertDialog
            open
            onOpenChange={setAsking}
            title={t("media.deleteTitle")}
            description={t("media.deleteText")}
            cancel={t("app.cancel")}
            action={t("media.delete")}
            onAction={() => void remove()}
          />
        </Suspense>
      )}
    </>
  );
}
