/** What an admin does to an account, asked before: rights, and suspension. */
import type { AdminUser } from "@/data/admin/admin-client";
import type { TextKey } from "@/i18n/keys";
import { useText } from "@/i18n/use-text";
import { AlertDialog } from "@/ui/alert-dialog";
import { useKept } from "@/ui/use-kept";
import { useAct } from "./use-act";

export type UserActKind = "makeAdmin" | "removeAdmin" | "suspend" | "unsuspend";
export interface UserAct {
  kind: UserActKind;
  user: AdminUser;
}

interface ActWords {
  title: TextKey;
  text: TextKey;
  action: TextKey;
  done: TextKey;
  failed: TextKey;
  change: Partial<Pick<AdminUser, "isAdmin" | "isBlocked">>;
}

const ACTS: Record<UserActKind, ActWords> = {
  makeAdmin: {
    title: "admin.users.makeTitle",
    text: "admin.users.makeText",
    action: "admin.users.makeAdmin",
    done: "admin.users.promoted",
    failed: "admin.users.adminFailed",
    change: { isAdmin: true },
  },
  removeAdmin: {
    title: "admin.users.removeTitle",
    text: "admin.users.removeText",
    action: "admin.users.removeAdmin",
    done: "admin.users.demoted",
    failed: "admin.users.adminFailed",
    change: { isAdmin: false },
  },
  suspend: {
    title: "admin.users.suspendTitle",
    text: "admin.users.suspendText",
    action: "admin.users.suspend",
    done: "admin.users.suspendedDone",
    failed: "admin.users.suspendFailed",
    change: { isBlocked: true },
  },
  unsuspend: {
    title: "admin.users.unsuspendTitle",
    text: "admin.users.unsuspendText",
    action: "admin.users.unsuspend",
    done: "admin.users.unsuspendedDone",
    failed: "admin.users.suspendFailed",
    change: { isBlocked: false },
  },
};

interface UserActDialogProps {
  act: UserAct | null;
  isOwn: boolean;
  onClose: () => void;
  onChanged: (user: AdminUser) => void;
}

export function UserActDialog({ act, isOwn, onClose, onChanged }: UserActDialogProps) {
  const { t } = useText();
  const { act: run } = useAct();
  // The dialog asks to the end what it began with, also while it closes.
  const shown = useKept(act);
  if (shown === null) return null;
  const { kind, user } = shown;
  const words = ACTS[kind];
  const isOwnRemoval = isOwn && kind === "removeAdmin";
  const perform = async () => {
    const { isAdmin, isBlocked } = words.change;
    const done = await run({
      target: user.id,
      run: (admin) =>
        isAdmin === undefined
          ? admin.setSuspended(user.id, isBlocked === true)
          : admin.setAdmin(user.id, isAdmin),
      done: words.done,
      failed: words.failed,
      failedBy: { last_admin: "admin.users.lastAdmin" },
    });
    if (done) onChanged({ ...user, ...words.change });
  };
  return (
    <AlertDialog
      open={act !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t(words.title, { name: user.username })}
      description={t(isOwnRemoval ? "admin.users.removeSelfText" : words.text)}
      cancel={t("app.cancel")}
      action={t(words.action)}
      onAction={() => void perform()}
    />
  );
}
