/**
 * The drain: sends what is in the outbox, in the leading tab only, or in the worker that leads
 * where there is none (data/send-queue.ts).
 *
 * 1. `wake` reads the queue and asks engine/lanes which lanes may go; each starts a run.
 * 2. A run is up to 32 quick rows of one lane, or one file. Its rows are claimed together (pending
 *    → sending), sent one after another by engine/send, and acknowledged together, because writing
 *    a row costs the device about as much as sending it.
 * 3. The outcome of each row moves it on: settled → acked, refused → refused, waits → pending.
 *    A row that waits ends the run, and the rest of its lane waits with it.
 * 4. When a lane is free again, `wake` looks once more; what waits for a time sets the alarm.
 *
 * Whatever moment a run is cut off in, a row that still says "sending" is sent again under its own
 * identity by the next tab that leads. A paused row holds its lane. A discarded one is gone: what
 * comes of it is ignored.
 */
import type { RxDocument } from "rxdb";
import { createAlarm } from "@/lib/alarm";
import { type Candidate, nextWake, pickSendable, runOf } from "./lanes";
import type { RowId } from "./noun";
import { PENDING_AGAIN, queueOf } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import { ASKED_MOST_MS, type Outcome, RETRY_MOST_MS, type SendDeps, sendOne } from "./send";

/** Before the queue is looked at again after this device could not write to it, milliseconds. */
const MEND_MS = 1_000;
/** Longest time for which an acknowledgement waits for others while its run goes on. */
const GATHER_MS = 200;

/** Why a send is aborted: discarded or paused by the person, or held back to continue later. */
export type AbortReason = "discarded" | "paused" | "held";

export interface DrainDeps extends SendDeps {
  /** Whether this tab moves the queue: whatever another one does is left alone. */
  leads: () => boolean;
  /** False where files are to wait, on a metered connection for one; absent: they never are. */
  mayUpload?: (() => boolean) | undefined;
  on: {
    /** Rows were acknowledged: pull. */
    acked: () => void;
    /** Nothing is in flight, and nothing may start now. */
    idle: () => void;
  };
}

export type Drain = ReturnType<typeof createDrain>;

export function createDrain(deps: DrainDeps) {
  const { clock, replica } = deps;
  const { outbox } = replica;
  let closed = false;
  let started: Promise<void> | null = null;
  const alarm = createAlarm(clock.delay);
  let waking: Promise<void> = Promise.resolve();

  const tick = async () => {
    if (!closed && started === null && deps.leads()) started = resumeCutOff(outbox, inFlight);
    await started;
    if (!closed && deps.maySend()) {
      const rows = (await readWaiting(outbox)).filter((doc) => !inFlight.isAnswered(doc.id));
      const waiting = rows.map((doc) => candidateOf(deps, doc, inFlight.has(doc.id)));
      const now = clock.now();
      for (const head of pickSendable(waiting, now)) inFlight.start(runOf(head, waiting, now));
      setAlarm(nextWake(waiting, now));
    }
    if (inFlight.isEmpty()) deps.on.idle();
  };
  const wake = () => {
    waking = waking.then(tick).catch((error) => mendLater("The outbox could not be read", error));
    return waking;
  };
  const setAlarm = (at: number | null) => {
    if (at === null || closed) alarm.stop();
    else alarm.set(Math.max(0, at - clock.now()), () => void wake());
  };
  const mendLater = (message: string, error: unknown) => {
    deps.log(message, error);
    started = null;
    setAlarm(clock.now() + MEND_MS);
  };
  const inFlight = createInFlight(deps, {
    mayGoOn: () => !closed && deps.maySend(),
    onFree: wake,
    onLost: (error) => mendLater("What was sent could not be written down", error),
  });
  const settled = () => waking.then(inFlight.settled);

  return {
    wake,
    /** Forgets the pauses between tries, then wakes. */
    async drain() {
      await forgetPauses(outbox);
      await wake();
    },
    retry: (intentId: string) => makePending(outbox, intentId).then(wake),
    cancel: inFlight.abort,
    holdFiles: inFlight.abortFiles,
    isBusy: () => !inFlight.isEmpty(),
    settled,
    async close() {
      closed = true;
      alarm.stop();
      inFlight.abortAll();
      await settled();
    },
  };
}

