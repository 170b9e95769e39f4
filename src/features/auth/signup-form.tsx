/** Sign up (specification §2 /signup, §5, §8). */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { SignUpForm } from "@/data/shapes";
import {
  emailFault,
  passwordStrength,
  signupPasswordFault,
  usernameFault,
} from "@/domain/accounts";
import type { ErrorCode } from "@/domain/error-codes";
import { paths } from "@/domain/paths";
import type { Failure } from "@/domain/result";
import { errorKey, refusalText } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { isCommon, useNameCheck } from "@/state/account";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import { Checkbox } from "@/ui/checkbox";
import {
  AuthCard,
  EmailField,
  faultText,
  isUnreached,
  PasswordField,
  showTooMany,
  UsernameField,
  useReach,
} from "./form-parts";
import { type Faults, useForm } from "./use-form";

type Signup = ReturnType<typeof useSignup>;

export function SignupForm({ login, onDone }: { login: string; onDone: () => void }) {
  const { t } = useTranslation();
  const signup = useSignup(onDone);
  const { fault, ...username } = signup.field("username");
  return (
    <AuthCard
      title={t("auth.signUp")}
      text={t("auth.welcomeNew")}
      testId="signup"
      form={signup.form}
      submit={t(signup.busy ? "auth.signingUp" : "auth.signUp")}
      busy={signup.busy}
      offline={signup.offline ? "auth.offlineSignUp" : null}
      other={{ question: t("auth.haveAccount"), to: login, text: t("auth.signIn") }}
    >
      <EmailField
        label={t("auth.email")}
        name="email"
        autoComplete="username"
        data-testid="email"
        {...signup.field("email")}
      />
      <UsernameField
        check={signup.check}
        error={faultText(fault)}
        data-testid="username"
        {...username}
      />
      <PasswordField
        label={t("auth.password")}
        name="password"
        autoComplete="new-password"
        data-testid="password"
        {...signup.field("password")}
      />
      <StrengthMeter password={signup.values.password} />
      <PasswordField
        label={t("auth.confirmPassword")}
        name="passwordConfirm"
        autoComplete="new-password"
        data-testid="passwordConfirm"
        {...signup.field("passwordConfirm")}
      />
      <TermsBox signup={signup} />
    </AuthCard>
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
      if (await isCommon(values.password)) return { password: errorKey("password_common") };
      try {
        const answer = await (await whenClient()).auth.signUp(values);
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
  const check = useNameCheck(form.values.username);
  const own = signupFaults(form.values, check.state === "taken");
  const faults = shownFaults(own, form.faults, left);
  const leave = (name: SignupField) => setLeft((now) => new Set(now).add(name));
  const field = (name: Exclude<SignupField, "termsAccepted">) => ({
    ...form.text(name),
    fault: faults[name],
    onBlur: () => form.values[name] !== "" && leave(name),
  });
  return { ...form, faults, field, check: check.state, offline };
}

/** Own faults show once their field was left, a taken name at once, refusals until an edit. */
function shownFaults(own: SignupFaults, refused: SignupFaults, left: ReadonlySet<SignupField>) {
  const shown: SignupFaults = {};
  for (const field of FIELDS) {
    const early = own[field] === "errors.username_taken";
    const fault = refused[field] ?? (left.has(field) || early ? own[field] : undefined);
    if (fault !== undefined) shown[field] = fault;
  }
  return shown;
}

/** A refusal that belongs to no field: a toast (specification §8), and no fault. */
function tell({ error }: Failure): SignupFaults {
  if (isUnreached(error)) return {};
  if (error === "rate_limited") showTooMany();
  else showFailure("auth.registrationFailed", refusalText(error, "auth.registrationFailedText"));
  return {};
}

type SignupField = keyof SignUpForm;
type SignupFaults = Faults<SignUpForm>;

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

/** Refusals that are said in other words at the field than while it is typed. */
const AFTER_SUBMIT: Partial<Record<ErrorCode, TextKey>> = {
  username_taken: "errors.username_taken_submit",
  password_weak: "errors.password_weak_submit",
};

/** The field that the server's refusal is about, or null when it is about none. */
export function refusalFaults(code: ErrorCode): SignupFaults | null {
  const text = AFTER_SUBMIT[code] ?? errorKey(code);
  if (code === "password_mismatch") return { passwordConfirm: text };
  if (code === "terms_required") return { termsAccepted: text };
  const field = (["email", "username", "password"] as const).find((name) =>
    code.startsWith(`${name}_`),
  );
  return field === undefined ? null : { [field]: text };
}

const LOOK = {
  weak: { steps: 1, color: "bg-danger", text: "auth.weak" },
  medium: { steps: 2, color: "bg-mark", text: "auth.medium" },
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
      <p className="min-w-16 text-end text-[0.8125rem] text-muted" role="status">
        <span className="sr-only">{t("auth.strength")} </span>
        {t(text)}
      </p>
    </div>
  );
}
