/** Changing one's address, with the current password (specification §5, "Email change"). */
import { type FormEvent, useState } from "react";
import { emailFault } from "@/domain/accounts";
import type { ErrorCode } from "@/domain/error-codes";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { updateEmail } from "@/state/account";
import { showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Input } from "@/ui/input";
import { Panel } from "@/ui/panel";
import { useFocusFirstFault } from "@/ui/use-focus-first-fault";
import { type AccountFaults, accountFaults, NO_FAULTS } from "./account-faults";
import { PasswordInput } from "./password-input";

function typedFaults(email: string, password: string): AccountFaults {
  const fault: ErrorCode | null = emailFault(email);
  return {
    ...(fault === null ? {} : { email: fault }),
    ...(password === "" ? { password: "password_required" as const } : {}),
  };
}

export function ChangeEmail({ email: now }: { email: string }) {
  const { t } = useText();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [faults, setFaults] = useState<AccountFaults>(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  const { form, focusFirstFault } = useFocusFirstFault();
  useUnsentText(email !== "");
  const submit = async () => {
    const wrong = typedFaults(email, password);
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) return focusFirstFault();
    setBusy(true);
    const answer = await updateEmail(email, password);
    setBusy(false);
    if (!answer.success) {
      setFaults(accountFaults(answer));
      return focusFirstFault();
    }
    // What was typed meanwhile stays.
    setEmail((typed) => (typed === email ? "" : typed));
    setPassword((typed) => (typed === password ? "" : typed));
    showToast({ title: { key: "account.emailSaved", params: { email: answer.value.email } } });
  };
  return (
    <Panel
      id="change-email"
      title={t("account.email")}
      text={t("account.emailNow", { email: now })}
    >
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        <Field
          label={t("account.newEmail")}
          error={faults.email && <Say k={errorKey(faults.email)} />}
        >
          {(control) => (
            <Input
              {...control}
              type="email"
              inputMode="email"
              autoComplete="email"
              data-testid="new-email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t("account.currentPassword")}
          error={faults.password && <Say k={errorKey(faults.password)} />}
        >
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              data-testid="email-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" disabled={busy} data-testid="save-email">
            {busy ? t("account.busy") : t("account.saveEmail")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
