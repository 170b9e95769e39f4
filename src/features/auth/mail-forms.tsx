/** What links in mails lead to, and the form that asks for one: passwords and addresses. */
import { Link2Off, MailCheck, MailQuestion } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { emailFault, signupPasswordFault } from "@/domain/accounts";
import { paths } from "@/domain/paths";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import { isCommon } from "@/state/account";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import { useQuery } from "@/state/use-query";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Spinner } from "@/ui/loading";
import {
  AuthCard,
  EmailField,
  isUnreached,
  PasswordField,
  showTooMany,
  useReach,
} from "./form-parts";
import { type Faults, useForm } from "./use-form";

const NO_EMAIL = { email: "" };

/** Says the same for every address: nobody learns here who has an account. */
export function ForgotForm() {
  const { t } = useTranslation();
  const { now } = useQuery("mail", (client) => client.mail.state());
  const { offline, noteError } = useReach();
  const [sent, setSent] = useState(false);
  const form = useForm({
    initial: NO_EMAIL,
    editClearsFault: true,
    check({ email }) {
      const fault = emailFault(email);
      return fault === null ? {} : { email: errorKey(fault) };
    },
    async send({ email }) {
      const answer = await (await whenClient()).mail.requestReset(email);
      noteError(answer.success ? null : answer.error);
      setSent(answer.success);
      if (!answer.success) tell(answer);
      return {};
    },
  });
  if (now.state === "ready" && !now.value.mail) {
    return (
      <EmptyState
        page
        testId="no-mail"
        icon={<MailQuestion />}
        title={t("auth.forgot")}
        text={t("auth.noMail")}
      />
    );
  }
  return (
    <AuthCard
      title={t("auth.forgotTitle")}
      text={t("auth.forgotText")}
      testId="forgot"
      form={form.form}
      submit={t(form.busy ? "account.busy" : "auth.forgotSend")}
      busy={form.busy}
      offline={offline ? "account.offline" : null}
      other={{ question: t("auth.remembered"), to: paths.login, text: t("auth.signIn") }}
    >
      <EmailField
        label={t("auth.email")}
        name="email"
        autoComplete="username"
        data-testid="email"
        {...form.text("email")}
      />
      <p role="status" data-testid="forgot-sent" className="text-sm empty:hidden">
        {sent ? t("auth.forgotSent") : null}
      </p>
    </AuthCard>
  );
}

/** What no field is to blame for. A lost connection has its own notice. */
function tell({ error }: Failure): void {
  if (error === "rate_limited") showTooMany();
  else if (!isUnreached(error)) showFailure("account.failed");
}

const NO_PASSWORDS = { password: "", again: "" };
type ResetFaults = Faults<typeof NO_PASSWORDS>;

export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation();
  const { offline, noteError } = useReach();
  const [expired, setExpired] = useState(token === "");
  const form = useForm({
    initial: NO_PASSWORDS,
    editClearsFault: true,
    check({ password, again }) {
      const faults: ResetFaults = {};
      const fault = signupPasswordFault(password);
      if (fault !== null) faults.password = errorKey(fault);
      if (password !== again) faults.again = "errors.password_mismatch";
      return faults;
    },
    async send({ password, again }): Promise<ResetFaults> {
      if (await isCommon(password)) return { password: errorKey("password_common") };
      const answer = await (await whenClient()).mail.confirmReset(token, password, again);
      noteError(answer.success ? null : answer.error);
      if (answer.success) {
        showToast({ title: { key: "auth.resetDone" } });
        onDone();
      } else if (answer.error === "link_expired") setExpired(true);
      else if (answer.error.startsWith("password_")) return { password: errorKey(answer.error) };
      else tell(answer);
      return {};
    },
  });
  if (expired) {
    return (
      <DeadLink>
        <Link to={paths.forgot} className={buttonClasses({ variant: "accent" })}>
          {t("auth.newLink")}
        </Link>
      </DeadLink>
    );
  }
  return (
    <AuthCard
      title={t("auth.forgotTitle")}
      text={t("auth.resetText")}
      testId="reset"
      form={form.form}
      submit={t(form.busy ? "account.busy" : "auth.resetSave")}
      busy={form.busy}
      offline={offline ? "account.offline" : null}
      other={{ question: t("auth.remembered"), to: paths.login, text: t("auth.signIn") }}
    >
      <PasswordField
        label={t("account.newPassword")}
        name="password"
        autoComplete="new-password"
        data-testid="password"
        {...form.text("password")}
      />
      <PasswordField
        label={t("account.confirmPassword")}
        name="again"
        autoComplete="new-password"
        data-testid="passwordConfirm"
        {...form.text("again")}
      />
    </AuthCard>
  );
}

function DeadLink({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      testId="dead-link"
      icon={<Link2Off />}
      title={t("auth.linkTitle")}
      text={t("auth.linkText")}
    >
      {children}
    </EmptyState>
  );
}

/** Confirms at once: the link in the mail was the question. A second time succeeds too. */
export function VerifyAddress({ token }: { token: string }) {
  const { t } = useTranslation();
  const { now, reload } = useQuery(`verify ${token}`, (client) =>
    client.mail.confirmVerification(token),
  );
  if (now.state === "loading") {
    return <Spinner label={t("auth.verifying")} className="grid py-24" />;
  }
  if (now.state === "ready") {
    return (
      <EmptyState
        page
        testId="verified"
        icon={<MailCheck />}
        title={t("auth.verified")}
        text={t("auth.verifiedText")}
      >
        <Link to={paths.home} className={buttonClasses({ variant: "accent" })}>
          {t("app.goHome")}
        </Link>
      </EmptyState>
    );
  }
  if (now.code !== "link_expired") {
    return (
      <EmptyState
        page
        testId="verify-failed"
        icon={<MailQuestion />}
        title={t("auth.verifyFailed")}
        text={t(errorKey(now.code))}
      >
        <Button onClick={reload}>{t("app.tryAgain")}</Button>
      </EmptyState>
    );
  }
  return (
    <DeadLink>
      <Link to={paths.settings} className={buttonClasses({ variant: "accent" })}>
        {t("auth.verifyNew")}
      </Link>
    </DeadLink>
  );
}
