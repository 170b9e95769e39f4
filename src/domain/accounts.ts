/** Rules of an account: e-mail address, username and password (specification §5). */
import { PASSWORD_MAX, PASSWORD_MIN_SIGNUP, USERNAME_MAX, USERNAME_MIN } from "./limits";
import { exceedsBytes } from "./texts";

const ADDRESS = /^[^\s@"<>()]+@[^\s@"<>()]+\.[^\s@"<>().]{2,}$/;

export function emailFault(email: string) {
  const trimmed = email.trim();
  if (trimmed === "") return "email_required";
  return trimmed.length <= 254 && ADDRESS.test(trimmed) ? null : "email_invalid";
}

export const normalEmail = (email: string): string => email.trim().toLowerCase();

export const USERNAME_PATTERN = /^[A-Za-z0-9._-]+$/;

/** Names by which somebody could pass for whoever runs the place; the product's own is one too. */
const RESERVED =
  /^(admin|administrator|administration|root|support|help|moderator|mod|moderation|system|staff|team|official|security|abuse|postmaster|webmaster|augenblick|null|undefined)$/;

/** Dots, hyphens and underscores make no other name of it. */
const plainName = (name: string): string => name.toLowerCase().replace(/[._-]/g, "");

/** `product` is the operator's name for the place. */
export const isReservedName = (username: string, product = "augenblick"): boolean =>
  RESERVED.test(plainName(username)) || plainName(username) === plainName(product);

/** The first rule that `username` breaks, in the order in which the specification names them. */
export function usernameFault(username: string) {
  if (username === "") return "username_required";
  if (username.length < USERNAME_MIN) return "username_short";
  if (/\s/.test(username)) return "username_spaces";
  if (!USERNAME_PATTERN.test(username)) return "username_characters";
  if (username.length > USERNAME_MAX) return "username_long";
  return null;
}

export type PasswordStrength = "weak" | "medium" | "strong";

/** 0 to 5: a point for a digit, a lowercase, an uppercase, a special character, and length 12. */
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

/** `list`: one in each line, in lower case, with an empty line at both ends. */
export const isCommonPassword = (list: string, password: string): boolean =>
  list.includes(`\n${password.toLowerCase()}\n`);

export function signupPasswordFault(password: string) {
  if (password === "") return "password_required";
  if (password.length < PASSWORD_MIN_SIGNUP) return "password_short";
  if (exceedsBytes(password, PASSWORD_MAX)) return "password_long";
  return passwordScore(password) < 3 ? "password_weak" : null;
}

/** The first of these that is found counts: most user agents claim to be several browsers. */
const BROWSERS = [
  ["Edge", /Edg(?:A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Samsung Internet", /SamsungBrowser\//],
  ["Firefox", /(?:Firefox|FxiOS)\//],
  ["Chrome", /(?:Chrome|CriOS)\//],
  ["Safari", /Safari\//],
] as const;
const SYSTEMS = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["Mac", /Macintosh/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
] as const;

const USER_AGENT_MAX = 500;

/** What a person calls the browser of a user agent: "Chrome on Android". */
export function deviceWords(userAgent: string): string {
  const find = (kinds: readonly (readonly [string, RegExp])[]) =>
    kinds.find(([, pattern]) => pattern.test(userAgent.slice(0, USER_AGENT_MAX)))?.[0];
  const system = find(SYSTEMS);
  const browser = find(BROWSERS) ?? "Browser";
  return system === undefined ? browser : `${browser} on ${system}`;
}
