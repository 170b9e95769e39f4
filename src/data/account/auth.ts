/** Who is signed in: the stored session, the token of requests, and the calls that change them. */
import { type Answer, isRecord, toFailure, unsure } from "@/data/engine/answers";
import type { Auth } from "@/data/engine/context";
import type { KeyValue } from "@/data/engine/deps";
import {
  filterOf,
  NOBODY,
  type Remote,
  type Sender,
  type TokenVerdict,
} from "@/data/engine/remote";
import { countOf } from "@/data/engine/rows";
import type { DeletedAccount, Rights, SessionState, SessionUser, SignUpForm } from "@/data/shapes";
import { emailFault, isReservedName, normalEmail } from "@/domain/accounts";
import { PASSWORD_MIN_CHANGE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { parseInstant } from "@/domain/times";
import { createCell } from "@/lib/cell";
import { reuse } from "@/lib/reuse";
import { createSerialQueue } from "@/lib/serial-queue";
import {
  DEVICE_KEY,
  parseSecret,
  parseSessionUser,
  readStoredSession,
  type StoredSession,
  sessionState,
  writeStoredSession,
} from "./session-store";

/** Why the server accepts a token no more. */
type DeadToken = "suspended" | "unauthenticated";

export interface Guesses {
  count: number;
  /** Milliseconds. */
  lastAt: number;
}

interface AuthEvents {
  onSuspended: () => void;
  /** Wrong passwords that others tried since the last sign-in. */
  onGuesses: (guesses: Guesses) => void;
}

export function createAuth(
  remote: Remote,
  store: KeyValue,
  { onSuspended, onGuesses }: AuthEvents,
) {
  const { session, keep, check, endOwnSession } = createKept(remote, store);
  const take = (answer: Answer): Result<SessionUser> => {
    if (answer.kind !== "accepted") return toFailure(answer);
    const next = sessionOf(answer.body);
    if (next === null) return failed("network");
    const before = readStoredSession(store);
    // The server names a session only when it opens one.
    const known = before?.user.id === next.user.id ? before.session : undefined;
    keep({ ...(known && { session: known }), ...next });
    const guesses = guessesOf(answer.body);
    if (guesses !== null) onGuesses(guesses);
    return ok(next.user);
  };
  const rights = createRights((told) => {
    const current = readStoredSession(store);
    const isOther = current !== null && isOtherThan(current.user, told);
    if (isOther && current.token === remote.token()) keep(withRights(current, told));
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

  const replaced = new Set<string>();
  const refresh = createRefresh({ remote, store, rights, take, onDead, check, replaced });

  return {
    session,
    take,
    signIn,
    async signUp(form: SignUpForm): Promise<Result<SessionUser>> {
      const created = await createAccountFor(remote, form);
      return created.success ? signIn(form.email, form.password) : created;
    },
    refresh,
    /** What the server thinks of `token`, with which it refused a request. */
    async judgeToken(token: string): Promise<TokenVerdict> {
      if (remote.token() !== token) return "renewed";
      const now = session.getSnapshot();
      if (now.state !== "signed-in" || now.needsLogin) return "unchecked";
      const refreshed = await refresh();
      if (!refreshed.success) return "unchecked";
      return replaced.has(token) ? "renewed" : "good";
    },
    endOwnSession,
    isUsernameTaken: (username: string) => isUsernameTaken(remote, username),
    account: createAccount(remote, session.getSnapshot, take),
    noteRights: rights.note,
    forget: () => keep(null),
    check,
  };
}

/** The stored session, shown to the app and named in requests. */
function createKept(remote: Remote, store: KeyValue) {
  const stored = readStoredSession(store);
  const session = createCell<SessionState>(sessionState(stored));
  // At the next sign-in it tells the server that this is no stranger who guesses.
  const sender = (next: StoredSession | null): Sender =>
    next === null ? { ...NOBODY, session: store.getItem(DEVICE_KEY) ?? "" } : senderOf(next);
  remote.setSender(sender(stored));

  const show = (next: StoredSession | null) => {
    remote.setSender(sender(next));
    session.set(reuse(session.getSnapshot(), sessionState(next)));
  };
  /**
   * Shows the stored session (specification §4) without asking the network. True while it belongs
   * to the user who was shown.
   */
  const check = (): boolean => {
    const shown = session.getSnapshot();
    const current = readStoredSession(store);
    const same = shown.state === "signed-in" && shown.user.id === current?.user.id;
    show(current);
    return same;
  };
  /**
   * Not awaited: where there is no connection, the session ends when it was unused for long.
   * Its key is kept once the server has ended it: until then it opens the account.
   */
  const endOwnSession = (): void => {
    const own = readStoredSession(store);
    if (own?.session === undefined) return;
    const remember = () => {
      store.setItem(DEVICE_KEY, keyOf(own));
      check();
    };
    if (own.needsLogin) {
      remember();
      return;
    }
    const path = `/api/account/sessions/${own.session.id}`;
    const options = { method: "DELETE", withSession: true, asIs: true } as const;
    void remote.request(path, options).then((answer) => {
      if (answer.kind === "accepted") remember();
    });
  };
  return {
    session,
    keep(next: StoredSession | null) {
      writeStoredSession(store, next);
      show(next);
    },
    check,
    endOwnSession,
  };
}

interface RefreshParts {
  remote: Remote;
  store: KeyValue;
  rights: ReturnType<typeof createRights>;
  take: (answer: Answer) => Result<SessionUser>;
  onDead: (reason: DeadToken) => void;
  check: () => boolean;
  /** Tokens that were dead, and have a successor. */
  replaced: Set<string>;
}

/** One refresh at a time, because each outdates another's token; waiting calls share the next. */
function createRefresh({ remote, store, rights, take, ...on }: RefreshParts): Auth["refresh"] {
  const inTurn = createSerialQueue();
  let next: Promise<Result<SessionUser>> | null = null;
  /** The person signed out, or in again, or another tab was faster: what is stored counts. */
  const adopt = (asked: string): Result<SessionUser> => {
    const current = readStoredSession(store);
    if (!on.check() || current?.needsLogin !== false) return failed("canceled");
    on.replaced.add(asked);
    return ok(current.user);
  };
  const refresh = async (): Promise<Result<SessionUser>> => {
    next = null;
    const asked = remote.token();
    if (asked === "") return failed("unauthenticated");
    const stored = readStoredSession(store);
    if (stored?.token !== asked) return adopt(asked);
    rights.forget();
    const { answer, dead, isRenewal } = await askRefresh(remote, stored);
    if (readStoredSession(store)?.token !== asked) return adopt(asked);
    if (dead !== null && remote.token() === asked) on.onDead(dead);
    const taken = take(answer);
    if (isRenewal && taken.success) on.replaced.add(asked);
    rights.again();
    return taken;
  };
  return () => {
    next ??= inTurn(refresh);
    return next;
  };
}

const isOtherThan = (user: SessionUser, { isAdmin, chatDisabled }: Rights): boolean =>
  user.isAdmin !== isAdmin || (user.chatDisabled === true) !== chatDisabled;

function withRights(session: StoredSession, { isAdmin, chatDisabled }: Rights): StoredSession {
  const { chatDisabled: _before, ...user } = session.user;
  return { ...session, user: { ...user, isAdmin, ...(chatDisabled && { chatDisabled }) } };
}

/** Keeps what the feed said last: the answer of a refresh sent meanwhile may be older. */
function createRights(apply: (rights: Rights) => void) {
  let last: Rights | null = null;
  return {
    note(rights: Rights) {
      last = rights;
      apply(rights);
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

interface Refreshed {
  answer: Answer;
  /** Null where the token is not known to be dead. */
  dead: DeadToken | null;
  isRenewal?: boolean;
}

/**
 * A dead token is renewed with the device's secret. A 401 may also mean that a busy database could
 * not look the token up, so the feed is asked as well before anything ends.
 */
async function askRefresh(remote: Remote, stored: StoredSession): Promise<Refreshed> {
  const answer = await remote.refresh();
  if (answer.kind !== "refusal" || answer.status !== 401) return { answer, dead: null };
  if (stored.session !== undefined && !stored.needsLogin) {
    const options = { method: "POST", anonymous: true, withSession: true } as const;
    const renewed = await remote.request("/api/account/sessions/renew", options);
    if (renewed.kind !== "refusal") return { answer: renewed, dead: null, isRenewal: true };
  }
  const word = await remote.request("/api/sync", { query: { since: "head" }, asIs: true });
  const code = word.kind === "refusal" ? word.code : null;
  if (code === "suspended" || code === "unauthenticated") return { answer, dead: code };
  return { answer: unsure(401), dead: null };
}

async function isUsernameTaken(remote: Remote, username: string): Promise<Result<boolean>> {
  if (isReservedName(username)) return ok(true);
  const answer = await remote.request("/api/collections/profiles/records", {
    query: {
      filter: filterOf("username:lower = {:name}", { name: username.toLowerCase() }),
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
  const session = isRecord(body["meta"]) ? parseSecret(body["meta"]["session"]) : null;
  const known = { token: body["token"], needsLogin: false, ...(session && { session }) };
  return user === null ? null : { ...known, user };
}

function guessesOf(body: unknown): Guesses | null {
  const meta = isRecord(body) && isRecord(body["meta"]) ? body["meta"] : {};
  const { wrongGuesses } = meta;
  if (!isRecord(wrongGuesses)) return null;
  const { count, lastAt } = wrongGuesses;
  return { count: Number(count), lastAt: parseInstant(lastAt) };
}

const keyOf = ({ session }: StoredSession): string =>
  session === undefined ? "" : `${session.id}.${session.secret}`;

const senderOf = (stored: StoredSession): Sender => ({
  token: stored.token,
  userId: stored.user.id,
  session: keyOf(stored),
});

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
    remote.request(path, {
      method: "POST",
      body: { ...body },
      withSession: true,
      ...(timeoutMs && { timeoutMs }),
    });
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
        withSession: true,
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