type Outbox = DrainDeps["replica"]["outbox"];
type Doc = RxDocument<OutboxRow>;

async function readWaiting(outbox: Outbox): Promise<Doc[]> {
  const docs = await queueOf(outbox).exec();
  return docs.filter((doc) => doc.state !== "acked" && doc.state !== "refused");
}

/** What another tab, or this one before it crashed, left "sending". */
async function resumeCutOff(outbox: Outbox, inFlight: InFlight): Promise<void> {
  const sending = await outbox.find({ selector: { state: "sending" } }).exec();
  const cut = sending.filter((doc) => !inFlight.has(doc.id));
  await Promise.all(cut.map((doc) => doc.incrementalModify(pendingAgain)));
}

/** The server may have heard of it: that counts as a try. */
const pendingAgain = (row: OutboxRow): OutboxRow =>
  row.state === "sending" ? { ...row, state: "pending", attempts: row.attempts + 1 } : row;

async function forgetPauses(outbox: Outbox): Promise<void> {
  const rows = await readWaiting(outbox);
  const paused = rows.filter((doc) => doc.state === "pending" && doc.nextAt > 0);
  await Promise.all(paused.map((doc) => doc.incrementalPatch({ nextAt: 0 })));
}

async function makePending(outbox: Outbox, intentId: string): Promise<void> {
  const doc = await outbox.findOne(intentId).exec();
  if (doc === null || ["sending", "acked", "kept"].includes(doc.state)) return;
  await doc.incrementalPatch(PENDING_AGAIN);
}

const keyOf = ({ name, id }: RowId): string => `${name}/${id}`;

function candidateOf(deps: DrainDeps, doc: Doc, sending: boolean): Candidate {
  const row = doc.toJSON() as OutboxRow;
  const read = deps.replica.nouns.read(row);
  // No pause is longer: the clock was set back since, and a moment's wait would become a day.
  const longest = row.code === "rate_limited" ? ASKED_MOST_MS : RETRY_MOST_MS;
  const nextAt = row.nextAt > deps.clock.now() + longest ? 0 : row.nextAt;
  const priority = read?.kind.priority?.(read.intent.body) ?? 0;
  const waits =
    (row.state !== "pending" && !sending) || (priority > 0 && deps.mayUpload?.() === false);
  const made = read?.kind.makes?.(read.intent.body);
  return {
    id: row.id,
    lane: row.lane,
    makes: made === undefined ? null : keyOf(made),
    after: read?.kind.after?.(read.intent.body).map(keyOf) ?? [],
    place: row.place,
    priority,
    nextAt: waits ? Number.POSITIVE_INFINITY : nextAt,
    sending,
  };
}

type InFlight = ReturnType<typeof createInFlight>;

interface RunEvents {
  /** False once the drain is to end, or nothing may be sent any more. */
  mayGoOn: () => boolean;
  onFree: () => Promise<void>;
  /** This device could not write down what became of a run. */
  onLost: (error: unknown) => void;
}

