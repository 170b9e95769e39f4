/**
 * Sends what lies in the outbox, in the leading tab only. A row goes pending → sending → acked, or back
 * to pending with a time, or to refused; a row found "sending" when this tab comes to lead was cut off and is pending.
 * One that the person paused holds its lane.
 */

import type { RxDocument } from "rxdb";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { createAlarm } from "@/lib/alarm";
import { createFlights, type Flights } from "./create-flights";
import { intentRule, parseIntent } from "./intents";
import { type Candidate, nextWake, pickSendable, runOf } from "./pick-sendable";
import { queueOf } from "./read-queue";
import { ASKED_MOST_MS, RETRY_MOST_MS, type SenderDeps } from "./send-one";

/** Before the queue is looked at again after this device could not write to it, milliseconds. */
const MEND_MS = 1_000;

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

export function createSender(deps: SenderDeps): Sender {
  const { outbox } = deps.replica;
  let closed = false;
  let started: Promise<void> | null = null;
  const alarm = createAlarm(deps.delay);
  let waking: Promise<void> = Promise.resolve();

  const tick = async () => {
    if (!closed && started === null && deps.leads()) started = resumeCut(outbox, flights);
    await started;
    if (!closed && deps.maySend()) {
      const docs = await readWaiting(outbox);
      const rows = docs.filter((doc) => !flights.isAnswered(doc.id));
      const waiting = rows.map(candidateOf(flights, deps));
      const now = deps.now();
      for (const head of pickSendable(waiting, now)) flights.start(runOf(head, waiting, now));
      setAlarm(nextWake(waiting, now));
    }
    if (flights.isEmpty()) deps.onIdle();
  };
  const wake = () => {
    waking = waking.then(tick).catch((error) => mendLater("The outbox could not be read", error));
    return waking;
  };
  const setAlarm = (at: number | null) => {
    if (at === null || closed) alarm.stop();
    else alarm.set(Math.max(0, at - deps.now()), () => void wake());
  };
  const mendLater = (message: string, error: unknown) => {
    deps.log(message, error);
    started = null;
    setAlarm(deps.now() + MEND_MS);
  };
  const flights = createFlights({
    ...deps,
    mayGoOn: () => !closed && deps.maySend(),
    onFree: wake,
    onLost: (error) => mendLater("What was sent could not be written down", error),
  });
  const landed = () => waking.then(flights.landed);

  return {
    wake,
    async drain() {
      await forgetPauses(outbox);
      await wake();
    },
    retry: (intentId) => makePending(outbox, intentId).then(wake),
    cancel: flights.abort,
    holdFiles: () => flights.abortFiles("held"),
    isBusy: () => !flights.isEmpty(),
    settled: landed,
    async close() {
      closed = true;
      alarm.stop();
      flights.abortAll();
      await landed();
    },
  };
}

async function readWaiting(outbox: Replica["outbox"]): Promise<RxDocument<OutboxRow>[]> {
  const docs = await queueOf(outbox).exec();
  return docs.filter((doc) => doc.state !== "acked" && doc.state !== "refused");
}

async function resumeCut(outbox: Replica["outbox"], flights: Flights): Promise<void> {
  const sending = await outbox.find({ selector: { state: "sending" } }).exec();
  const cut = sending.filter((doc) => !flights.has(doc.id));
  await Promise.all(cut.map((doc) => doc.incrementalModify(pendingAgain)));
}

async function forgetPauses(outbox: Replica["outbox"]): Promise<void> {
  const rows = await readWaiting(outbox);
  const paused = rows.filter((doc) => doc.state === "pending" && doc.nextAt > 0);
  await Promise.all(paused.map((doc) => doc.incrementalPatch({ nextAt: 0 })));
}

async function makePending(outbox: Replica["outbox"], intentId: string): Promise<void> {
  const doc = await outbox.findOne(intentId).exec();
  if (doc === null || ["sending", "acked", "kept"].includes(doc.state)) return;
  await doc.incrementalPatch({ state: "pending", nextAt: 0, spent: 0, code: "", message: "" });
}

/** The server may have heard of it: that counts as a try. */
const pendingAgain = (row: OutboxRow): OutboxRow =>
  row.state === "sending" ? { ...row, state: "pending", attempts: row.attempts + 1 } : row;

const candidateOf =
  (flights: Flights, deps: Pick<SenderDeps, "now" | "mayUpload">) =>
  (doc: RxDocument<OutboxRow>): Candidate => {
    const row = doc.toJSON() as OutboxRow;
    const intent = parseIntent(row);
    // No pause is longer: the clock was set back since, and what was to wait a moment would wait a day.
    const now = deps.now();
    const longest = row.code === "rate_limited" ? ASKED_MOST_MS : RETRY_MOST_MS;
    const nextAt = row.nextAt > now + longest ? 0 : row.nextAt;
    const priority = intent === null ? 0 : intentRule(intent).priority;
    const sending = flights.has(row.id);
    const waits =
      (row.state !== "pending" && !sending) || (priority > 0 && deps.mayUpload?.() === false);
    return {
      id: row.id,
      lane: row.lane,
      place: row.place,
      priority,
      nextAt: waits ? Number.POSITIVE_INFINITY : nextAt,
      sending,
    };
  };
