/** Asks for the password, and says plainly what goes and what stays. */
import { type FormEvent, useState } from "react";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { deleteAccount } from "@/state/account";
import { showToast } from "@/state/toasts";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field, useFocusFirstFault } from "@/ui/field";
import { type AccountFaults, accountFaults, NO_FAULTS, PasswordInput } from "./form-parts";

const GOES: readonly TextKey[] = [
  "account.goesProfile",
  "account.goesMedia",
  "account.goesWords",
  "account.goesPeople",
  "account.goesDevice",
];
const STAYS: readonly TextKey[] = ["account.staysChats", "account.staysReports"];

export interface DeleteAccountProps {
  /** Before the session may end with the account, and again with false when it did not. */
  onDeleting: (on: boolean) => void;
  onDeleted: () => void;
  /** The server no longer takes this session: sign in first. */
  onReauth: () => void;
}

interface DeleteAccountDialogProps extends DeleteAccountProps {
  onClose: () => void;
}

export function DeleteAccountDialog({
  onClose,
  onDeleting,
  onDeleted,
  onReauth,
}: DeleteAccountDialogProps) {
  const { t } = useText();
  const [password, setPassword] = useState("");
  const [faults, setFaults] = useState<AccountFaults>(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  const { form, focusFirstFault } = useFocusFirstFault();
  const remove = async () => {
    if (password === "") {
      setFaults({ password: "password_required" });
      return focusFirstFault();
    }
    setBusy(true);
    onDeleting(true);
    const answer = await deleteAccount(password);
    setBusy(false);
    if (answer.success) {
      showToast({ title: { key: "account.deleted" } });
      return onDeleted();
    }
    onDeleting(false);
    if (answer.requiresReauth) return onReauth();
    setFaults(accountFaults(answer));
    focusFirstFault();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || busy || onClose()}
      title={t("account.deleteTitle")}
      description={t("account.dangerText")}
    >
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        data-testid="delete-account-form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!busy) void remove();
        }}
      >
        <Points title={t("account.deleteGoes")} points={GOES} />
        <Points title={t("account.deleteStays")} points={STAYS} />
        <Field
          label={t("account.currentPassword")}
          error={faults.password && <Say k={errorKey(faults.password)} />}
        >
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              data-testid="delete-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={busy} onClick={onClose}>
            {t("app.cancel")}
          </Button>
          <Button type="submit" variant="danger" disabled={busy} data-testid="confirm-delete">
            {busy ? t("account.busy") : t("account.deleteConfirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Points({ title, points }: { title: string; points: readonly TextKey[] }) {
  const { t } = useText();
  return (
    <div className="text-[15px]">
      <p className="font-semibold">{title}</p>
      <ul className="mt-1 list-disc pl-5 text-muted">
        {points.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
    </div>
  );
}
