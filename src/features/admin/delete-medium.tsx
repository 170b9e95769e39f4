/** Asks before a medium of anybody's is deleted, and tells what became of it in German (specification §8). */
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { AlertDialog } from "@/ui/alert-dialog";
import { useKept } from "@/ui/use-kept";
import { useAct } from "./use-act";

interface DeleteMediumProps {
  doomed: { id: string } | null;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

export function DeleteMedium({ doomed, onClose, onDeleted }: DeleteMediumProps) {
  const { t } = useText();
  const { act } = useAct();
  const media = useKept(doomed);
  if (media === null) return null;
  const remove = async () => {
    const done = await act({
      target: media.id,
      run: (admin) => admin.deleteMedia(media.id),
      done: "admin.media.deleted",
      failed: "admin.media.deleteFailed",
      titles: { done: "admin.erfolg", failed: "admin.fehler" },
    });
    if (done) onDeleted(media.id);
  };
  return (
    <AlertDialog
      open={doomed !== null}
      onOpenChange={(open) => !open && onClose()}
      title={<Say k="admin.media.deleteTitle" />}
      description={t("admin.media.deleteText")}
      cancel={t("app.cancel")}
      action={<Say k="admin.media.delete" />}
      onAction={() => void remove()}
    />
  );
}
