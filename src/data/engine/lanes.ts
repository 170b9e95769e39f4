/** Which intents go next: the whole policy of lanes and priorities, without effects. */
export interface Candidate {
  id: string;
  lane: string;
  /** The row of the server that it makes or unmakes; null for none. */
  makes: string | null;
  /** Rows of the server: what was to make or unmake one of them before goes first. */
  after: readonly string[];
  place: number;
  /** 0 for what is quick; files come after it, a chat's photos (1) before media (2). */
  priority: number;
  /** Milliseconds since 1970; infinite for what the person paused. */
  nextAt: number;
  sending: boolean;
}

const MEDIA = 2;
const QUICK_AT_ONCE = 4;
const RUN_MOST = 32;

/** What to start: the first row of each lane, quick ones before files, one file at once. */
export function pickSendable(waiting: readonly Candidate[], now: number): Candidate[] {
  const heads = laneHeads(waiting);
  const inFlight = heads.filter((row) => row.sending);
  const ready = heads.filter((row) => !row.sending && row.nextAt <= now && !isHeld(row, waiting));
  const quick = ready.filter((row) => row.priority === 0);
  if (quick.length > 0) {
    const busy = inFlight.filter((row) => row.priority === 0).length;
    return quick.sort(byPlace).slice(0, Math.max(0, QUICK_AT_ONCE - busy));
  }
  if (inFlight.some((row) => row.priority > 0)) return [];
  return ready
    .filter((row) => row.priority < MEDIA || !heads.some((other) => holdsBack(other, row)))
    .sort((a, b) => a.priority - b.priority || byPlace(a, b))
    .slice(0, 1);
}

/**
 * Media arrive in the order in which they were chosen, because the server dates them as they come:
 * one that is tried again later holds those behind it. A paused one does not.
 */
const holdsBack = (other: Candidate, row: Candidate): boolean =>
  other.priority === MEDIA && other.place < row.place && Number.isFinite(other.nextAt);

const isHeld = (row: Candidate, waiting: readonly Candidate[]): boolean =>
  row.after.length > 0 &&
  waiting.some(
    (other) =>
      other.makes !== null &&
      row.after.includes(other.makes) &&
      other.place < row.place &&
      Number.isFinite(other.nextAt),
  );

/** `head` and the rows of its lane that may follow at once: quick, due, and in order. */
export function runOf(head: Candidate, waiting: readonly Candidate[], now: number): Candidate[] {
  if (head.priority > 0) return [head];
  const lane = waiting.filter((row) => row.lane === head.lane).sort(byPlace);
  const end = lane.findIndex((row) => row.priority > 0 || row.nextAt > now || isHeld(row, waiting));
  return lane.slice(0, end === -1 ? RUN_MOST : Math.min(end, RUN_MOST));
}

/** When something waits for its time, the next such time; null when nothing does. */
export function nextWake(waiting: readonly Candidate[], now: number): number | null {
  const later = laneHeads(waiting).filter(
    (row) => !row.sending && row.nextAt > now && Number.isFinite(row.nextAt),
  );
  return later.length === 0 ? null : Math.min(...later.map((row) => row.nextAt));
}

const byPlace = (a: Candidate, b: Candidate): number => a.place - b.place;

function laneHeads(rows: readonly Candidate[]): Candidate[] {
  const heads = new Map<string, Candidate>();
  for (const row of rows) {
    const head = heads.get(row.lane);
    // What is in flight holds its lane, whatever came before it.
    const first = head === undefined || (!head.sending && (row.sending || row.place < head.place));
    if (first) heads.set(row.lane, row);
  }
  return [...heads.values()];
}
