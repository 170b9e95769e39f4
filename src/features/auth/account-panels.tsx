/** The panels of the account in the profile's settings: e-mail, password, deletion. */
import { ShieldCheck, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { emailFault } from "@/domain/accounts";
import { PASSWORD_MIN_CHANGE } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { errorKey } from "@/i18n/error-text";
import { loadOnlineTexts } from "@/i18n/setup";
import { isCommon } from "@/state/account";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import { useQuery } from "@/state/use-query";
import { Button, buttonClasses } from "@/ui/button";
import { Panel } from "@/ui/panel";
import type { DeleteAccountDialog, DeleteAccountProps } from "./delete-account-dialog";
import { accountFaults, EmailField, PasswordField } from "./form-parts";
import { type Faults, useForm } from "./use-form";

/** A notice, not a wall: it may be put off until Settings open again. */
export function ConfirmAddress({ email }: { email: string }) {
  const { t } = useTranslation();
  const { now } = useQuery(`mail ${email}`, (client) => client.mail.state());
  const [busy, setBusy] = useState(false);
  const [later, setLater] = useState("");
  if (later === email || now.state !== "ready" || !now.value.mail || now.value.verified)
    return null;
  const send = async () => {
    setBusy(true);
    const sent = await (await whenClient()).mail.requestVerification();
    setBusy(false);
    if (sent.success) showToast({ title: { key: "account.confirmSent" } });
    else accountFaults(sent);
  };
  return (
    <Panel
      id="confirm-address"
      title={t("account.confirmTitle")}
      text={
        <>
          {t("account.confirmText", { email })} {now.value.required && t("account.confirmRequired")}
        </>
      }
    >
      <div className="flex flex-wrap gap-2">
        <Button disabled={busy} data-testid="confirm-again" onClick={() => void send()}>
          {t("account.confirmAgain")}
        </Button>
        <Button variant="ghost" data-testid="confirm-later" onClick={() => setLater(email)}>
          {t("account.confirmLater")}
        </Button>
      </div>
    </Panel>
  );
}

const NO_EMAIL = { email: "", password: "" };

export function ChangeEmail({ email: current }: { email: string }) {
  const { t } = useTranslation();
  const { text, busy, form } = useEmailForm();
  return (
    <Panel
      id="change-email"
      title={t("account.email")}
      text={t("account.emailNow", { email: current })}
    >
      <form {...form} className="grid gap-4">
        <EmailField
          label={t("account.newEmail")}
          autoComplete="email"
          data-testid="new-email"
          {...text("email")}
        />
        <PasswordField
          label={t("account.currentPassword")}
          autoComplete="current-password"
          data-testid="email-password"
          {...text("password")}
        />
        <div>
          <Button type="submit" disabled={busy} data-testid="save-email">
            {busy ? t("account.busy") : t("account.email")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function useEmailForm() {
  return useForm({
    initial: NO_EMAIL,
    check({ email, password }) {
      const faults: Faults<typeof NO_EMAIL> = {};
      const fault = emailFault(email);
      if (fault !== null) faults.email = errorKey(fault);
      if (password === "") faults.password = errorKey("password_required");
      return faults;
    },
    async send({ email, password }, clear) {
      const answer = await (await whenClient()).auth.updateEmail(email, password);
      if (!answer.success) return accountFaults(answer);
      clear();
      showToast({ title: { key: "account.emailSaved", params: { email: answer.value.email } } });
      return {};
    },
  });
}

const COMMON = { next: errorKey("password_common") };
const NO_PASSWORDS = { password: "", next: "", confirmation: "" };

function passwordFaults({ password, next, confirmation }: typeof NO_PASSWORDS) {
  const faults: Faults<typeof NO_PASSWORDS> = {};
  if (password === "") faults.password = errorKey("password_required");
  if (next === "") faults.next = errorKey("password_required");
  else if (next.length < PASSWORD_MIN_CHANGE) faults.next = "account.passwordShort";
  if (next !== confirmation) faults.confirmation = errorKey("password_mismatch");
  return faults;
}

const PASSWORD_ROWS = [
  { name: "password", label: "account.currentPassword", testId: "password-current" },
  { name: "next", label: "account.newPassword", testId: "password-next" },
  { name: "confirmation", label: "account.confirmPassword", testId: "password-confirmation" },
] as const;

/** A missing, short or unequal password does nothing (specification §5), and its field says why. */
export function ChangePassword({ email }: { email: string }) {
  const { t } = useTranslation();
  const { text, busy, form } = useForm({
    initial: NO_PASSWORDS,
    check: passwordFaults,
    async send({ password, next, confirmation }, clear) {
      if (await isCommon(next)) return COMMON;
      const { auth } = await whenClient();
      const answer = await auth.updatePassword(password, next, confirmation);
      if (!answer.success && answer.error === "password_common") return COMMON;
      // Changed; an admin then needs a code to sign in again, and every old token has ended.
      if (!answer.success && answer.error === "code_required") await auth.refresh();
      else if (!answer.success) return accountFaults(answer);
      clear();
      showToast({ title: { key: "account.passwordSaved" } });
      return {};
    },
  });
  return (
    <Panel id="change-password" title={t("account.password")} text={t("account.passwordText")}>
      <form {...form} className="grid gap-4">
        {/* Tells a password manager whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {PASSWORD_ROWS.map(({ name, label, testId }) => (
          <PasswordField
            key={name}
            label={t(label)}
            autoComplete={name === "password" ? "current-password" : "new-password"}
            data-testid={testId}
            {...text(name)}
          />
        ))}
        <div>
          <Button type="submit" disabled={busy} data-testid="save-password">
            {busy ? t("account.busy") : t("account.password")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

export function AdminBox() {
  const { t } = useTranslation();
  return (
    <Panel id="admin-box" title={t("account.admin")} text={t("account.adminText")}>
      <div>
        <Link to={paths.admin} className={buttonClasses()} data-testid="to-admin">
          <ShieldCheck aria-hidden="true" />
          {t("account.toAdmin")}
        </Link>
      </div>
    </Panel>
  );
}

/** The danger zone (specification §6); the dialog asks for the password. */
export function DeleteAccount(props: DeleteAccountProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [Part, setPart] = useState<typeof DeleteAccountDialog | null>(null);
  // Kept by no device that has not asked for it: it needs the server anyway.
  const ask = () =>
    void Promise.all([import("./delete-account-dialog"), loadOnlineTexts()]).then(
      ([file]) => {
        setPart(() => file.DeleteAccountDialog);
        setAsking(true);
      },
      () => showFailure("account.notDeleted", "errors.network"),
    );
  return (
    <Panel
      id="danger-zone"
      tone="danger"
      title={t("account.danger")}
      text={t("account.dangerText")}
    >
      <div>
        <Button variant="danger" data-testid="delete-account" onClick={ask}>
          <Trash2 aria-hidden="true" />
          {t("account.delete")}
        </Button>
      </div>
      {asking && Part !== null && <Part {...props} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
