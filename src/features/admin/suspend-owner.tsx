/** Suspends whoever owns a reported medium. */
import type { AdminReport } from "@/data/admin/admin-client";
import { useText } from "@/i18n/use-text";
import { AlertDialog } from "@/ui/alert-dialog";
import { useKept } from "@/ui/use-kept";
import { useAct } from "./use-act";

interface SuspendOwnerProps {
  report: AdminReport | null;
  onClose: () => void;
  onSuspended: (ownerId: string) => void;
}

export function SuspendOwner({ report, onClose, onSuspended }: SuspendOwnerProps) {
  const { t } = useText();
  const { act } = useAct();
  const shown = useKept(report);
  if (shown === null) return null;
  const { ownerId, ownerUsername } = shown;
  const suspend = async () => {
    const done = await act({
      target: ownerId,
      run: (admin) => admin.setSuspended(ownerId, true),
      done: "admin.users.suspendedDone",
      failed: "admin.users.suspendFailed",
      failedBy: { last_admin: "admin.users.lastAdmin" },
    });
    if (done) onSuspended(ownerId);
  };
  return (
    <AlertDialog
      open={report !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t("admin.users.suspendTitle", { name: ownerUsername })}
      description={t("admin.users.suspendText")}
      cancel={t("app.cancel")}
      action={t("admin.users.suspend")}
      onAction={() => void suspend()}
    />
  );
}
