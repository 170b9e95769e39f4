/** Sign Up (specification §2 /signup, §5, §8). */
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import type { NameCheck } from "@/state/account";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { type ControlProps, Field } from "@/ui/field";
import { Input } from "@/ui/input";
import { AuthCard } from "./auth-card";
import { OfflineNotice } from "./offline-notice";
import { PasswordInput } from "./password-input";
import { StrengthMeter } from "./strength-meter";
import { useSignup } from "./use-signup";

type Signup = ReturnType<typeof useSignup>;

interface SignupFormProps {
  /** Address of the sign-in form, which leads on to the same place. */
  login: string;
  onDone: () => void;
}

export function SignupForm({ login, onDone }: SignupFormProps) {
  const { t } = useText();
  const signup = useSignup(onDone);
  useUnsentText(signup.form.email !== "" || signup.form.username !== "");
  return (
    <AuthCard
      title={t("auth.signUp")}
      text={t("auth.welcomeNew")}
      footer={
        <>
          {t("auth.haveAccount")}
          <Link to={login} className="target inline-flex items-center font-semibold text-link">
            {t("auth.signIn")}
          </Link>
        </>
      }
    >
      <form
        ref={signup.element}
        noValidate
        className="grid gap-4"
        onSubmit={signup.submit}
        data-testid="signup-form"
      >
        {signup.offline && <OfflineNotice text="auth.offlineSignUp" />}
        <PersonFields signup={signup} />
        <PasswordFields signup={signup} />
        <TermsBox signup={signup} />
        <Button
          type="submit"
          variant="accent"
          width="full"
          disabled={signup.busy}
          data-testid="submit-signup"
        >
          {signup.busy ? t("auth.signingUp") : t("auth.signUp")}
        </Button>
      </form>
    </AuthCard>
  );
}

const faultText = (key: TextKey | undefined): ReactNode => key && <Say k={key} />;

function PersonFields({ signup }: { signup: Signup }) {
  const { t } = useText();
  const { form, faults } = signup;
  return (
    <>
      <Field label={t("auth.email")} error={faultText(faults.email)}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            data-testid="email"
            value={form.email}
            onBlur={() => form.email !== "" && signup.leave("email")}
            onChange={(event) => signup.set("email", event.target.value)}
          />
        )}
      </Field>
      <Field
        label={t("auth.username")}
        hint={<NameHint check={signup.name} />}
        error={faultText(faults.username)}
      >
        {(control) => (
          <Input
            {...control}
            name="username"
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
            data-testid="username"
            data-check={signup.name}
            value={form.username}
            onBlur={() => form.username !== "" && signup.leave("username")}
            onChange={(event) => signup.set("username", event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

function NameHint({ check }: { check: NameCheck }) {
  const { t } = useText();
  if (check === "checking") return t("auth.checking");
  if (check === "free") return <span className="text-ok">{t("auth.available")}</span>;
  return t("auth.usernameHint");
}

function PasswordFields({ signup }: { signup: Signup }) {
  const { t } = useText();
  const { form, faults } = signup;
  const input = (field: "password" | "passwordConfirm") => (control: ControlProps) => (
    <PasswordInput
      {...control}
      name={field}
      autoComplete="new-password"
      data-testid={field}
      value={form[field]}
      onBlur={() => form[field] !== "" && signup.leave(field)}
      onChange={(event) => signup.set(field, event.target.value)}
    />
  );
  return (
    <>
      <Field label={t("auth.password")} error={faultText(faults.password)}>
        {input("password")}
      </Field>
      <StrengthMeter password={form.password} />
      <Field label={t("auth.confirmPassword")} error={faultText(faults.passwordConfirm)}>
        {input("passwordConfirm")}
      </Field>
    </>
  );
}

function TermsBox({ signup }: { signup: Signup }) {
  const { t } = useText();
  const link = "font-semibold text-link underline underline-offset-3";
  return (
    <Checkbox
      testId="terms"
      checked={signup.form.termsAccepted}
      onChange={(checked) => signup.set("termsAccepted", checked)}
      error={faultText(signup.faults.termsAccepted)}
    >
      {t("auth.termsBefore")}{" "}
      <Link to={paths.terms} target="_blank" className={link}>
        {t("nav.terms")}
      </Link>{" "}
      {t("auth.termsAnd")}{" "}
      <Link to={paths.privacy} target="_blank" className={link}>
        {t("nav.privacy")}
      </Link>
    </Checkbox>
  );
}
