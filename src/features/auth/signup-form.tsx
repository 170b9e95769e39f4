/** Sign up (specification §2 /signup, §5, §8). */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { SignUpForm } from "@/data/client";
import {
  emailFault,
  passwordStrength,
  signupPasswordFault,
  usernameFault,
} from "@/domain/accounts";
import type { ErrorCode } from "@/domain/error-codes";
import { paths } from "@/domain/paths";
import type { Failure } from "@/domain/result";
import { errorKey, serverText } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { type NameCheck, signUp, useNameCheck } from "@/state/account";
import { showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
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

type Signup = ReturnType<typeof useSignup>;

interface SignupFormProps {
  /** Address of the sign-in form, with the same page to return to. */
  login: string;
  onDone: () => void;
}

export function SignupForm({ login, onDone }: SignupFormProps) {
  const { t } = useTranslation();
  const signup = useSignup(onDone);
  useUnsentText(signup.values.email !== "" || signup.values.username !== "");
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
      <form {...signup.form} className="grid gap-4" data-testid="signup-form">
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

function PersonFields({ signup }: { signup: Signup }) {
  const { t } = useTranslation();
  const { values, faults } = signup;
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
            value={values.email}
            onBlur={() => values.email !== "" && signup.leave("email")}
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
            value={values.username}
            onBlur={() => values.username !== "" && signup.leave("username")}
            onChange={(event) => signup.set("username", event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

function NameHint({ check }: { check: NameCheck }) {
  const { t } = useTranslation();
  if (check === "checking") return t("auth.checking");
  if (check === "free") return <span className="text-ok">{t("auth.available")}</span>;
  return t("auth.usernameHint");
}

function PasswordFields({ signup }: { signup: Signup }) {
  const { t } = useTranslation();
  const { values, faults } = signup;
  const field = (name: "password" | "passwordConfirm", label: TextKey) => (
    <PasswordField
      label={t(label)}
      fault={faults[name]}
      name={name}
      autoComplete="new-password"
      data-testid={name}
      value={values[name]}
      onBlur={() => values[name] !== "" && signup.leave(name)}
      onChange={(event) => signup.set(name, event.target.value)}
    />
  );
  return (
    <>
      {field("password", "auth.password")}
      <StrengthMeter password={values.password} />
      {field("passwordConfirm", "auth.confirmPassword")}
    </>
  );
}

function TermsBox({ signup }: { signup: Signup }) {
  const { t } = useTranslation();
  const link = "font-semibold text-link underline underline-offset-3";
  return (
    <Checkbox
      testId="terms"
      checked={signup.values.termsAccepted}
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

const EMPTY: SignUpForm = {
  email: "",
  username: "",
  password: "",
  passwordConfirm: "",
  termsAccepted: false,
};
const FIELDS = Object.keys(EMPTY) as SignupField[];

function useSignup(onDone: () => void) {
  const [left, setLeft] = useState<ReadonlySet<SignupField>>(new Set());
  const { offline, noteError } = useReach();
  const form = useForm({
    initial: EMPTY,
    editClearsFault: true,
    check() {
      setLeft(new Set(FIELDS));
      // The form's own faults are computed from its values: only refusals are stored.
      return Object.keys(own).length > 0 ? "stop" : {};
    },
    async send(values) {
      noteError(null);
      try {
        const answer = await signUp(values);
        if (answer.success) {
          showToast({ title: { key: "auth.created" } });
          onDone();
          return {};
        }
        noteError(answer.error);
        return refusalFaults(answer.error) ?? tell(answer);
      } catch {
        return tell({ success: false, error: "server" });
      }
    },
  });
  const name = useNameCheck(form.values.username);
  const nameIsTaken = name.state === "taken";
  const own = signupFaults(form.values, nameIsTaken);
  const faults = shownFaults({ own, refused: form.faults, left, nameIsTaken });
  const leave = (field: SignupField) => setLeft((now) => new Set(now).add(field));
  return { ...form, faults, leave, name: name.state, offline };
}

interface Judged {
  own: SignupFaults;
  refused: SignupFaults;
  left: ReadonlySet<SignupField>;
  nameIsTaken: boolean;
}

/**
 * The form's own faults show once their field was left, a taken name at once, and the server's
 * refusal until its field is edited.
 */
function shownFaults({ own, refused, left, nameIsTaken }: Judged): SignupFaults {
  const shown: SignupFaults = {};
  for (const field of FIELDS) {
    const early = field === "username" && nameIsTaken;
    const fault = refused[field] ?? (left.has(field) || early ? own[field] : undefined);
    if (fault !== undefined) shown[field] = fault;
  }
  return shown;
}

/** A refusal that belongs to no field: a toast (specification §8), and no fault. */
function tell({ error, message = "" }: Failure): SignupFaults {
  if (error === "network" || error === "timeout") return {};
  if (error === "rate_limited") {
    showTooMany();
    return {};
  }
  showToast({
    title: { key: "auth.registrationFailed" },
    description: serverText(message, "auth.registrationFailedText"),
    variant: "destructive",
  });
  return {};
}

type SignupField = keyof SignUpForm;
type SignupFaults = Faults<SignUpForm>;

/** Faults that the form finds by itself (specification §5). */
export function signupFaults(form: SignUpForm, nameIsTaken: boolean): SignupFaults {
  const faults: SignupFaults = {};
  const email = emailFault(form.email);
  const username = usernameFault(form.username) ?? (nameIsTaken ? "username_taken" : null);
  const password = signupPasswordFault(form.password);
  if (email !== null) faults.email = errorKey(email);
  if (username !== null) faults.username = errorKey(username);
  if (password !== null) faults.password = errorKey(password);
  if (form.passwordConfirm === "") faults.passwordConfirm = "errors.confirm_required";
  else if (form.passwordConfirm !== form.password)
    faults.passwordConfirm = "errors.password_mismatch";
  if (!form.termsAccepted) faults.termsAccepted = "errors.terms_required";
  return faults;
}

/** The field that the server's refusal is about, or null when it is about none. */
export function refusalFaults(code: ErrorCode): SignupFaults | null {
  switch (code) {
    case "email_taken":
    case "email_invalid":
    case "email_required":
      return { email: errorKey(code) };
    case "username_taken":
      return { username: "errors.username_taken_submit" };
    case "username_required":
    case "username_short":
    case "username_long":
    case "username_spaces":
    case "username_characters":
      return { username: errorKey(code) };
    case "password_weak":
      return { password: "errors.password_weak_submit" };
    case "password_required":
    case "password_short":
    case "password_long":
      return { password: errorKey(code) };
    case "password_mismatch":
      return { passwordConfirm: errorKey(code) };
    case "terms_required":
      return { termsAccepted: errorKey(code) };
    default:
      return null;
  }
}

/** The strength of a password in three steps and a word (specification §5). */
const LOOK = {
  weak: { steps: 1, color: "bg-danger", text: "auth.weak" },
  medium: { steps: 2, color: "bg-accent", text: "auth.medium" },
  strong: { steps: 3, color: "bg-ok", text: "auth.strong" },
} as const;

function StrengthMeter({ password }: { password: string }) {
  const { t } = useTranslation();
  if (password === "") return null;
  const strength = passwordStrength(password);
  const { steps, color, text } = LOOK[strength];
  return (
    <div className="-mt-2 flex items-center gap-3" data-testid="strength" data-strength={strength}>
      <div className="grid flex-1 grid-cols-3 gap-1.5" aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <span key={step} className={`h-1.5 rounded-full ${step <= steps ? color : "bg-line"}`} />
        ))}
      </div>
      <p className="min-w-16 text-right text-[13px] text-muted" role="status">
        <span className="sr-only">{t("auth.strength")} </span>
        {t(text)}
      </p>
    </div>
  );
}
