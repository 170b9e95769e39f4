/** Deleting, after 'Really delete photo?'. */
import { Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { MediaView } from "@/data/client-api";
import { useText } from "@/i18n/use-text";
import { deleteMedia } from "@/state/delete-media";
import { Button } from "@/ui/button";

const AlertDialog = lazy(() =>
  import("@/ui/alert-dialog").then((file) => ({ default: file.AlertDialog })),
);

export function DeleteMedia({ media, onDeleted }: { media: MediaView; onDeleted: () => void }) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    if (await deleteMedia(media.id)) onDeleted();
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
