/** Sends one intent, and says what is to be written of it. */

import type { ErrorCode } from "@/domain/error-codes";
import { retryDelay } from "@/lib/backoff";
import { type Answer, codeOfStorageError, type Refusal, refusalCode } from "./answers";
import { type Intent, type IntentRule, intentRule, parseIntent } from "./intents";
import { readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import type { Replica } from "./store";

/** Longest pause between two tries, milliseconds. */
export const RETRY_MOST_MS = 30_000;

/** Longest pause that a server may ask for. */
export const ASKED_MOST_MS = 3_600_000;

export interface SenderDeps {
  replica: Pick<Replica, "outbox">;
  /** Sends one intent; `signal` fires when the person discards it. */
  send: (intent: Intent, row: OutboxRow, signal: AbortSignal) => Promise<Answer>;
  /** Reads the row whose id was taken. */
  look: (path: string) => Promise<Answer>;
  /** Asks the server about the token: a 401, a yes, or nothing. */
  checkToken: () => Promise<"good" | "bad" | "unchecked">;
  /** After a yes, before the row counts as sent. */
  onDone: (intent: Intent, body: unknown) => Promise<void>;
  /** The outbox changed for good: pull. */
  onAcked: () => void;
  /** Nothing is in flight, and nothing may start now. */
  onIdle: () => void;
  /** Whether this tab moves the queue: whatever another one does is left alone. */
  leads: () => boolean;
  /** False while there is no connection or a sign-in is needed: nothing is tried then. */
  maySend: () => boolean;
  /** False where files are to wait, on a metered connection for one; absent: they never are. */
  mayUpload?: (() => boolean) | undefined;
  now: () => number;
  random: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  log: (message: string, error: unknown) => void;
}

/** What is to be written of it: the server has it, it said no, or the lane waits with it. */
export interface Landing {
  kind: "acked" | "refused" | "waits";
  change: Partial<OutboxRow>;
}

export async function sendOne(
  deps: SenderDeps,
  row: OutboxRow,
  signal: AbortSignal,
): Promise<Landing> {
  const intent = parseIntent(row);
  if (intent === null) return refused("invalid", "");
  const began = deps.now();
  try {
    const verdict = await judge(deps, intent, await deps.send(intent, row, signal));
    return await settle(deps, { intent, row, verdict, began });
  } catch (error) {
    deps.log("Sending failed on this device", error);
    return retryLater(deps, row, { kind: "retry", code: "server", after: null }, began);
  }
}

const refused = (code: OutboxRow["code"], message: string): Landing => ({
  kind: "refused",
  change: { state: "refused", code, message },
});

async function judge(deps: SenderDeps, intent: Intent, answer: Answer): Promise<Verdict> {
  const rule = intentRule(intent);
  const duplicate =
    typeof rule.duplicate === "object" && rule.duplicate ? "compare" : rule.duplicate;
  const context: AnswerContext = {
    token: "unchecked",
    goneIsDone: rule.goneIsDone,
    duplicate: duplicate === "compare" || duplicate === "done" ? duplicate : null,
  };
  const verdict = classifyAnswer(answer, context);
  if (verdict.kind === "compare") return compare(deps, rule);
  if (verdict.kind !== "check-token") return verdict;
  const token = await deps.checkToken();
  if (token === "unchecked") return { kind: "retry", code: "network", after: null };
  return classifyAnswer(answer, { ...context, token });
}

/** The row under the taken id: mine and equal is success (law 2). */
async function compare(deps: SenderDeps, rule: IntentRule): Promise<Verdict> {
  if (rule.duplicate === null || rule.duplicate === "done") return { kind: "done", body: null };
  const { path, equal } = rule.duplicate;
  const answer = await deps.look(path);
  if (answer.kind === "unknown") return { kind: "retry", code: answer.code, after: null };
  if (answer.kind === "refusal") {
    // A guest is shown less, and a token that could not be looked up is a guest's.
    const token = await deps.checkToken();
    if (token === "bad") return { kind: "needs-login" };
    if (token === "unchecked") return { kind: "retry", code: "network", after: null };
  }
  const row = answer.kind === "accepted" ? (answer.body as Record<string, unknown>) : {};
  const mine = Object.entries(equal).every(([name, value]) => row[name] === value);
  return mine
    ? { kind: "done", body: answer.kind === "accepted" ? answer.body : null }
    : { kind: "refused", code: "conflict", message: "" };
}

async function settle(
  deps: SenderDeps,
  {
    intent,
    row,
    verdict,
    began,
  }: { intent: Intent; row: OutboxRow; verdict: Verdict; began: number },
): Promise<Landing> {
  switch (verdict.kind) {
    case "done":
      await deps.onDone(intent, verdict.body);
      return {
        kind: "acked",
        change: { state: "acked", code: verdict.gone ? "gone" : "", message: "" },
      };
    case "refused":
      // A chat that a restored server lost was offered again while this was on its way.
      if (verdict.code === "not_found" && (await isBehindItsChat(deps, row))) {
        return { kind: "waits", change: { state: "pending" } };
      }
      return refused(verdict.code, verdict.message);
    case "needs-login":
      return { kind: "waits", change: { state: "pending", code: "unauthenticated" } };
    case "retry":
      return retryLater(deps, row, verdict, began);
    case "compare":
    case "check-token":
      throw new Error(`An unsettled verdict: ${verdict.kind}`);
  }
}

/** Whether the beginning of the chat that it belongs to is still to be sent, before it. */
async function isBehindItsChat({ replica }: SenderDeps, row: OutboxRow): Promise<boolean> {
  const waiting = await readRows(replica, "pending");
  return waiting.some(
    ({ kind, lane, place }) =>
      kind === "conversation.create" && lane === row.lane && place < row.place,
  );
}

/** A pause, or refused when the online time that it may take is used up (resolution 41). */
function retryLater(
  deps: SenderDeps,
  row: OutboxRow,
  verdict: Extract<Verdict, { kind: "retry" }>,
  began: number,
): Landing {
  const intent = parseIntent(row);
  const attempts = row.attempts + 1;
  const asked = verdict.after === null ? null : Math.min(verdict.after, ASKED_MOST_MS);
  const pause = asked ?? retryDelay(attempts, deps.random, RETRY_MOST_MS);
  const most = intent === null ? 0 : intentRule(intent).retryMs;
  // A clock that was set meanwhile must not use the time up at one try.
  const took = Math.min(Math.max(0, deps.now() - began), most / 2);
  // A pause that the server asked for is not time spent; nor is any while there is no connection.
  const tried = deps.maySend() ? took + (asked === null ? pause : 0) : 0;
  const spent = row.spent + tried;
  if (intent !== null && spent >= most) {
    const { kind, change } = refused(codeOfStorageError("retry-limit-exceeded"), "");
    return { kind, change: { ...change, attempts, spent } };
  }
  const nextAt = deps.now() + pause;
  return {
    kind: "waits",
    change: { state: "pending", code: verdict.code, attempts, spent, nextAt },
  };
}

/** What an answer means for an intent: decided here and nowhere else (architecture, "Answers are classified once"). */

export type Verdict =
  /** `gone`: as wanted because what it is about is not there. */
  | { kind: "done"; body: unknown; gone?: true }
  /** The id is taken: look whether the row is mine and equal. */
  | { kind: "compare" }
  /** The server may have taken us for a guest: ask it about the token, then judge again. */
  | { kind: "check-token" }
  | { kind: "needs-login" }
  /** The same identity again; `after` is the server's wish in milliseconds. */
  | { kind: "retry"; code: ErrorCode; after: number | null }
  | { kind: "refused"; code: ErrorCode; message: string };

export interface AnswerContext {
  /** What auth-refresh said about the token since this answer. */
  token: "unchecked" | "good" | "bad";
  goneIsDone: boolean;
  duplicate: "done" | "compare" | null;
}

export function classifyAnswer(answer: Answer, context: AnswerContext): Verdict {
  switch (answer.kind) {
    case "accepted":
      return { kind: "done", body: answer.body };
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
  if (answer.code === "unauthenticated" || context.token === "bad") {
    return { kind: "needs-login" };
  }
  if (code === "duplicate" && context.duplicate !== null) {
    return context.duplicate === "done" ? { kind: "done", body: null } : { kind: "compare" };
  }
  // To a guest PocketBase says 400, 401, 403 or 404 like to anyone: only our own word is certain.
  if (answer.code === null && context.token === "unchecked" && isGuestStatus(answer.status)) {
    return { kind: "check-token" };
  }
  // It says the same of a token or a rule that a busy database could not look up; a rule of ours has a word.
  if (context.token === "good" && isBare(answer)) {
    return { kind: "retry", code: "server", after: null };
  }
  const gone = answer.status === 404 || answer.status === 410;
  if (gone && context.goneIsDone) return { kind: "done", body: null, gone };
  return { kind: "refused", code, message: answer.message };
}

/** Neither a word of ours nor a field's fault: PocketBase's own no, which may also mean that it could not look. */
export const isBare = ({ code, fields, status }: Refusal): boolean =>
  code === null && Object.keys(fields).length === 0 && (status === 400 || status === 401);

const isGuestStatus = (status: number): boolean =>
  status === 400 || status === 401 || status === 403 || status === 404;
