/**
 * Sends what lies in the outbox. Runs in the leading tab only. A row goes pending → sending → acked, or back
 * to pending with a time, or to refused; a row found "sending" at the start was cut off and is pending. One that the
 * person paused holds its lane.
 */

import type { RxDocument } from "rxdb";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { createAlarm } from "@/lib/alarm";
import { intentRule, parseIntent } from "./intents";
import { type Candidate, nextWake, pickSendable } from "./pick-sendable";
import { ASKED_MOST_MS, RETRY_MOST_MS, type SenderDeps, sendOne } from "./send-one";

/** Reason of the abort for what the person threw away, as opposed to what is cut off. */
export const DISCARDED = "discarded";

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
  /** The server has them; their rows do not say so yet. */
  const answered = new Set<string>();
  let closed = false;
  let started: Promise<void> | null = null;
  const alarm = createAlarm(deps.delay);
  let waking: Promise<void> = Promise.resolve();

  const tick = async () => {
    started ??= resumeCut(outbox);
    await started;
    if (closed || !deps.maySend()) {
      if (flights.size === 0) deps.onIdle();
      return;
    }
    const rows = await readWaiting(outbox);
    const waiting = rows.filter((doc) => !answered.has(doc.id));
    const candidates = waiting.map(candidateOf(flights, deps.now(), deps.mayUpload?.() === false));
    for (const pick of pickSendable(candidates, deps.now())) fly(pick);
    if (flights.size === 0) deps.onIdle();
    setAlarm(nextWake(candidates, deps.now()));
  };
  const wake = () => {
    waking = waking.then(tick).catch((error) => deps.log("The outbox could not be read", error));
    return waking;
  };
  const setAlarm = (at: number | null) => {
    if (at === null || closed) alarm.stop();
    else alarm.set(Math.max(0, at - deps.now()), () => void wake());
  };
  const fly = ({ id, priority }: Candidate) => {
    if (flights.has(id)) return;
    const stop = new AbortController();
    const onAnswered = () => {
      answered.add(id);
      void wake();
    };
    const done = sendOne(deps, id, stop.signal, onAnswered)
      .catch((error) => deps.log("An intent could not be sent", error))
      .finally(() => {
        flights.delete(id);
        answered.delete(id);
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
      await forgetPauses(outbox);
      await wake();
    },
    retry: (intentId) => makePending(outbox, intentId).then(wake),
    cancel: (intentId, why) => flights.get(intentId)?.stop.abort(why),
    holdFiles: () => abortFiles(flights),
    isBusy: () => flights.size > 0,
    settled: landed,
    async close() {
      closed = true;
      alarm.stop();
      for (const flight of flights.values()) flight.stop.abort();
      await landed();
    },
  };
}

const readWaiting = (outbox: Replica["outbox"]) =>
  outbox.find({ selector: { state: { $in: ["pending", "sending", "paused"] } } }).exec();

async function resumeCut(outbox: Replica["outbox"]): Promise<void> {
  const cut = await outbox.find({ selector: { state: "sending" } }).exec();
  await Promise.all(cut.map((doc) => doc.incrementalModify(pendingAgain)));
}

function abortFiles(flights: ReadonlyMap<string, Flight>): void {
  for (const { stop, isFile } of flights.values()) if (isFile) stop.abort("held");
}

async function forgetPauses(outbox: Replica["outbox"]): Promise<void> {
  const rows = await outbox.find({ selector: { state: "pending" } }).exec();
  const paused = rows.filter((doc) => doc.nextAt > 0);
  await Promise.all(paused.map((doc) => doc.incrementalPatch({ nextAt: 0 })));
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
