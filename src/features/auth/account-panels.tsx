/** The panels of the account in the profile's settings: e-mail, password, session, deletion. */
import { LogOut, ShieldCheck, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { emailFault } from "@/domain/accounts";
import { PASSWORD_MIN_CHANGE } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { errorKey } from "@/i18n/error-text";
import { useSignOut } from "@/state/account";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { useAsk } from "@/ui/ask-first";
import { Button, buttonClasses } from "@/ui/button";
import { lazily } from "@/ui/lazily";
import { Panel } from "@/ui/panel";
import type { DeleteAccountProps } from "./delete-account-dialog";
import { accountFaults, EmailField, PasswordField } from "./form-parts";
import { SignOutDialog } from "./sign-out-dialog";
import { type Faults, useForm } from "./use-form";

const NO_EMAIL = { email: "", password: "" };

export function ChangeEmail({ email: current }: { email: string }) {
  const { t } = useTranslation();
  const { values, text, busy, form } = useEmailForm();
  useUnsentText(values.email !== "");
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

const NO_PASSWORDS = { password: "", next: "", confirmation: "" };

const PASSWORD_ROWS = [
  { name: "password", label: "account.currentPassword", testId: "password-current" },
  { name: "next", label: "account.newPassword", testId: "password-next" },
  { name: "confirmation", label: "account.confirmPassword", testId: "password-confirmation" },
] as const;

/** A missing, short or unequal password does nothing, without a message (specification §5). */
export function ChangePassword({ email }: { email: string }) {
  const { t } = useTranslation();
  const { text, busy, form } = useForm({
    initial: NO_PASSWORDS,
    check: ({ password, next, confirmation }) =>
      password === "" || next.length < PASSWORD_MIN_CHANGE || next !== confirmation ? "stop" : {},
    async send({ password, next, confirmation }, clear) {
      const { auth } = await whenClient();
      const answer = await auth.updatePassword(password, next, confirmation);
      if (!answer.success) return accountFaults(answer);
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

export function SessionPanel() {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const { ask, dialog } = useAsk();
  const opener = useRef<HTMLButtonElement>(null);
  const { waiting, signOut } = useSignOut();
  const leave = () => (waiting > 0 ? setLeaving(true) : void signOut("discard"));
  const leaveEverywhere = async () => {
    const ended = await (await whenClient()).auth.endSessions();
    if (ended.success) return leave();
    showFailure("account.everywhereFailed");
  };
  const askEverywhere = () =>
    ask({
      title: t("account.everywhereTitle"),
      description: t("account.everywhereText"),
      action: t("account.everywhere"),
      onAction: () => void leaveEverywhere(),
    });
  return (
    <Panel id="session" title={t("account.session")} text={t("account.sessionText")}>
      <div className="flex flex-wrap gap-2">
        <Button ref={opener} data-testid="sign-out" onClick={leave}>
          <LogOut aria-hidden="true" />
          {t("account.signOut")}
        </Button>
        <Button data-testid="sign-out-everywhere" onClick={askEverywhere}>
          {t("account.everywhere")}
        </Button>
      </div>
      <SignOutDialog open={leaving} onClose={() => setLeaving(false)} returnFocus={opener} />
      {dialog}
    </Panel>
  );
}

const DeleteAccountDialog = lazily(() => import("./delete-account-dialog"), "DeleteAccountDialog");

/** The danger zone (specification §6); the dialog asks for the password. */
export function DeleteAccount(props: DeleteAccountProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      id="danger-zone"
      tone="danger"
      title={t("account.danger")}
      text={t("account.dangerText")}
    >
      <div>
        <Button variant="danger" data-testid="delete-account" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" />
          {t("account.delete")}
        </Button>
      </div>
      {asking && <DeleteAccountDialog {...props} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
