/** Sends one intent, and says what is to be written of it. */

import type { Answer } from "@/data/remote/answers";
import { codeOfStorageError } from "@/data/remote/storage-errors";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { lacksConversation } from "@/domain/chats";
import { retryDelay } from "@/lib/backoff";
import { type AnswerContext, classifyAnswer, type Verdict } from "./classify-answer";
import { type Intent, type IntentRule, intentRule, parseIntent } from "./intents";
import { readRows } from "./read-queue";

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
      if (lacksConversation(verdict.code) && (await isBehindItsChat(deps, row))) {
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
