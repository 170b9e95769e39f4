/** Strength of a password at sign-up (specification §5). */
import { PASSWORD_MAX, PASSWORD_MIN_SIGNUP } from "./limits";
import { byteLength } from "./texts";

export type PasswordFault =
  | "password_required"
  | "password_short"
  | "password_weak"
  | "password_long";
export type PasswordStrength = "weak" | "medium" | "strong";

/** 0 to 5: a digit, a lowercase letter, an uppercase letter, a special character, 12 or more characters. */
export function passwordScore(password: string): number {
  const special = /[^A-Za-z0-9\s]/.test(password);
  const checks = [/[0-9]/, /[a-z]/, /[A-Z]/].map((p) => p.test(password));
  return [...checks, special, password.length >= 12].filter(Boolean).length;
}

/** 4 or more is strong, 2 or more medium. Medium at 2 is still refused: valid needs 3. */
export function passwordStrength(password: string): PasswordStrength {
  const score = passwordScore(password);
  if (score >= 4) return "strong";
  return score >= 2 ? "medium" : "weak";
}

/** The first sign-up rule that `password` breaks. */
export function signupPasswordFault(password: string): PasswordFault | null {
  if (password === "") return "password_required";
  if (password.length < PASSWORD_MIN_SIGNUP) return "password_short";
  if (byteLength(password) > PASSWORD_MAX) return "password_long";
  return passwordScore(password) < 3 ? "password_weak" : null;
}