function createInFlight(deps: DrainDeps, { mayGoOn, onFree, onLost }: RunEvents) {
  const rows = new Map<string, { stop: AbortController; done: Promise<void>; isFile: boolean }>();
  const answered = new Set<string>();
  return {
    start(run: readonly Candidate[]) {
      const stops = run.map(({ id, priority }) => ({
        id,
        stop: new AbortController(),
        isFile: priority > 0,
      }));
      const onAnswered = (id: string) => {
        answered.add(id);
        // What comes next in the lane may go while the end of this run is written down.
        if (run.every((row) => answered.has(row.id))) void onFree();
      };
      const done = sendRun(
        deps,
        stops.map(({ id, stop }) => ({ id, signal: stop.signal })),
        { mayGoOn, onAnswered },
      )
        .finally(() => {
          for (const { id } of run) {
            rows.delete(id);
            answered.delete(id);
          }
        })
        .then(onFree, onLost);
      for (const { id, ...one } of stops) rows.set(id, { ...one, done });
    },
    has: (id: string) => rows.has(id),
    isAnswered: (id: string) => answered.has(id),
    isEmpty: () => rows.size === 0,
    abort: (id: string, why: AbortReason) => rows.get(id)?.stop.abort(why),
    abortFiles() {
      for (const { stop, isFile } of rows.values()) if (isFile) stop.abort("held");
    },
    abortAll() {
      for (const { stop } of rows.values()) stop.abort();
    },
    async settled() {
      await Promise.all([...rows.values()].map(({ done }) => done));
    },
  };
}

interface RunWatch extends Pick<RunEvents, "mayGoOn"> {
  /** The server has it; its row does not say so yet. */
  onAnswered: (id: string) => void;
}

async function sendRun(
  deps: DrainDeps,
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

async function sendClaimed(
  { deps, acks, watch }: { deps: DrainDeps; acks: Acks; watch: RunWatch },
  doc: Doc,
  signal: AbortSignal,
): Promise<boolean> {
  // Sent again after a crash, what this one changes would come back for a moment.
  if (acks.areAbout(doc.target)) await acks.flush();
  const latest = doc.getLatest();
  if (latest.deleted) return true;
  if (latest.state !== "sending" || !watch.mayGoOn()) return false;
  const outcome = await sendOne(deps, latest.toJSON() as OutboxRow, signal);
  if (outcome.kind === "settled") {
    acks.add(doc, outcome);
    watch.onAnswered(doc.id);
  } else await changeRows([[doc, moveTo(outcome)]]);
  return outcome.kind !== "waits";
}

type Move = (row: OutboxRow) => OutboxRow;

const claim: Move = (row) => (row.state === "pending" ? { ...row, state: "sending" } : row);
const release: Move = (row) => (row.state === "sending" ? { ...row, state: "pending" } : row);

/** A row that was paused meanwhile stays so, unless it arrived or was refused. */
const moveTo =
  ({ kind, change }: Outcome): Move =>
  (row) => {
    const held = kind === "waits" && row.state === "paused";
    return { ...row, ...change, ...(held ? { state: "paused" } : {}) };
  };

/** Rows that were discarded meanwhile are left alone. */
async function changeRows(moves: readonly (readonly [Doc, Move])[]): Promise<void> {
  await Promise.all(
    moves.map(async ([doc, move]) => {
      const latest = doc.getLatest();
      if (latest.deleted) return;
      await latest.incrementalModify(move).catch((error: unknown) => {
        if (!doc.getLatest().deleted) throw error;
      });
    }),
  );
}

type Acks = ReturnType<typeof gatherAcks>;

/** Gathers the acknowledgements of a run, so that many rows are one write. */
function gatherAcks({ clock, on }: DrainDeps) {
  let unwritten: [Doc, Move][] = [];
  let writing: Promise<void> = Promise.resolve();
  const taken = new Set<string>();
  const write = async () => {
    const batch = unwritten;
    unwritten = [];
    if (batch.length === 0) return;
    await changeRows(batch);
    on.acked();
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  return {
    add(doc: Doc, outcome: Outcome) {
      taken.add(doc.id);
      unwritten.push([doc, moveTo(outcome)]);
      if (unwritten.length > 1) return;
      // Ignoring a failure here: the flush at the end of the run reports it.
      void clock
        .delay(GATHER_MS)
        .then(flush, flush)
        .catch(() => {});
    },
    has: (doc: Doc) => taken.has(doc.id),
    areAbout: (target: string) => unwritten.some(([doc]) => doc.target === target),
    flush,
  };
}
