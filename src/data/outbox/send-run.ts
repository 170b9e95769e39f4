/**
 * Sends a run: rows of one lane, one after another. They are claimed together and their acknowledgements gathered, because
 * each write of a row costs the device about as much as sending one. Whatever moment it is cut off in, a row that still
 * says "sending" is sent again under its own identity.
 */
import type { RxDocument } from "rxdb";
import type { OutboxRow } from "@/data/schema/outbox";
import { type Landing, type SenderDeps, sendOne } from "./send-one";

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
