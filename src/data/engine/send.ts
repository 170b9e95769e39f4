/**
 * Sends one intent and says what became of it. An answer is classified here and nowhere else
 * (architecture, "Answers are classified once"), in two steps: a verdict on the answer, then the
 * outcome for the row.
 *
 *     verdict         outcome   the row                 the lane
 *     settled         settled   acked                   goes on
 *     refused         refused   refused, with reason    goes on
 *     needs-login     waits     pending, until sign-in  waits
 *     retry           waits     pending, with a pause   waits; refused once its time is used up
 *     compare         the id is taken: settled where the server's row is ours and equal, else
 *                     refused
 *     check-token     the server may have taken us for a guest: ask about the token, classify again
 */
import type { ErrorCode } from "@/domain/error-codes";
import { retryDelay } from "@/lib/backoff";
import { type Answer, mayBeGuest, type Refusal, refusalCode } from "./answers";
import type { Intent, Kind, Replica } from "./noun";
import { readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";

export const RETRY_MOST_MS = 30_000;
/** Longest pause that a server may ask for. */
export const ASKED_MOST_MS = 3_600_000;

export type Verdict =
  /** `gone`: there is nothing left to do, because what it is about is not there. */
  | { kind: "settled"; body: unknown; gone?: true }
  | { kind: "compare" }
  | { kind: "check-token" }
  | { kind: "needs-login" }
  /** The same identity again; `after` is the server's wish in milliseconds. */
  | { kind: "retry"; code: ErrorCode; after: number | null }
  | { kind: "refused"; code: ErrorCode; message: string };

/** What is to be written of a row that was sent. */
export interface Outcome {
  kind: "settled" | "refused" | "waits";
  change: Partial<OutboxRow>;
}

export interface SendDeps {
  replica: Pick<Replica, "outbox" | "nouns">;
  server: {
    /** Sends one intent; `signal` fires when it is discarded, paused or cut off. */
    send: (intent: Intent, row: OutboxRow, signal: AbortSignal) => Promise<Answer>;
    look: (path: string) => Promise<Answer>;
    /** The token that requests carry now. */
    token: () => string;
    /** What the server thinks of the token that an answer was given to: `unchecked` if replaced. */
    checkToken: (sentWith: string) => Promise<"good" | "bad" | "unchecked">;
    onSent: (kind: Kind, body: Intent["body"], record: unknown) => Promise<void>;
  };
  /** False while there is no connection or a sign-in is needed: nothing is tried then. */
  maySend: () => boolean;
  clock: {
    now: () => number;
    random: () => number;
    delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  };
  log: (message: string, error: unknown) => void;
}

export async function sendOne(
  deps: SendDeps,
  row: OutboxRow,
  signal: AbortSignal,
): Promise<Outcome> {
  const read = deps.replica.nouns.read(row);
  if (read === null) return refused("invalid", "");
  const { kind, intent } = read;
  const began = deps.clock.now();
  try {
    const sentWith = deps.server.token();
    const answer = await deps.server.send(intent, row, signal);
    const verdict = await judge(deps, { ...read, answer, sentWith });
    if (verdict.kind === "settled") await deps.server.onSent(kind, intent.body, verdict.body);
    return await outcomeOf(deps, { row, kind, verdict, began });
  } catch (error) {
    deps.log("Sending failed on this device", error);
    const verdict: Verdict = { kind: "retry", code: "server", after: null };
    return retryLater(deps, { row, kind, verdict, began });
  }
}

const refused = (code: OutboxRow["code"], message: string): Outcome => ({
  kind: "refused",
  change: { state: "refused", code, message },
});

interface Judged {
  kind: Kind;
  intent: Intent;
  answer: Answer;
  sentWith: string;
}

async function judge(deps: SendDeps, judged: Judged): Promise<Verdict> {
  const { kind, intent, answer, sentWith } = judged;
  const duplicate = kind.duplicateSettles?.(intent.body) ?? null;
  const context: AnswerContext = {
    token: answer.kind === "refusal" && answer.isTokenGood ? "good" : "unchecked",
    goneSettles: kind.goneSettles?.(intent.body) ?? false,
    duplicate: duplicate === null ? null : duplicate === true ? "settled" : "compare",
  };
  const verdict = classifyAnswer(answer, context);
  if (verdict.kind === "compare" && duplicate !== null && duplicate !== true) {
    return compare(deps, duplicate);
  }
  if (verdict.kind !== "check-token") return verdict;
  const token = await deps.server.checkToken(sentWith);
  if (token === "unchecked") return { kind: "retry", code: "network", after: null };
  return classifyAnswer(answer, { ...context, token });
}

/** The row under the taken id: mine and equal is success (law 2). */
async function compare(
  { server }: SendDeps,
  { path, equal }: { path: string; equal: Record<string, string> },
): Promise<Verdict> {
  const sentWith = server.token();
  const answer = await server.look(path);
  if (answer.kind === "unknown") return { kind: "retry", code: answer.code, after: null };
  if (answer.kind === "refusal") {
    // A guest is shown less, and a token that could not be looked up is a guest's.
    const token = answer.isTokenGood ? "good" : await server.checkToken(sentWith);
    if (token === "bad") return { kind: "needs-login" };
    if (token === "unchecked") return { kind: "retry", code: "network", after: null };
    return { kind: "refused", code: "conflict", message: "" };
  }
  const row = answer.body as Record<string, unknown>;
  return Object.entries(equal).every(([name, value]) => row[name] === value)
    ? { kind: "settled", body: answer.body }
    : { kind: "refused", code: "conflict", message: "" };
}

export interface AnswerContext {
  /** What auth-refresh said about the token since this answer. */
  token: "unchecked" | "good" | "bad";
  goneSettles: boolean;
  duplicate: "settled" | "compare" | null;
}

export function classifyAnswer(answer: Answer, context: AnswerContext): Verdict {
  switch (answer.kind) {
    case "accepted":
      return { kind: "settled", body: answer.body };
    case "unknown": {
      if (answer.code === "quota") return { kind: "refused", code: "quota", message: "" };
      const after = answer.retryAfter === null ? null : answer.retryAfter * 1000;
      return { kind: "retry", code: answer.code, after };
    }
    case "refusal":
      return classifyRefusal(answer, context);
  }
}

function classifyRefusal(answer: Refusal, context: AnswerContext): Verdict {
  const code = refusalCode(answer);
  if (context.token === "bad") return { kind: "needs-login" };
  if (code === "duplicate" && context.duplicate !== null) {
    return context.duplicate === "settled" ? { kind: "settled", body: null } : { kind: "compare" };
  }
  if (context.token === "unchecked" && mayBeGuest(answer)) return { kind: "check-token" };
  // PocketBase also says this of a token or a rule that a busy database could not look up.
  if (context.token === "good" && (isBare(answer) || answer.code === "unauthenticated")) {
    return { kind: "retry", code: "server", after: null };
  }
  const gone = answer.status === 404 || answer.status === 410;
  if (gone && context.goneSettles) return { kind: "settled", body: null, gone };
  return { kind: "refused", code, message: answer.message };
}

/** PocketBase's own refusal without a code, which may mean that it could not look something up. */
export const isBare = ({ code, fields, status }: Refusal): boolean =>
  code === null && Object.keys(fields).length === 0 && (status === 400 || status === 401);

interface Sent<V extends Verdict = Verdict> {
  row: OutboxRow;
  kind: Kind;
  verdict: V;
  began: number;
}

async function outcomeOf(deps: SendDeps, sent: Sent): Promise<Outcome> {
  const { row, verdict } = sent;
  switch (verdict.kind) {
    case "settled": {
      const code = verdict.gone ? "gone" : "";
      return { kind: "settled", change: { state: "acked", code, message: "" } };
    }
    case "refused":
      // What it needs is queued again: a restored server lost it while this was being sent.
      if (sent.kind.lacks?.(verdict.code) && (await isRequiredQueued(deps, row))) {
        return { kind: "waits", change: { state: "pending" } };
      }
      return refused(verdict.code, verdict.message);
    case "needs-login":
      return { kind: "waits", change: { state: "pending", code: "unauthenticated" } };
    case "retry":
      return retryLater(deps, { ...sent, verdict });
    case "compare":
    case "check-token":
      throw new Error(`Not a final verdict: ${verdict.kind}`);
  }
}

/** Whether the intent that makes the row it requires is still to be sent, before it in its lane. */
async function isRequiredQueued({ replica }: SendDeps, row: OutboxRow): Promise<boolean> {
  const read = replica.nouns.read(row);
  const required = read?.kind.requires?.(read.intent.body).made.kind;
  if (required === undefined) return false;
  const waiting = await readRows(replica, "pending");
  return waiting.some(
    ({ kind, lane, place }) => kind === required && lane === row.lane && place < row.place,
  );
}

/** A pause, or refused when the online time that it may take is used up (resolution 41). */
function retryLater(
  { clock, maySend }: Pick<SendDeps, "clock" | "maySend">,
  { row, kind, verdict, began }: Sent<Extract<Verdict, { kind: "retry" }>>,
): Outcome {
  const attempts = row.attempts + 1;
  const asked = verdict.after === null ? null : Math.min(verdict.after, ASKED_MOST_MS);
  const pause = asked ?? retryDelay(attempts, clock.random, RETRY_MOST_MS);
  const most = kind.retryMs ?? 0;
  // A clock that was set meanwhile must not use the time up at one try.
  const took = Math.min(Math.max(0, clock.now() - began), most / 2);
  // A pause that the server asked for is not time spent; nor is any while there is no connection.
  const tried = maySend() ? took + (asked === null ? pause : 0) : 0;
  const spent = row.spent + tried;
  if (spent >= most) {
    const { change } = refused("timeout", "");
    return { kind: "refused", change: { ...change, attempts, spent } };
  }
  const nextAt = clock.now() + pause;
  return {
    kind: "waits",
    change: { state: "pending", code: verdict.code, attempts, spent, nextAt },
  };
}
