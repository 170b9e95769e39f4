/**
 * `client.mail`, loaded on first use: what goes by mail. The link for a new password, the link that
 * confirms an address, and the code that an administrator adds to the password.
 */
import { type Answer, isRecord, toFailure } from "@/data/engine/answers";
import type { Remote, RequestOptions } from "@/data/engine/remote";
import type { SessionState, SessionUser } from "@/data/shapes";
import { emailFault, normalEmail, signupPasswordFault } from "@/domain/accounts";
import { failed, ok, type Result } from "@/domain/result";
import type { Cell } from "@/lib/cell";

/** Names the code that is on its way, and the password that was right. */
export interface CodeRequest {
  mfaId: string;
  otpId: string;
}

export interface MailState {
  /** Whether mail is set on the server: otherwise nothing of it is offered. */
  mail: boolean;
  /** Whether the signed-in person's address is confirmed. */
  verified: boolean;
  /** Whether it must be, to publish and to write. */
  required: boolean;
}

interface MailDeps {
  remote: Remote;
  session: Cell<SessionState>;
  take: (answer: Answer) => Result<SessionUser>;
  refresh: () => Promise<unknown>;
}

export function createMail({ remote, session, take, refresh }: MailDeps) {
  const post = (what: string, body: object, options: RequestOptions = {}) =>
    remote.request(`/api/collections/users/${what}`, { method: "POST", body, ...options });
  return {
    async state(): Promise<Result<MailState>> {
      const answer = await remote.request("/api/account/mail");
      if (answer.kind !== "accepted") return toFailure(answer);
      const { mail, verified, required } = isRecord(answer.body) ? answer.body : {};
      return ok({ mail: mail === true, verified: verified === true, required: required === true });
    },
    /** Succeeds for every address, with and without an account. */
    async requestReset(email: string): Promise<Result<null>> {
      const fault = emailFault(email);
      if (fault !== null) return failed(fault);
      return done(await post("request-password-reset", { email: normalEmail(email) }));
    },
    /** Ends all sessions of the account: one on this device must learn it. */
    async confirmReset(token: string, password: string, again: string): Promise<Result<null>> {
      const fault = signupPasswordFault(password);
      if (fault !== null) return failed(fault);
      if (password !== again) return failed("password_mismatch");
      const body = { token, password, passwordConfirm: again };
      const confirmed = done(await post("confirm-password-reset", body));
      if (confirmed.success) await refresh();
      return confirmed;
    },
    async requestVerification(): Promise<Result<null>> {
      const now = session.getSnapshot();
      if (now.state !== "signed-in") return failed("unauthenticated");
      return done(await post("request-verification", { email: now.user.email }));
    },
    confirmVerification: async (token: string) =>
      done(await post("confirm-verification", { token })),
    /** Gives the password once more, which begins the two steps, and has the code sent. */
    async requestCode(email: string, password: string): Promise<Result<CodeRequest>> {
      const identity = normalEmail(email);
      const first = await remote.signIn(identity, password);
      if (first.kind === "accepted") return failed("server");
      const mfaId = first.kind === "refusal" ? first.fields["mfaId"] : undefined;
      if (mfaId === undefined) return toFailure(first);
      const asked = await post("request-otp", { email: identity });
      if (asked.kind !== "accepted") return toFailure(asked);
      const otpId = isRecord(asked.body) ? String(asked.body["otpId"]) : "";
      return ok({ mfaId, otpId });
    },
    async signInWithCode(request: CodeRequest, code: string): Promise<Result<SessionUser>> {
      const { otpId, mfaId } = request;
      const body = { otpId, password: code.trim(), mfaId };
      const options = { anonymous: true, withSession: true };
      const answer = await post("auth-with-otp", body, options);
      const isWrong = answer.kind === "refusal" && answer.status === 400;
      return isWrong ? failed("code_wrong") : take(answer);
    },
  };
}

function done(answer: Answer): Result<null> {
  if (answer.kind === "accepted") return ok(null);
  const isLink = answer.kind === "refusal" && "token" in answer.fields;
  return isLink ? failed("link_expired") : toFailure(answer);
}
