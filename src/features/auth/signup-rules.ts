/** What the sign-up form finds wrong, field by field (specification §5). Pure. */
import type { SignUpForm } from "@/data/client";
import { emailFault } from "@/domain/emails";
import type { ErrorCode } from "@/domain/error-codes";
import { signupPasswordFault } from "@/domain/passwords";
import { usernameFault } from "@/domain/usernames";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";

export type SignupField = keyof SignUpForm;
export type SignupFaults = Partial<Record<SignupField, TextKey>>;

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
