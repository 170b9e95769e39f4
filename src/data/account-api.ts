/** What one can do to one's own account (specification §7, "Auth"). Types only. */
import type { Result } from "@/domain/result";
import type { SessionUser } from "./client-api";

/** `requiresReauth`: the session no longer counts; the person has to sign in before (specification §6). */
export type DeletedAccount = Result<null> & { requiresReauth: boolean };

/** Each asks the server and is never queued. */
export interface Account {
  /** Proves the password again and brings a fresh token. */
  reauthenticate(password: string): Promise<Result<SessionUser>>;
  /** Needs the current password; the address counts at once. */
  updateEmail(email: string, password: string): Promise<Result<SessionUser>>;
  /** Ends every other session of this account. */
  updatePassword(current: string, next: string, confirmation: string): Promise<Result<SessionUser>>;
  /** Signs the account out everywhere else; this session goes on. */
  endSessions(): Promise<Result<SessionUser>>;
  /** Deletes the account on the server and, when that was done, everything of it on this device. */
  deleteAccount(password: string): Promise<DeletedAccount>;
}
