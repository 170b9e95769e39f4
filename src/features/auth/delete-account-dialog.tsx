/** Asks for the password before the account is deleted, and lists what is deleted and kept. */
import { useTranslation } from "react-i18next";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { deleteAccount } from "@/state/account";
import { showToast } from "@/state/toasts";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { accountFaults, PasswordField } from "./form-parts";
import { type Faults, useForm } from "./use-form";

const NO_PASSWORD = { password: "" };

const GOES: readonly TextKey[] = [
  "leaving.profile",
  "leaving.media",
  "leaving.words",
  "leaving.people",
  "leaving.device",
];
const STAYS: readonly TextKey[] = ["leaving.chats", "leaving.reports"];

export interface DeleteAccountProps {
  /** Called with true before the request, and with false when the account was not deleted. */
  onDeleting: (on: boolean) => void;
  onDeleted: () => void;
  /** The server rejects this session: sign in first. */
  onReauth: () => void;
}

export function DeleteAccountDialog(props: DeleteAccountProps & { onClose: () => void }) {
  const { onClose, onDeleting, onDeleted, onReauth } = props;
  const { t } = useTranslation();
  const { text, busy, form } = useForm({
    initial: NO_PASSWORD,
    check: ({ password }): Faults<typeof NO_PASSWORD> =>
      password === "" ? { password: errorKey("password_required") } : {},
    async send({ password }) {
      onDeleting(true);
      const answer = await deleteAccount(password);
      if (answer.success) {
        showToast({ title: { key: "account.deleted" } });
        onDeleted();
        return {};
      }
      onDeleting(false);
      if (!answer.requiresReauth) return accountFaults(answer);
      onReauth();
      return {};
    },
  });
  return (
    <Dialog
      onClose={() => busy || onClose()}
      title={t("leaving.title")}
      description={t("account.dangerText")}
    >
      <form {...form} className="grid gap-4" data-testid="delete-account-form">
        <Points title={t("leaving.goes")} points={GOES} />
        <Points title={t("leaving.stays")} points={STAYS} />
        <PasswordField
          label={t("account.currentPassword")}
          autoComplete="current-password"
          data-testid="delete-password"
          {...text("password")}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={busy} onClick={onClose}>
            {t("app.cancel")}
          </Button>
          <Button type="submit" variant="danger" disabled={busy} data-testid="confirm-delete">
            {busy ? t("account.busy") : t("account.delete")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Points({ title, points }: { title: string; points: readonly TextKey[] }) {
  const { t } = useTranslation();
  return (
    <div className="text-[0.9375rem]">
      <p className="font-semibold">{title}</p>
      <ul className="mt-1 list-disc ps-5 text-muted">
        {points.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
    </div>
  );
}
