/** Sign in (specification §2 /login, §5, §8). */
import { useTranslation } from "react-i18next";
import { emailFault } from "@/domain/accounts";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import { whenClient } from "@/state/client-store";
import { showFailure } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { AuthCard, EmailField, PasswordField, showTooMany, useReach } from "./form-parts";
import { type Faults, useForm } from "./use-form";

const EMPTY = { email: "", password: "" };
type LoginFaults = Faults<typeof EMPTY>;

export function LoginForm({ signup, onDone }: { signup: string; onDone: () => void }) {
  const { t } = useTranslation();
  const login = useLogin(onDone);
  const { values } = login;
  useUnsentText(values.email !== "" || values.password !== "");
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
    </AuthCard>
  );
}

function useLogin(onDone: () => void) {
  const { offline, noteError } = useReach();
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
        const answer = await (await whenClient()).auth.signIn(email, password);
        if (answer.success) {
          onDone();
          return {};
        }
        noteError(answer.error);
        return faultsOf(answer);
      } catch {
        showFailure("auth.loginFailed", "errors.internal");
        return {};
      }
    },
  });
  return { ...form, offline };
}

/** Refusals about a field show there, a lost connection in the notice, the rest as a toast. */
function faultsOf({ error }: Failure): LoginFaults {
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
    default:
      showFailure("auth.loginFailed", "auth.loginFailedText");
      return {};
  }
}
