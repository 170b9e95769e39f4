/** Rings once; setting it again replaces the earlier time. */
export function createAlarm(delay: (ms: number, signal?: AbortSignal) => Promise<void>) {
  let current = new AbortController();
  return {
    set(ms: number, ring: () => void): void {
      current.abort();
      const mine = new AbortController();
      current = mine;
      void delay(ms, mine.signal).then(() => {
        if (!mine.signal.aborted) ring();
      });
    },
    stop: () => current.abort(),
  };
}
