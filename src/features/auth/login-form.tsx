/** Sign in (specification §2 /login, §5, §8). */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { CodeRequest } from "@/data/account/mail";
import { emailFault } from "@/domain/accounts";
import { paths } from "@/domain/paths";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import { momentParams } from "@/i18n/formats";
import { Say } from "@/i18n/say";
import { isGerman } from "@/i18n/setup";
import { whenClient } from "@/state/client-store";
import { showFailure } from "@/state/toasts";
import { useQuery } from "@/state/use-query";
import { TextField } from "@/ui/field";
import {
  AuthCard,
  EmailField,
  faultText,
  PasswordField,
  showTooMany,
  useReach,
} from "./form-parts";
import { type Faults, useForm } from "./use-form";

const EMPTY = { email: "", password: "" };
type LoginFaults = Faults<typeof EMPTY>;

export function LoginForm({ signup, onDone }: { signup: string; onDone: () => void }) {
  const { t } = useTranslation();
  const login = useLogin(onDone);
  const { values, code } = login;
  const { now } = useQuery("mail", (client) => client.mail.state());
  if (code !== null) {
    return <CodeForm request={code} email={values.email} onDone={onDone} onAgain={login.again} />;
  }
  return (
    <AuthCard
      title={t("auth.signIn")}
      text={t("auth.welcome")}
      testId="login"
      form={login.form}
      submit={t(login.busy ? "auth.signingIn" : "auth.signIn")}
      busy={login.busy}
      offline={login.offline ? "auth.offlineSignIn" : null}
      other={{ question: t("auth.noAccount"), to: signup, text: t("auth.signUp") }}
    >
      <EmailField
        label={t("auth.email")}
        name="email"
        autoComplete="username"
        data-testid="email"
        {...login.text("email")}
      />
      <PasswordField
        label={t("auth.password")}
        name="password"
        autoComplete="current-password"
        data-testid="password"
        {...login.text("password")}
      />
      {now.state === "ready" && now.value.mail && (
        <Link
          to={paths.forgot}
          className="target -my-2 flex flex-wrap items-center gap-x-2 text-sm text-link"
          data-testid="forgot-password"
        >
          <span className="font-semibold">{t("auth.forgot")}</span>
          {isGerman("auth.forgotGerman") && <Say k="auth.forgotGerman" />}
        </Link>
      )}
    </AuthCard>
  );
}

function useLogin(onDone: () => void) {
  const { i18n } = useTranslation();
  const { offline, noteError } = useReach();
  const [code, setCode] = useState<CodeRequest | null>(null);
  const form = useForm({
    initial: EMPTY,
    editClearsFault: true,
    check({ email, password }) {
      const faults: LoginFaults = {};
      if (emailFault(email) === "email_required") faults.email = errorKey("email_required");
      if (password === "") faults.password = errorKey("password_required");
      return faults;
    },
    async send({ email, password }) {
      noteError(null);
      try {
        const { auth, mail } = await whenClient();
        const answer = await auth.signIn(email, password);
        if (answer.success) {
          onDone();
          return {};
        }
        const asked =
          answer.error === "code_required" ? await mail.requestCode(email, password) : answer;
        if (asked.success) {
          setCode(asked.value);
          return {};
        }
        noteError(asked.error);
        return faultsOf(asked, i18n.language);
      } catch {
        showFailure("auth.loginFailed", "errors.internal");
        return {};
      }
    },
  });
  return { ...form, offline, code, again: () => setCode(null) };
}

interface CodeFormProps {
  request: CodeRequest;
  email: string;
  onDone: () => void;
  onAgain: () => void;
}

const NO_CODE = { code: "" };

/** The second step of whoever has much to lose: a code by mail. */
function CodeForm({ request, email, onDone, onAgain }: CodeFormProps) {
  const { t, i18n } = useTranslation();
  const { pathname, search } = useLocation();
  const { offline, noteError } = useReach();
  const form = useForm({
    initial: NO_CODE,
    editClearsFault: true,
    check: ({ code }) => (code.trim() === "" ? { code: errorKey("code_required") } : {}),
    async send({ code }): Promise<Faults<typeof NO_CODE>> {
      const answer = await (await whenClient()).mail.signInWithCode(request, code);
      noteError(answer.success ? null : answer.error);
      if (answer.success) onDone();
      else if (answer.error === "code_wrong") return { code: errorKey("code_wrong") };
      else faultsOf(answer, i18n.language);
      return {};
    },
  });
  const { fault, ...code } = form.text("code");
  return (
    <AuthCard
      title={t("auth.codeTitle")}
      text={t("auth.codeText", { email })}
      testId="code"
      form={form.form}
      submit={t(form.busy ? "auth.signingIn" : "auth.signIn")}
      busy={form.busy}
      offline={offline ? "auth.offlineSignIn" : null}
      other={{
        question: t("auth.codeNothing"),
        // The page itself, with the place to go to afterwards.
        to: `${pathname}${search}`,
        text: t("auth.codeAgain"),
        onClick: onAgain,
      }}
    >
      <TextField
        label={t("auth.code")}
        error={faultText(fault)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        data-testid="code"
        {...code}
      />
    </AuthCard>
  );
}

/** Refusals about a field show there, a lost connection in the notice, the rest as a toast. */
function faultsOf({ error, until }: Failure, language: string): LoginFaults {
  switch (error) {
    case "unknown_email":
    case "email_invalid":
      return { email: errorKey(error) };
    case "wrong_password":
      return { password: errorKey(error) };
    case "network":
    case "timeout":
      return {};
    case "rate_limited":
      showTooMany();
      return {};
    case "server":
    case "quota":
      showFailure("auth.loginFailed", "errors.server");
      return {};
    case "suspended":
      if (until !== undefined) {
        const params = momentParams(until, language);
        showFailure("auth.loginFailed", { key: "auth.suspendedUntil", params });
        return {};
      }
      showFailure("auth.loginFailed", errorKey(error));
      return {};
    case "internal":
      showFailure("auth.loginFailed", errorKey(error));
      return {};
    default:
      showFailure("auth.loginFailed", "auth.loginFailedText");
      return {};
  }
}
