/**
 * Sends what lies in the outbox. Runs in the leading tab only. A row goes pending → sending → acked, or back
 * to pending with a time, or to refused; a row found "sending" at the start was cut off and is pending. One that the
 * person paused holds its lane.
 */

import type { RxDocument } from "rxdb";
import type { Answer } from "@/data/remote/answers";
import { codeOfStorageError } from "@/data/remote/storage-errors";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { retryDelay } from "@/lib/backoff";
import { type AnswerContext, classifyAnswer, type Verdict } from "./classify-answer";
import { type Intent, type IntentRule, intentRule, parseIntent } from "./intents";
import { type Candidate, nextWake, pickSendable } from "./pick-sendable";

/** Longest pause between two tries, milliseconds. */
const RETRY_MOST_MS = 30_000;

/** Longest pause that a server may ask for. */
const ASKED_MOST_MS = 3_600_000;

/** Reason of the abort for what the person threw away, as opposed to what is cut off. */
export const DISCARDED = "discarded";

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
  /** False while there is no connection or a sign-in is needed: nothing is tried then. */
  maySend: () => boolean;
  /** False where files are to wait, on a metered connection for one; absent: they never are. */
  mayUpload?: (() => boolean) | undefined;
  now: () => number;
  random: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  log: (message: string, error: unknown) => void;
}

export interface Sender {
  /** Starts whatever may go now. */
  wake(): Promise<void>;
  /** Forgets the pauses between tries, then wakes. */
  drain(): Promise<void>;
  retry(intentId: string): Promise<void>;
  /** Stops sending it, if it is being sent: for good, or so that it goes on later. */
  cancel(intentId: string, why: typeof DISCARDED | "paused"): void;
  /** Cuts off what is being sent of files: it goes on where it stopped once files may go. */
  holdFiles(): void;
  isBusy(): boolean;
  /** Resolves when nothing is in flight. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Flight {
  stop: AbortController;
  done: Promise<void>;
  isFile: boolean;
}

export function createSender(deps: SenderDeps): Sender {
  const { outbox } = deps.replica;
  const flights = new Map<string, Flight>();
  let closed = false;
  let started: Promise<void> | null = null;
  let alarm = new AbortController();
  let waking: Promise<void> = Promise.resolve();

  const tick = async () => {
    started ??= resumeCut(outbox);
    await started;
    if (closed || !deps.maySend()) {
      if (flights.size === 0) deps.onIdle();
      return;
    }
    const rows = await outbox
      .find({ selector: { state: { $in: ["pending", "sending", "paused"] } } })
      .exec();
    const candidates = rows.map(candidateOf(flights, deps.now(), deps.mayUpload?.() === false));
    for (const pick of pickSendable(candidates, deps.now())) fly(pick);
    if (flights.size === 0) deps.onIdle();
    setAlarm(nextWake(candidates, deps.now()));
  };
  const wake = () => {
    waking = waking.then(tick).catch((error) => deps.log("The outbox could not be read", error));
    return waking;
  };
  const setAlarm = (at: number | null) => {
    alarm.abort();
    if (at === null || closed) return;
    const mine = new AbortController();
    alarm = mine;
    void deps.delay(Math.max(0, at - deps.now()), mine.signal).then(() => {
      if (!mine.signal.aborted) void wake();
    });
  };
  const fly = ({ id, priority }: Candidate) => {
    if (flights.has(id)) return;
    const stop = new AbortController();
    const done = sendOne(deps, id, stop.signal)
      .catch((error) => deps.log("An intent could not be sent", error))
      .finally(() => {
        flights.delete(id);
        if (!closed) void wake();
      });
    flights.set(id, { stop, done, isFile: priority > 0 });
  };
  const landed = async () => {
    await waking;
    await Promise.all([...flights.values()].map((flight) => flight.done));
  };

  return {
    wake,
    async drain() {
      const rows = await outbox.find({ selector: { state: "pending" } }).exec();
      const paused = rows.filter((doc) => doc.nextAt > 0);
      await Promise.all(paused.map((doc) => doc.incrementalPatch({ nextAt: 0 })));
      await wake();
    },
    async retry(intentId) {
      await makePending(outbox, intentId);
      await wake();
    },
    cancel: (intentId, why) => flights.get(intentId)?.stop.abort(why),
    holdFiles: () => abortFiles(flights),
    isBusy: () => flights.size > 0,
    settled: landed,
    async close() {
      closed = true;
      alarm.abort();
      for (const flight of flights.values()) flight.stop.abort();
      await landed();
    },
  };
}

async function resumeCut(outbox: Replica["outbox"]): Promise<void> {
  const cut = await outbox.find({ selector: { state: "sending" } }).exec();
  await Promise.all(cut.map((doc) => doc.incrementalModify(pendingAgain)));
}

function abortFiles(flights: ReadonlyMap<string, Flight>): void {
  for (const { stop, isFile } of flights.values()) if (isFile) stop.abort("held");
}

async function makePending(outbox: Replica["outbox"], intentId: string): Promise<void> {
  const doc = await outbox.findOne(intentId).exec();
  if (doc === null || ["sending", "acked", "kept"].includes(doc.state)) return;
  await doc.incrementalPatch({ state: "pending", nextAt: 0, spent: 0, code: "", message: "" });
}

/** The server may have heard of it: that counts as a try. */
const pendingAgain = (row: OutboxRow): OutboxRow => ({
  ...row,
  state: "pending",
  attempts: row.attempts + 1,
});

const candidateOf =
  (flights: ReadonlyMap<string, unknown>, now: number, filesWait: boolean) =>
  (doc: RxDocument<OutboxRow>): Candidate => {
    const row = doc.toJSON() as OutboxRow;
    const intent = parseIntent(row);
    // No pause is longer: the clock was set back since, and what was to wait a moment would wait a day.
    const longest = row.code === "rate_limited" ? ASKED_MOST_MS : RETRY_MOST_MS;
    const nextAt = row.nextAt > now + longest ? 0 : row.nextAt;
    const priority = intent === null ? 0 : intentRule(intent).priority;
    const waits = row.state === "paused" || (filesWait && priority > 0);
    return {
      id: row.id,
      lane: row.lane,
      place: row.place,
      priority,
      nextAt: waits ? Number.POSITIVE_INFINITY : nextAt,
      sending: flights.has(row.id),
    };
  };

async function sendOne(deps: SenderDeps, id: string, signal: AbortSignal): Promise<void> {
  const doc = await deps.replica.outbox.findOne(id).exec();
  if (doc === null || doc.state !== "pending") return;
  const row = doc.toJSON() as OutboxRow;
  const patch = async (change: Partial<OutboxRow>) => {
    const latest = await deps.replica.outbox.findOne(id).exec();
    return latest?.incrementalModify((now) => {
      // What the person paused meanwhile stays so, unless it arrived or was refused.
      const held =
        now.state === "paused" && (change.state === "pending" || change.state === "sending");
      return { ...now, ...change, ...(held ? { state: "paused" as const } : {}) };
    });
  };
  const intent = parseIntent(row);
  if (intent === null) {
    await patch({ state: "refused", code: "invalid" });
    return;
  }
  const taken = await patch({ state: "sending" });
  if (taken?.state !== "sending") return;
  const began = deps.now();
  try {
    const verdict = await judge(deps, intent, await deps.send(intent, row, signal));
    await settle(deps, { intent, row, verdict, began }, patch);
  } catch (error) {
    deps.log("Sending failed on this device", error);
    await patch(retryLater(deps, row, { kind: "retry", code: "server", after: null }, began));
  }
}

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
  const row = answer.kind === "accepted" ? (answer.body as Record<string, unknown>) : {};
  const mine = Object.entries(equal).every(([name, value]) => row[name] === value);
  return mine
    ? { kind: "done", body: answer.kind === "accepted" ? answer.body : null }
    : { kind: "refused", code: "conflict", message: "" };
}

