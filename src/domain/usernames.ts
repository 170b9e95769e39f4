/** Rules of a username (specification §5; the upper bound is the data contract's). */
import { USERNAME_MAX, USERNAME_MIN } from "./limits";

export const USERNAME_PATTERN = /^[A-Za-z0-9._-]+$/;

export type UsernameFault =
  | "username_required"
  | "username_short"
  | "username_spaces"
  | "username_characters"
  | "username_long";

/** The first rule that `username` breaks, in the order in which the specification names them. */
export function usernameFault(username: string): UsernameFault | null {
  if (username === "") return "username_required";
  if (username.length < USERNAME_MIN) return "username_short";
  if (/\s/.test(username)) return "username_spaces";
  if (!USERNAME_PATTERN.test(username)) return "username_characters";
  if (username.length > USERNAME_MAX) return "username_long";
  return null;
}
