/**
 * Sends what lies in the outbox, in the leading tab only. A row goes pending → sending → acked, or back
 * to pending with a time, or to refused; a row found "sending" when this tab comes to lead was cut off and is pending.
 * One that the person paused holds its lane.
 */
import type { RxDocument } from "rxdb";
import { createAlarm } from "@/lib/alarm";
import { intentRule, parseIntent } from "./intents";
import { type Candidate, nextWake, pickSendable, runOf } from "./lanes";
import { queueOf } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import { ASKED_MOST_MS, type Landing, RETRY_MOST_MS, type SenderDeps, sendOne } from "./send";
import type { Replica } from "./store";

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

/** What is being sent at this moment: runs of rows, each with a way to stop it. */

interface Flight {
  stop: AbortController;
  done: Promise<void>;
  isFile: boolean;
}

export interface FlightsDeps extends SenderDeps {
  /** False once nothing more is to be begun. */
  mayGoOn: () => boolean;
  /** A lane is free again. */
  onFree: () => Promise<void>;
  /** This device could not write down what became of a run. */
  onLost: (error: unknown) => void;
}

export interface Flights {
  start(run: readonly Candidate[]): void;
  has(id: string): boolean;
  /** The server has it; its row may not say so yet. */
  isAnswered(id: string): boolean;
  isEmpty(): boolean;
  abort(id: string, why: string): void;
  abortFiles(why: string): void;
  abortAll(): void;
  /** Resolves when all that is under way has come to its end. */
  landed(): Promise<void>;
}

export function createFlights(deps: FlightsDeps): Flights {
  const flights = new Map<string, Flight>();
  const answered = new Set<string>();
  return {
    start(run) {
      const parts = run.map(({ id, priority }) => ({
        id,
        stop: new AbortController(),
        isFile: priority > 0,
      }));
      const onAnswered = (id: string) => {
        answered.add(id);
        // What comes next in the lane may go while the end of this run is written down.
        if (run.every((row) => answered.has(row.id))) void deps.onFree();
      };
      const land = () => {
        for (const { id } of run) {
          flights.delete(id);
          answered.delete(id);
        }
      };
      const done = sendRun(
        deps,
        parts.map(({ id, stop }) => ({ id, signal: stop.signal })),
        { mayGoOn: deps.mayGoOn, onAnswered },
      )
        .finally(land)
        .then(deps.onFree, deps.onLost);
      for (const { id, ...part } of parts) flights.set(id, { ...part, done });
    },
    has: (id) => flights.has(id),
    isAnswered: (id) => answered.has(id),
    isEmpty: () => flights.size === 0,
    abort: (id, why) => flights.get(id)?.stop.abort(why),
    abortFiles(why) {
      for (const { stop, isFile } of flights.values()) if (isFile) stop.abort(why);
    },
    abortAll() {
      for (const { stop } of flights.values()) stop.abort();
    },
    async landed() {
      await Promise.all([...flights.values()].map(({ done }) => done));
    },
  };
}

/**
 * Sends a run: rows of one lane, one after another. They are claimed together and their acknowledgements gathered, because
 * each write of a row costs the device about as much as sending one. Whatever moment it is cut off in, a row that still
 * says "sending" is sent again under its own identity.
 */

/** Longest time in which an acknowledgement waits for others while its run goes on. */
const GATHER_MS = 200;

export interface RunWatch {
  /** False once the sender is to end, or nothing may be sent any more. */
  mayGoOn: () => boolean;
  /** The server has it; its row does not say so yet. */
  onAnswered: (id: string) => void;
}

type Doc = RxDocument<OutboxRow>;

/** Sends them in their order, until one has to wait: what is behind it waits with it. */
export async function sendRun(
  deps: SenderDeps,
  run: readonly { id: string; signal: AbortSignal }[],
  watch: RunWatch,
): Promise<void> {
  const found = await deps.replica.outbox.findByIds(run.map(({ id }) => id)).exec();
  const docs = [...found.values()];
  await changeRows(docs.map((doc) => [doc, claim]));
  const acks = gatherAcks(deps);
  try {
    for (const { id, signal } of run) {
      const doc = found.get(id);
      if (doc !== undefined && !(await sendClaimed({ deps, acks, watch }, doc, signal))) break;
    }
  } finally {
    // What was not reached is not claimed any more. No server has heard of it: that is no try.
    const rest = docs.filter((doc) => !acks.has(doc) && doc.getLatest().state === "sending");
    await Promise.all([changeRows(rest.map((doc) => [doc, release])), acks.flush()]);
  }
}

/** Whether the lane goes on behind it. */
async function sendClaimed(
  { deps, acks, watch }: { deps: SenderDeps; acks: Acks; watch: RunWatch },
  doc: Doc,
  signal: AbortSignal,
): Promise<boolean> {
  // Sent again after a crash, what this one changes would come back for a moment.
  if (acks.speakOf(doc.target)) await acks.flush();
  const latest = doc.getLatest();
  if (latest.deleted) return true;
  if (latest.state !== "sending" || !watch.mayGoOn()) return false;
  const landing = await sendOne(deps, latest.toJSON() as OutboxRow, signal);
  if (landing.kind === "acked") {
    acks.add(doc, landing);
    watch.onAnswered(doc.id);
  } else await changeRows([[doc, land(landing)]]);
  return landing.kind !== "waits";
}

type Change = (row: OutboxRow) => OutboxRow;

const claim: Change = (row) => (row.state === "pending" ? { ...row, state: "sending" } : row);
const release: Change = (row) => (row.state === "sending" ? { ...row, state: "pending" } : row);

/** What the person paused meanwhile stays so, unless it arrived or was refused. */
const land =
  ({ kind, change }: Landing): Change =>
  (row) => {
    const held = kind === "waits" && row.state === "paused";
    return { ...row, ...change, ...(held ? { state: "paused" } : {}) };
  };

/** Those that the person has thrown away meanwhile are left alone. */
async function changeRows(changes: readonly (readonly [Doc, Change])[]): Promise<void> {
  await Promise.all(
    changes.map(async ([doc, change]) => {
      const latest = doc.getLatest();
      if (latest.deleted) return;
      await latest.incrementalModify(change).catch((error: unknown) => {
        if (!doc.getLatest().deleted) throw error;
      });
    }),
  );
}

interface Acks {
  add(doc: Doc, landing: Landing): void;
  has(doc: Doc): boolean;
  /** Whether one about `target` is not written yet. */
  speakOf(target: string): boolean;
  flush(): Promise<void>;
}

function gatherAcks(deps: SenderDeps): Acks {
  let unsaid: [Doc, Change][] = [];
  let writing: Promise<void> = Promise.resolve();
  const taken = new Set<string>();
  const write = async () => {
    const batch = unsaid;
    unsaid = [];
    if (batch.length === 0) return;
    await changeRows(batch);
    deps.onAcked();
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  return {
    add(doc, landing) {
      taken.add(doc.id);
      unsaid.push([doc, land(landing)]);
      // Whether it could be written is heard of at the end of the run.
      if (unsaid.length === 1)
        void deps
          .delay(GATHER_MS)
          .then(flush, flush)
          .catch(() => {});
    },
    has: (doc) => taken.has(doc.id),
    speakOf: (target) => unsaid.some(([doc]) => doc.target === target),
    flush,
  };
}
