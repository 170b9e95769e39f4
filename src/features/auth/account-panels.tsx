/** Changing one's address, with the current password (specification §5, "Email change"). */

import { LogOut, ShieldCheck, Trash2 } from "lucide-react";
import { type FormEvent, lazy, Suspense, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { emailFault } from "@/domain/emails";
import type { ErrorCode } from "@/domain/error-codes";
import { PASSWORD_MIN_CHANGE } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { endSessions, updateEmail, updatePassword } from "@/state/account";
import { showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { useSignOut } from "@/state/use-sign-out";
import { AskFirst } from "@/ui/ask-first";
import { Button, buttonClasses } from "@/ui/button";
import { Field, Input, useFocusFirstFault } from "@/ui/field";
import { Panel } from "@/ui/panel";
import type { DeleteAccountProps } from "./delete-account-dialog";
import { type AccountFaults, accountFaults, NO_FAULTS, PasswordInput } from "./form-parts";
import { SignOutDialog } from "./sign-out-dialog";

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

/**
 * Changing one's password (specification §5): what is missing, too short or not the same twice does silently nothing; what is
 * asked for stands above. The server's no is told.
 */

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

/** Tells administrators of their rights, and leads to the panel (specification §2 "/profil"). */

export function AdminBox() {
  const { t } = useText();
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

/** Signing out, here or everywhere. */

export function SessionPanel() {
  const { t } = useText();
  const [asking, setAsking] = useState<"none" | "queue" | "everywhere">("none");
  const opener = useRef<HTMLButtonElement>(null);
  const { waiting, signOut } = useSignOut();
  const leave = () => (waiting > 0 ? setAsking("queue") : void signOut("discard"));
  const leaveEverywhere = async () => {
    const ended = await endSessions();
    if (ended.success) return leave();
    showToast({ title: { key: "account.everywhereFailed" }, variant: "destructive" });
  };
  const close = (open: boolean) => open || setAsking("none");
  return (
    <Panel id="session" title={t("account.session")} text={t("account.sessionText")}>
      <div className="flex flex-wrap gap-2">
        <Button ref={opener} data-testid="sign-out" onClick={leave}>
          <LogOut aria-hidden="true" />
          {t("account.signOut")}
        </Button>
        <Button data-testid="sign-out-everywhere" onClick={() => setAsking("everywhere")}>
          {t("account.everywhere")}
        </Button>
      </div>
      <SignOutDialog open={asking === "queue"} onOpenChange={close} returnFocus={opener} />
      <AskFirst
        open={asking === "everywhere"}
        onOpenChange={close}
        title={t("account.everywhereTitle")}
        description={t("account.everywhereText")}
        cancel={t("app.cancel")}
        action={t("account.everywhere")}
        onAction={() => void leaveEverywhere()}
      />
    </Panel>
  );
}

/** The danger zone: deleting the account, after saying what goes and what stays, with the password (specification §6). */

const DeleteAccountDialog = lazy(() =>
  import("./delete-account-dialog").then((file) => ({ default: file.DeleteAccountDialog })),
);

export function DeleteAccount(props: DeleteAccountProps) {
  const { t } = useText();
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
      {asking && (
        <Suspense fallback={null}>
          <DeleteAccountDialog {...props} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
