/**
 * Changing one's password (specification §5): what is missing, too short or not the same twice does silently nothing; what is
 * asked for stands above. The server's no is told.
 */
import { type FormEvent, useState } from "react";
import { PASSWORD_MIN_CHANGE } from "@/domain/limits";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { updatePassword } from "@/state/account";
import { showToast } from "@/state/toasts";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Panel } from "@/ui/panel";
import { useFocusFirstFault } from "@/ui/use-focus-first-fault";
import { type AccountFaults, accountFaults, NO_FAULTS } from "./account-faults";
import { PasswordInput } from "./password-input";

interface Typed {
  current: string;
  next: string;
  confirmation: string;
}

const NOTHING: Typed = { current: "", next: "", confirmation: "" };

const FIELDS: readonly { name: keyof Typed; label: TextKey; autoComplete: string }[] = [
  { name: "current", label: "account.currentPassword", autoComplete: "current-password" },
  { name: "next", label: "account.newPassword", autoComplete: "new-password" },
  { name: "confirmation", label: "account.confirmPassword", autoComplete: "new-password" },
];

export function ChangePassword({ email }: { email: string }) {
  const { t } = useText();
  const [typed, setTyped] = useState(NOTHING);
  const [faults, setFaults] = useState<AccountFaults>(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  const { form, focusFirstFault } = useFocusFirstFault();
  const submit = async () => {
    const { current, next, confirmation } = typed;
    if (current === "" || next.length < PASSWORD_MIN_CHANGE || next !== confirmation) return;
    setBusy(true);
    const answer = await updatePassword(current, next, confirmation);
    setBusy(false);
    setFaults(answer.success ? NO_FAULTS : accountFaults(answer));
    if (!answer.success) return focusFirstFault();
    setTyped(NOTHING);
    showToast({ title: { key: "account.passwordSaved" } });
  };
  return (
    <Panel id="change-password" title={t("account.password")} text={t("account.passwordText")}>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        {/* Tells a password manager whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {FIELDS.map(({ name, label, autoComplete }) => (
          <Field
            key={name}
            label={t(label)}
            error={name === "current" && faults.password && <Say k={errorKey(faults.password)} />}
          >
            {(control) => (
              <PasswordInput
                {...control}
                autoComplete={autoComplete}
                data-testid={`password-${name}`}
                value={typed[name]}
                onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <div>
          <Button type="submit" disabled={busy} data-testid="save-password">
            {busy ? t("account.busy") : t("account.savePassword")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
