/** The session stored on this device. It is in the entry chunk, so it imports types only. */
import type { KeyValue } from "@/data/engine/deps";
import type { SessionState, SessionUser } from "@/data/shapes";

export interface StoredSession {
  token: string;
  user: SessionUser;
  /** The server refuses `token`: the person is asked to sign in, and nothing is removed. */
  needsLogin: boolean;
  /** With its secret this device gets a fresh token. None, until the server has given one. */
  session?: DeviceSecret;
}

export interface DeviceSecret {
  id: string;
  secret: string;
}

/** Stored on users' devices: never rename. */
export const SESSION_KEY = "augenblick.session";

/** `{id}.{secret}` of the session that was ended here last. On users' devices: never rename. */
export const DEVICE_KEY = "augenblick.device";

export function readStoredSession(store: KeyValue): StoredSession | null {
  try {
    return parseSession(JSON.parse(store.getItem(SESSION_KEY) ?? "null"));
  } catch {
    return null;
  }
}

export function writeStoredSession(store: KeyValue, session: StoredSession | null): void {
  if (session === null) store.removeItem(SESSION_KEY);
  else store.setItem(SESSION_KEY, JSON.stringify(session));
}

/** What the first paint shows, without waiting for the client. */
export function readSessionState(store: KeyValue): SessionState {
  return sessionState(readStoredSession(store));
}

export const sessionState = (session: StoredSession | null): SessionState =>
  session === null
    ? { state: "signed-out" }
    : { state: "signed-in", user: session.user, needsLogin: session.needsLogin };

function parseSession(value: unknown): StoredSession | null {
  if (typeof value !== "object" || value === null) return null;
  const { token, user, needsLogin, session } = value as Record<string, unknown>;
  const person = parseSessionUser(user);
  if (typeof token !== "string" || token === "" || person === null) return null;
  const secret = parseSecret(session);
  const known = { token, user: person, needsLogin: needsLogin === true };
  return secret === null ? known : { ...known, session: secret };
}

export function parseSecret(value: unknown): DeviceSecret | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, secret } = value as Record<string, unknown>;
  return typeof id === "string" && typeof secret === "string" ? { id, secret } : null;
}

/** From a `users` record or a stored user; null when it is neither. */
export function parseSessionUser(value: unknown): SessionUser | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, email, username, isAdmin, chatDisabled } = value as Record<string, unknown>;
  if (typeof id !== "string" || id === "" || typeof username !== "string") return null;
  return {
    id,
    email: typeof email === "string" ? email : "",
    username,
    isAdmin: isAdmin === true,
    ...(chatDisabled === true && { chatDisabled }),
  };
}
