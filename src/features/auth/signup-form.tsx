/** Sign Up (specification §2 /signup, §5, §8). */
import { type FormEvent, type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import type { SignUpForm } from "@/data/client-api";
import { emailFault } from "@/domain/emails";
import type { ErrorCode } from "@/domain/error-codes";
import { passwordStrength, signupPasswordFault } from "@/domain/passwords";
import { paths } from "@/domain/paths";
import type { Failure } from "@/domain/result";
import { usernameFault } from "@/domain/usernames";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { type NameCheck, signUp, useNameCheck } from "@/state/use-auth";
import { useConnection } from "@/state/use-outbox";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { type ControlProps, Field, Input, useFocusFirstFault } from "@/ui/field";
import { AuthCard, OfflineNotice, PasswordInput } from "./form-parts";

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

/** The state of the sign-up form: what is typed, what is wrong with it, and the sending. */

const EMPTY: SignUpForm = {
  email: "",
  username: "",
  password: "",
  passwordConfirm: "",
  termsAccepted: false,
};

function useSignup(onDone: () => void) {
  const [form, setForm] = useState(EMPTY);
  const [left, setLeft] = useState<ReadonlySet<SignupField>>(new Set());
  const [refused, setRefused] = useState<SignupFaults>({});
  const [busy, setBusy] = useState(false);
  const [unreached, setUnreached] = useState(false);
  const disconnected = useConnection() === "offline";
  const name = useNameCheck(form.username);
  const { form: element, focusFirstFault } = useFocusFirstFault();

  const own = signupFaults(form, name.state === "taken");
  const shown = shownFaults({ own, refused, left, nameIsTaken: name.state === "taken" });

  const set = <K extends SignupField>(field: K, value: SignUpForm[K]) => {
    setForm((now) => ({ ...now, [field]: value }));
    setRefused(({ [field]: _gone, ...others }) => others);
  };
  const leave = (field: SignupField) => setLeft((now) => new Set(now).add(field));

  const send = async () => {
    setBusy(true);
    setUnreached(false);
    try {
      const answer = await signUp(form);
      if (answer.success) {
        showToast({ title: { key: "auth.created" } });
        return onDone();
      }
      setUnreached(answer.error === "network" || answer.error === "timeout");
      setRefused(refusalFaults(answer.error) ?? {});
      focusFirstFault();
      tell(answer);
    } catch {
      tell({ success: false, error: "server" });
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLeft(new Set(Object.keys(EMPTY) as SignupField[]));
    if (Object.keys(own).length > 0) focusFirstFault();
    else if (!busy) void send();
  };
  const offline = unreached || disconnected;
  return { element, form, set, leave, faults: shown, name: name.state, busy, offline, submit };
}

interface Judged {
  own: SignupFaults;
  refused: SignupFaults;
  left: ReadonlySet<SignupField>;
  nameIsTaken: boolean;
}

/** A fault is shown once its field was left; a taken name at once; what the server said until it is changed. */
function shownFaults({ own, refused, left, nameIsTaken }: Judged): SignupFaults {
  const shown: SignupFaults = {};
  for (const field of Object.keys(EMPTY) as SignupField[]) {
    const early = field === "username" && nameIsTaken;
    const fault = refused[field] ?? (left.has(field) || early ? own[field] : undefined);
    if (fault !== undefined) shown[field] = fault;
  }
  return shown;
}

/** What belongs to no field is a toast (specification §8). */
function tell(answer: Failure): void {
  if (refusalFaults(answer.error) !== null) return;
  if (answer.error === "network" || answer.error === "timeout") return;
  if (answer.error === "rate_limited") {
    showToast({
      title: { key: "auth.tooMany" },
      description: { key: "auth.tooManyText" },
      variant: "destructive",
    });
    return;
  }
  const { message = "" } = answer;
  showToast({
    title: { key: "auth.registrationFailed" },
    description: message === "" ? { key: "auth.registrationFailedText" } : { raw: message },
    variant: "destructive",
  });
}

/** What the sign-up form finds wrong, field by field (specification §5). Pure. */

type SignupField = keyof SignUpForm;
type SignupFaults = Partial<Record<SignupField, TextKey>>;

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

/** Where the server's refusal belongs, or null when it belongs to no field. */
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

/** How strong the password is: three steps and a word (specification §5). */

const LOOK = {
  weak: { steps: 1, color: "bg-danger", text: "auth.weak" },
  medium: { steps: 2, color: "bg-accent", text: "auth.medium" },
  strong: { steps: 3, color: "bg-ok", text: "auth.strong" },
} as const;

function StrengthMeter({ password }: { password: string }) {
  const { t } = useText();
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
