/** One holder of a name at a time, across all engines. A lock lives in memory: it dies with the process, as its holder does. */
const PREFIX = "lock:";
const STEP_MS = 25;

/** Takes `name` for `holder`. False when another one has it. */
function take(app: CoreApp, name: string, holder: string): boolean {
  // The callback runs under the store's own lock.
  app.store().setFunc(PREFIX + name, (old: unknown) => old || holder);
  return app.store().get(PREFIX + name) === holder;
}

/**
 * Runs `run` while holding `name`; waits up to `waitMs` for it. `busy` is called when the wait was in vain.
 * The holder sleeps in small steps, since the engine has no timers and nobody to wake it.
 */
export function withLock<T>(
  app: CoreApp,
  { name, waitMs }: { name: string; waitMs: number },
  run: () => T,
  busy: () => T,
): T {
  const holder = $security.randomString(16);
  for (let waited = 0; !take(app, name, holder); waited += STEP_MS) {
    if (waited >= waitMs) return busy();
    sleep(STEP_MS);
  }
  try {
    return run();
  } finally {
    app.store().remove(PREFIX + name);
  }
}
