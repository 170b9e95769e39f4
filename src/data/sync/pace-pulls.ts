/**
 * While a queue is being sent, each answer and each hint of what it changed asks for a pull. One in half a second is
 * enough then, and one at the end; otherwise a pull begins at once.
 */
const PACE_MS = 500;

export interface PaceDeps {
  isBusy: () => boolean;
  delay: (ms: number) => Promise<void>;
}

export interface Pace {
  ask(pull: () => void): void;
  /** Nothing is being sent any more. */
  idle(): void;
}

export function createPace({ isBusy, delay }: PaceDeps): Pace {
  const wanted = new Set<() => void>();
  let timed = false;
  const flush = () => {
    const pulls = [...wanted];
    wanted.clear();
    for (const pull of pulls) pull();
  };
  return {
    ask(pull) {
      if (!isBusy()) return pull();
      wanted.add(pull);
      if (timed) return;
      timed = true;
      void delay(PACE_MS).then(() => {
        timed = false;
        flush();
      });
    },
    idle: flush,
  };
}
