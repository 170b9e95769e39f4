/** All requests to the server. */
import { type Answer, mayBeGuest, noAnswer, readAnswer } from "./answers";

const REQUEST_TIMEOUT_MS = 30_000;
/** A finish carries two pictures over what may be a poor line. */
const FORM_TIMEOUT_MS = 120_000;

export const records = (collection: string, id?: string): string =>
  `/api/collections/${collection}/records${id === undefined ? "" : `/${id}`}`;

/** `text` with each `{:name}` replaced by its value, quoted where that is text. */
export const filterOf = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{:(\w+)\}/g, (_, name: string) => JSON.stringify(values[name] ?? ""));

/** POST of a row with a composed id, or DELETE of it. */
export const togglePair = (
  collection: string,
  id: string,
  on: boolean,
  fields: Record<string, string>,
): RequestOptions & { path: string } =>
  on
    ? { path: records(collection), method: "POST", body: { id, ...fields } }
    : { path: records(collection, id), method: "DELETE" };

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Longest wait, milliseconds, for what takes the server long. */
  timeoutMs?: number;
  anonymous?: boolean;
  /** Names this device's session to the server. */
  withSession?: boolean;
  /** A refusal is taken as it is: the token is being judged by this very request. */
  asIs?: boolean;
}

export interface RemoteDeps {
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  delay: (ms: number) => Promise<void>;
  /** Told after each request whether it was our server that answered. */
  onAnswer: (ours: boolean) => void;
  /** Asks the server about a token with which a request was refused. */
  judgeToken: (token: string) => Promise<TokenVerdict>;
}

/** `renewed`: it was dead, and there is another by now. */
export type TokenVerdict = "good" | "renewed" | "unchecked";

/** In whose name requests are sent. `session` is `{id}.{secret}`. */
export interface Sender {
  token: string;
  userId: string;
  session: string;
}

export const NOBODY: Sender = { token: "", userId: "", session: "" };

export type Remote = ReturnType<typeof createRemote>;

export function createRemote(deps: RemoteDeps) {
  let sender = NOBODY;
  const stop = new AbortController();
  const observe = (url: string, init: RequestInit, timeoutMs?: number) =>
    observeRequest(deps, url, { ...init, signal: stop.signal }, timeoutMs);
  const address = (path: string) => `${deps.baseUrl}${path}`;
  const sessionHeaders = () => ({ "X-Session": sender.session || "new" });
  const send = (path: string, options: RequestOptions) =>
    observe(
      address(path) + queryText(options.query),
      requestInit(options, {
        ...(sender.token !== "" && !options.anonymous && { Authorization: sender.token }),
        ...(options.withSession && sessionHeaders()),
      }),
      options.timeoutMs,
    );
  return {
    /** What a dead token was refused for is sent once more, with the next one. */
    async request(path: string, options: RequestOptions = {}): Promise<Answer> {
      const { token, userId } = sender;
      const again = async (otherwise: Answer) =>
        sender.userId === userId ? send(path, options) : otherwise;
      let answer = await send(path, options);
      if ((options.method ?? "GET") === "GET" && isBusy(answer)) {
        await deps.delay(BUSY_MS);
        answer = await again(answer);
      }
      const isPlain = options.anonymous === true || options.asIs === true || token === "";
      if (isPlain || answer.kind !== "refusal" || !mayBeGuest(answer)) return answer;
      const verdict = await deps.judgeToken(token);
      if (verdict === "renewed") return again(answer);
      return verdict === "good" ? { ...answer, isTokenGood: true } : answer;
    },
    signIn: (email: string, password: string) =>
      send("/api/collections/users/auth-with-password", {
        method: "POST",
        body: { identity: email, password },
        anonymous: true,
        withSession: true,
      }),
    refresh: () =>
      send("/api/collections/users/auth-refresh", { method: "POST", withSession: true }),
    address,
    token: () => sender.token,
    setSender(next: Sender) {
      sender = next;
    },
    close: () => stop.abort(),
  };
}

/** Others at this address are reading: the next try is likely to find a turn. */
const isBusy = (answer: Answer): boolean =>
  answer.kind === "unknown" && answer.code === "rate_limited" && answer.retryAfter === 1;

const BUSY_MS = 1_000;

async function observeRequest(
  deps: RemoteDeps,
  url: string,
  init: RequestInit,
  timeoutMs?: number,
): Promise<Answer> {
  const usual = init.body instanceof FormData ? FORM_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
  const answer = await fetchAnswer(deps.fetch, url, init, timeoutMs ?? usual);
  if (init.signal?.aborted !== true) deps.onAnswer(answer.kind !== "unknown" || answer.ours);
  return answer;
}

async function fetchAnswer(
  fetch: RemoteDeps["fetch"],
  url: string,
  init: RequestInit,
  limit: number,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(limit);
  const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout;
  try {
    // A portal that redirects to its own page must not look like an answer.
    return await readAnswer(await fetch(url, { ...init, redirect: "error", signal }));
  } catch {
    return noAnswer(timeout.aborted ? "timeout" : "network");
  }
}

function requestInit(options: RequestOptions, headers: Record<string, string>): RequestInit {
  const { method = "GET", body } = options;
  if (body === undefined) return { method, headers };
  if (body instanceof FormData) return { method, headers, body };
  return {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}

function queryText(query: RequestOptions["query"]): string {
  const pairs = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
