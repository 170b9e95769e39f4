/** Blocking, after a question. Afterwards a notice, and home (specification §4, Block). */
import { useNavigate } from "react-router-dom";
import type { ProfileView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { setBlocked } from "@/state/people";
import { showToast } from "@/state/toasts";
import { AlertDialog } from "@/ui/alert-dialog";

export function BlockPerson({ person, onClose }: { person: ProfileView; onClose: () => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const name = person.username;
  const block = async () => {
    const kept = await setBlocked(person.id, true);
    if (!kept.success) return;
    showToast({ title: { key: "people.blocked", params: { name } } });
    await navigate(paths.home);
  };
  return (
    <AlertDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t("people.blockTitle", { name })}
      description={t("people.blockText")}
      cancel={t("app.cancel")}
      action={t("people.block")}
      onAction={() => void block()}
    />
  );
}
