/** Who is signed in: the stored session, the token of requests, and the calls that change them. */
import { type Answer, isRecord, toFailure, unsure } from "@/data/engine/answers";
import type { Auth } from "@/data/engine/context";
import type { KeyValue } from "@/data/engine/deps";
import type { Remote } from "@/data/engine/remote";
import { countOf } from "@/data/engine/rows";
import type { DeletedAccount, SessionState, SessionUser, SignUpForm } from "@/data/shapes";
import { emailFault, isReservedName, normalEmail } from "@/domain/accounts";
import { PASSWORD_MIN_CHANGE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { createCell } from "@/lib/cell";
import { reuse } from "@/lib/reuse";
import { createSerialQueue } from "@/lib/serial-queue";
import {
  parseSessionUser,
  readStoredSession,
  type StoredSession,
  sessionState,
  writeStoredSession,
} from "./session-store";

/** Why the server accepts a token no more. */
type DeadToken = "suspended" | "unauthenticated";

export function createAuth(remote: Remote, store: KeyValue, onSuspended: () => void) {
  const stored = readStoredSession(store);
  const session = createCell<SessionState>(sessionState(stored));
  remote.setToken(stored?.token ?? "");

  const show = (next: StoredSession | null) => {
    remote.setToken(next?.token ?? "");
    session.set(reuse(session.getSnapshot(), sessionState(next)));
  };
  const keep = (next: StoredSession | null) => {
    writeStoredSession(store, next);
    show(next);
  };
  const take = (answer: Answer): Result<SessionUser> => {
    if (answer.kind !== "accepted") return toFailure(answer);
    const next = sessionOf(answer.body);
    if (next === null) return failed("network");
    keep(next);
    return ok(next.user);
  };
  const rights = createRights((isAdmin) => {
    const current = readStoredSession(store);
    const isOther = current !== null && current.user.isAdmin !== isAdmin;
    if (isOther && current.token === remote.token()) keep(withRights(current, isAdmin));
  });
  const onDead = (reason: DeadToken) => {
    const current = readStoredSession(store);
    if (reason === "suspended") onSuspended();
    // Also where another tab has stored it already: this one must learn it and stop sending.
    else if (current !== null) keep({ ...current, needsLogin: true });
  };
  const signIn = async (email: string, password: string): Promise<Result<SessionUser>> => {
    const fault = emailFault(email);
    if (fault !== null) return failed(fault);
    return password === ""
      ? failed("password_required")
      : take(await remote.signIn(normalEmail(email), password));
  };

  return {
    session,
    signIn,
    async signUp(form: SignUpForm): Promise<Result<SessionUser>> {
      const created = await createAccountFor(remote, form);
      return created.success ? signIn(form.email, form.password) : created;
    },
    refresh: createRefresh({ remote, store, rights, take, onDead }),
    isUsernameTaken: (username: string) => isUsernameTaken(remote, username),
    account: createAccount(remote, session.getSnapshot, take),
    noteRights: rights.note,
    forget: () => keep(null),
    /**
     * Shows the stored session (specification §4) without asking the network. True while it belongs
     * to the user who was shown.
     */
    check() {
      const shown = session.getSnapshot();
      const current = readStoredSession(store);
      const same = shown.state === "signed-in" && shown.user.id === current?.user.id;
      show(current);
      return same;
    },
  };
}

interface RefreshParts {
  remote: Remote;
  store: KeyValue;
  rights: ReturnType<typeof createRights>;
  take: (answer: Answer) => Result<SessionUser>;
  onDead: (reason: DeadToken) => void;
}

/** One refresh at a time, because each outdates another's token; waiting calls share the next. */
function createRefresh({ remote, store, rights, take, onDead }: RefreshParts): Auth["refresh"] {
  const inTurn = createSerialQueue();
  let next: Promise<Result<SessionUser>> | null = null;
  const refresh = async (): Promise<Result<SessionUser>> => {
    next = null;
    const asked = remote.token();
    if (asked === "") return failed("unauthenticated");
    rights.forget();
    const { answer, dead } = await askRefresh(remote);
    // The person may have signed out, or in again, before the answer came.
    if (readStoredSession(store)?.token !== asked) return failed("canceled");
    if (dead !== null && remote.token() === asked) onDead(dead);
    const taken = take(answer);
    rights.again();
    return taken;
  };
  return () => {
    next ??= inTurn(refresh);
    return next;
  };
}

const withRights = (session: StoredSession, isAdmin: boolean): StoredSession => ({
  ...session,
  user: { ...session.user, isAdmin },
});

/** Keeps what the feed said last: the answer of a refresh sent meanwhile may be older. */
function createRights(apply: (isAdmin: boolean) => void) {
  let last: boolean | null = null;
  return {
    note(isAdmin: boolean) {
      last = isAdmin;
      apply(isAdmin);
    },
    forget() {
      last = null;
    },
    again() {
      if (last !== null) apply(last);
    },
  };
}

async function createAccountFor(remote: Remote, form: SignUpForm): Promise<Result<null>> {
  if (!form.termsAccepted) return failed("terms_required");
  const body = { ...form, email: normalEmail(form.email) };
  const answer = await remote.request("/api/collections/users/records", { method: "POST", body });
  return answer.kind === "accepted" ? ok(null) : toFailure(answer);
}

/**
 * A 401 may also mean that a busy database could not look the token up, so the feed is asked as
 * well. `dead` is null where the token is not known to be dead.
 */
async function askRefresh(remote: Remote): Promise<{ answer: Answer; dead: DeadToken | null }> {
  const answer = await remote.refresh();
  if (answer.kind !== "refusal" || answer.status !== 401) return { answer, dead: null };
  const word = await remote.request("/api/sync", { query: { since: "head" } });
  const code = word.kind === "refusal" ? word.code : null;
  if (code === "suspended" || code === "unauthenticated") return { answer, dead: code };
  return { answer: unsure(401), dead: null };
}

async function isUsernameTaken(remote: Remote, username: string): Promise<Result<boolean>> {
  if (isReservedName(username)) return ok(true);
  const answer = await remote.request("/api/collections/profiles/records", {
    query: {
      filter: remote.filter("username:lower = {:name}", { name: username.toLowerCase() }),
      fields: "id",
      perPage: 1,
      skipTotal: 1,
    },
  });
  if (answer.kind !== "accepted") return toFailure(answer);
  const items = isRecord(answer.body) ? answer.body["items"] : undefined;
  return Array.isArray(items) ? ok(items.length > 0) : failed("network");
}

function sessionOf(body: unknown): StoredSession | null {
  if (!isRecord(body) || typeof body["token"] !== "string") return null;
  const user = parseSessionUser(body["record"]);
  return user === null ? null : { token: body["token"], user, needsLogin: false };
}

/** An account with thousands of media is deleted in steps, between which others write. */
const DELETION_TIMEOUT_MS = 5 * 60_000;

/**
 * Changes of the account (specification §5 and §7, "Auth"): they need the server's answer, so none
 * is queued. Where one ends the old tokens, its answer brings a new one.
 */
function createAccount(
  remote: Remote,
  session: () => SessionState,
  take: (answer: Answer) => Result<SessionUser>,
) {
  const user = (): SessionUser | null => {
    const now = session();
    return now.state === "signed-in" ? now.user : null;
  };
  const post = (path: string, body: object, timeoutMs?: number) =>
    remote.request(path, { method: "POST", body: { ...body }, ...(timeoutMs && { timeoutMs }) });
  const reauthenticate = async (password: string): Promise<Result<SessionUser>> => {
    const me = user();
    if (me === null) return failed("unauthenticated");
    if (password === "") return failed("password_required");
    return take(await remote.signIn(me.email, password));
  };
  return {
    reauthenticate,
    async updateEmail(address: string, password: string): Promise<Result<SessionUser>> {
      if (user() === null) return failed("unauthenticated");
      const fault = emailFault(address);
      if (fault !== null) return failed(fault);
      if (password === "") return failed("password_required");
      return take(await post("/api/account/email", { email: normalEmail(address), password }));
    },
    async updatePassword(
      current: string,
      next: string,
      confirmation: string,
    ): Promise<Result<SessionUser>> {
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
    /** Bytes of one's own on the server, and how many may be. */
    async serverStorage(): Promise<Result<{ used: number; limit: number }>> {
      const answer = await remote.request("/api/account/storage");
      if (answer.kind !== "accepted") return toFailure(answer);
      const row = isRecord(answer.body) ? answer.body : {};
      return ok({ used: countOf(row, "used"), limit: countOf(row, "limit") });
    },
    endSessions: async () =>
      user() === null
        ? failed("unauthenticated")
        : take(await post("/api/account/sessions/end", {})),
    /** On the server only: the caller deletes what is on this device. */
    async deleteAccount(password: string): Promise<DeletedAccount> {
      if (user() === null) return { ...failed("unauthenticated"), requiresReauth: true };
      const answer = await post("/api/account/delete", { password }, DELETION_TIMEOUT_MS);
      if (answer.kind === "accepted") return { ...ok(null), requiresReauth: false };
      const failure = toFailure(answer);
      return { ...failure, requiresReauth: failure.error === "unauthenticated" };
    },
  };
}
