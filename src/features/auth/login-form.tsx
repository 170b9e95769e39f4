/** Sign in (specification §2 /login, §5, §8). */

import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { emailFault } from "@/domain/accounts";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import { signIn } from "@/state/account";
import { showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Field, Input } from "@/ui/field";
import {
  AuthCard,
  faultText,
  OfflineNotice,
  PasswordField,
  showTooMany,
  useReach,
} from "./form-parts";
import { type Faults, useForm } from "./use-form";

const EMPTY = { email: "", password: "" };
type LoginFaults = Faults<typeof EMPTY>;

interface LoginFormProps {
  /** Address of the sign-up form, with the same page to return to. */
  signup: string;
  onDone: () => void;
}

export function LoginForm({ signup, onDone }: LoginFormProps) {
  const { t } = useTranslation();
  const login = useLogin(onDone);
  const { values, faults } = login;
  useUnsentText(values.email !== "" || values.password !== "");
  return (
    <AuthCard
      title={t("auth.signIn")}
      text={t("auth.welcome")}
      footer={
        <>
          {t("auth.noAccount")}
          <Link to={signup} className="target inline-flex items-center font-semibold text-link">
            {t("auth.signUp")}
          </Link>
        </>
      }
    >
      <form {...login.form} className="grid gap-4" data-testid="login-form">
        {login.offline && <OfflineNotice text="auth.offlineSignIn" />}
        <Field label={t("auth.email")} error={faultText(faults.email)}>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="username"
              data-testid="email"
              value={values.email}
              onChange={(event) => login.set("email", event.target.value)}
            />
          )}
        </Field>
        <PasswordField
          label={t("auth.password")}
          fault={faults.password}
          name="password"
          autoComplete="current-password"
          data-testid="password"
          value={values.password}
          onChange={(event) => login.set("password", event.target.value)}
        />
        <Button
          type="submit"
          variant="accent"
          width="full"
          disabled={login.busy}
          data-testid="submit-login"
        >
          {login.busy ? t("auth.signingIn") : t("auth.signIn")}
        </Button>
      </form>
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
        const answer = await signIn(email, password);
        if (answer.success) {
          onDone();
          return {};
        }
        noteError(answer.error);
        return faultsOf(answer);
      } catch {
        showToast({
          title: { key: "auth.loginFailed" },
          description: { key: "auth.unexpected" },
          variant: "destructive",
        });
        return {};
      }
    },
  });
  return { ...form, offline };
}

/**
 * A refusal about a field shows at the field, a lost connection in the offline notice, and the
 * rest as a toast.
 */
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
      showToast({
        title: { key: "auth.loginFailed" },
        description: { key: "auth.loginFailedText" },
        variant: "destructive",
      });
      return {};
  }
}
