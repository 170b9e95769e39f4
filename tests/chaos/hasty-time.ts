/** Time on a device: pauses are shorter than asked, and its clock has gone on all the same. */
export interface HastyTime {
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Milliseconds that this device's clock is ahead from now on. */
  setClock(ms: number): void;
}

/** Longer pauses only look after what may hang: time must not run away with them. */
const SKIP_MOST_MS = 31_000;

export interface HastyTimeOptions {
  /** Pauses are this many times shorter. */
  haste: number;
  /** Called at each await; it may not come back. */
  livesOn: () => void;
  /** Milliseconds; tabs of one device share them. */
  store: { skipped: number; ahead: number };
}

export function hastyTime({ haste, livesOn, store }: HastyTimeOptions): HastyTime {
  const wait = (ms: number, signal?: AbortSignal): Promise<void> => {
    livesOn();
    const until = Date.now() + store.skipped + ms;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        if (ms <= SKIP_MOST_MS) store.skipped = Math.max(store.skipped, until - Date.now());
        end();
      }, ms / haste);
      // In a thread: it keeps no process alive.
      if (typeof timer === "object") (timer as { unref(): void }).unref();
      if (signal?.aborted === true) end();
      else signal?.addEventListener("abort", end);
    });
  };
  return {
    now: () => Date.now() + store.skipped + store.ahead,
    wait,
    setClock(ms) {
      store.ahead = ms;
    },
  };
}