interface Landing {
  intent: Intent;
  row: OutboxRow;
  verdict: Verdict;
  began: number;
}

async function settle(
  deps: SenderDeps,
  { intent, row, verdict, began }: Landing,
  patch: (change: Partial<OutboxRow>) => Promise<unknown>,
): Promise<void> {
  switch (verdict.kind) {
    case "done":
      await deps.onDone(intent, verdict.body);
      await patch({ state: "acked", code: verdict.gone ? "gone" : "", message: "" });
      deps.onAcked();
      return;
    case "refused":
      await patch({ state: "refused", code: verdict.code, message: verdict.message });
      return;
    case "needs-login":
      await patch({ state: "pending", code: "unauthenticated" });
      return;
    case "retry":
      await patch(retryLater(deps, row, verdict, began));
      return;
    case "compare":
    case "check-token":
      throw new Error(`An unsettled verdict: ${verdict.kind}`);
  }
}

/** A pause, or refused when the online time that it may take is used up (resolution 41). */
function retryLater(
  deps: SenderDeps,
  row: OutboxRow,
  verdict: Extract<Verdict, { kind: "retry" }>,
  began: number,
): Partial<OutboxRow> {
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
    return { state: "refused", code: codeOfStorageError("retry-limit-exceeded"), attempts, spent };
  }
  return { state: "pending", code: verdict.code, attempts, spent, nextAt: deps.now() + pause };
}
