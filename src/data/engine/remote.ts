/** All requests to the server. The SDK is used for sign-in and filters only. */
import PocketBase, { BaseAuthStore, ClientResponseError } from "pocketbase";
import { type Accepted, type Answer, noAnswer, readAnswer } from "./answers";

const REQUEST_TIMEOUT_MS = 30_000;
/** A finish carries two pictures over what may be a poor line. */
const FORM_TIMEOUT_MS = 120_000;

export const records = (collection: string, id?: string): string =>
  `/api/collections/${collection}/records${id === undefined ? "" : `/${id}`}`;

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
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Longest wait, milliseconds, for what takes the server long. */
  timeoutMs?: number;
  anonymous?: boolean;
}

export interface RemoteDeps {
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Told after each request whether it was our server that answered. */
  onAnswer: (ours: boolean) => void;
}

class AnswerFault extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(answer.kind);
    this.answer = answer;
  }
}

export type Remote = ReturnType<typeof createRemote>;

export function createRemote(deps: RemoteDeps) {
  // The SDK's store changes by itself at a sign-in. Requests use our own token, so that nothing
  // queued by one user is ever sent as another.
  const sdkStore = new BaseAuthStore();
  let token = "";
  const sdk = new PocketBase(deps.baseUrl, sdkStore);
  sdk.autoCancellation(false);
  const stop = new AbortController();
  const observe = (url: string, init: RequestInit, timeoutMs?: number) =>
    observeRequest(deps, url, { ...init, signal: stop.signal }, timeoutMs);
  sdk.beforeSend = (url, options) => ({
    url,
    options: {
      ...options,
      fetch: (to: RequestInfo | URL, init: RequestInit = {}) =>
        fetchForSdk(observe, String(to), init),
    },
  });
  const address = (path: string) => `${deps.baseUrl}${path}`;
  const users = sdk.collection("users");
  return {
    request: (path: string, options: RequestOptions = {}) =>
      observe(
        address(path) + queryText(options.query),
        requestInit(options, options.anonymous ? "" : token),
        options.timeoutMs,
      ),
    filter: (text: string, values: Record<string, unknown>) => sdk.filter(text, values),
    signIn: (email: string, password: string) => judged(users.authWithPassword(email, password)),
    refresh() {
      sdkStore.save(token);
      return judged(users.authRefresh());
    },
    address,
    token: () => token,
    setToken(next: string) {
      token = next;
    },
    close: () => stop.abort(),
  };
}

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

async function fetchForSdk(
  observe: (url: string, init: RequestInit) => Promise<Answer>,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const answer = await observe(url, init);
  if (answer.kind !== "accepted") throw new AnswerFault(answer);
  return Response.json(answer.body, { status: answer.status });
}

/** The SDK's promise as an answer: its error carries ours within. */
async function judged(call: Promise<unknown>): Promise<Answer> {
  try {
    return { kind: "accepted", status: 200, body: await call } satisfies Accepted;
  } catch (error) {
    const cause: unknown = error instanceof ClientResponseError ? error.originalError : error;
    if (cause instanceof AnswerFault) return cause.answer;
    throw error;
  }
}

function requestInit(options: RequestOptions, token: string): RequestInit {
  const { method = "GET", body } = options;
  const headers: Record<string, string> = token === "" ? {} : { Authorization: token };
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
