/**
 * Changes of one's own account that ask for the password again (specification §5 and §7, "Auth"). Each needs the server's
 * answer, so none of them is queued. Whatever ends the old tokens brings a new one.
 */
import type { Account } from "@/data/account-api";
import type { SessionState, SessionUser } from "@/data/client-api";
import { emailFault, normalEmail } from "@/domain/accounts";
import { PASSWORD_MIN_CHANGE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import type { Answer } from "./answers";
import type { Remote } from "./create-remote";
import { toFailure } from "./failures";

/** An account of thousands of media goes in steps, between which others write. */
const DELETION_TIMEOUT_MS = 5 * 60_000;

export interface AccountDeps {
  remote: Remote;
  session: () => SessionState;
  /** Keeps the session that an answer brings. */
  take: (answer: Answer) => Result<SessionUser>;
}

/** `deleteAccount` asks the server only: what lies on the device is the caller's. */
export function createAccount({ remote, session, take }: AccountDeps): Account {
  const user = (): SessionUser | null => {
    const now = session();
    return now.state === "signed-in" ? now.user : null;
  };
  const reauthenticate = async (password: string): Promise<Result<SessionUser>> => {
    const me = user();
    if (me === null) return failed("unauthenticated");
    return password === ""
      ? failed("password_required")
      : take(await remote.signIn(me.email, password));
  };
  return {
    reauthenticate,
    async updateEmail(address, password) {
      if (user() === null) return failed("unauthenticated");
      const fault = emailFault(address);
      if (fault !== null) return failed(fault);
      if (password === "") return failed("password_required");
      const body = { email: normalEmail(address), password };
      return take(await remote.request("/api/account/email", { method: "POST", body }));
    },
    async updatePassword(current, next, confirmation) {
      const me = user();
      if (me === null) return failed("unauthenticated");
      if (current === "" || next === "") return failed("password_required");
      if (next.length < PASSWORD_MIN_CHANGE) return failed("password_short");
      if (next !== confirmation) return failed("password_mismatch");
      const answer = await remote.request(`/api/collections/users/records/${me.id}`, {
        method: "PATCH",
        body: { oldPassword: current, password: next, passwordConfirm: confirmation },
      });
      return answer.kind === "accepted" ? reauthenticate(next) : toFailure(answer);
    },
    endSessions: async () =>
      user() === null
        ? failed("unauthenticated")
        : take(await remote.request("/api/account/sessions/end", { method: "POST", body: {} })),
    async deleteAccount(password) {
      if (user() === null) return { ...failed("unauthenticated"), requiresReauth: true };
      const answer = await remote.request("/api/account/delete", {
        method: "POST",
        body: { password },
        timeoutMs: DELETION_TIMEOUT_MS,
      });
      if (answer.kind === "accepted") return { ...ok(null), requiresReauth: false };
      const failure = toFailure(answer);
      return { ...failure, requiresReauth: failure.error === "unauthenticated" };
    },
  };
}
