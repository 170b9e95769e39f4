/** What is being sent at this moment: runs of rows, each with a way to stop it. */
import type { Candidate } from "./pick-sendable";
import type { SenderDeps } from "./send-one";
import { sendRun } from "./send-run";

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
