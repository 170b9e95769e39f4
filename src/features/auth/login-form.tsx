/** Sign In (specification §2 /login, §5, §8). */
import { type FormEvent, useState } from "react";
import { Link } from "react-router-dom";
import { emailFault } from "@/domain/emails";
import type { ErrorCode } from "@/domain/error-codes";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { signIn } from "@/state/account";
import { useConnection } from "@/state/outbox";
import { showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Input } from "@/ui/input";
import { useFocusFirstFault } from "@/ui/use-focus-first-fault";
import { AuthCard } from "./auth-card";
import { OfflineNotice } from "./offline-notice";
import { PasswordInput } from "./password-input";

interface Faults {
  email?: ErrorCode;
  password?: ErrorCode;
}

interface LoginFormProps {
  /** Address of the sign-up form, which leads on to the same place. */
  signup: string;
  onDone: () => void;
}

export function LoginForm({ signup, onDone }: LoginFormProps) {
  const { t } = useText();
  const login = useLogin(onDone);
  useUnsentText(login.email !== "" || login.password !== "");
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
      <form
        ref={login.form}
        noValidate
        className="grid gap-4"
        onSubmit={login.submit}
        data-testid="login-form"
      >
        {login.offline && <OfflineNotice text="auth.offlineSignIn" />}
        <Field
          label={t("auth.email")}
          error={login.faults.email && <Say k={errorKey(login.faults.email)} />}
        >
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="username"
              data-testid="email"
              value={login.email}
              onChange={(event) => login.setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t("auth.password")}
          error={login.faults.password && <Say k={errorKey(login.faults.password)} />}
        >
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              data-testid="password"
              value={login.password}
              onChange={(event) => login.setPassword(event.target.value)}
            />
          )}
        </Field>
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
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const [unreached, setUnreached] = useState(false);
  const disconnected = useConnection() === "offline";
  const { form, focusFirstFault } = useFocusFirstFault();

  const send = async () => {
    setBusy(true);
    setUnreached(false);
    try {
      const answer = await signIn(email, password);
      if (answer.success) return onDone();
      setUnreached(answer.error === "network" || answer.error === "timeout");
      setFaults(faultsOf(answer));
      focusFirstFault();
    } catch {
      showToast({
        title: { key: "auth.loginFailed" },
        description: { key: "auth.unexpected" },
        variant: "destructive",
      });
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next: Faults = {};
    if (emailFault(email) === "email_required") next.email = "email_required";
    if (password === "") next.password = "password_required";
    setFaults(next);
    if (Object.keys(next).length > 0) focusFirstFault();
    else if (!busy) void send();
  };
  const change =
    (field: keyof Faults, set: (value: string) => void) =>
    (value: string): void => {
      set(value);
      setFaults(({ [field]: _gone, ...others }) => others);
    };
  return {
    form,
    email,
    password,
    faults,
    busy,
    offline: unreached || disconnected,
    submit,
    setEmail: change("email", setEmail),
    setPassword: change("password", setPassword),
  };
}

/** What belongs to a field stands at the field; the rest is a toast; no connection is neither. */
function faultsOf(answer: Failure): Faults {
  switch (answer.error) {
    case "unknown_email":
    case "email_invalid":
      return { email: answer.error };
    case "wrong_password":
      return { password: answer.error };
    case "network":
    case "timeout":
      return {};
    case "rate_limited":
      showToast({
        title: { key: "auth.tooMany" },
        description: { key: "auth.tooManyText" },
        variant: "destructive",
      });
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
