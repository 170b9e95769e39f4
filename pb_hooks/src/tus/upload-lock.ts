/**
 * One writer per upload. A phone that changes networks leaves a writer behind, which waits for
 * bytes that never come. The next request ends it, unless the file is still growing.
 *
 * Locks are in memory, shared by all engines. They die with the process, as their holders do.
 */
import { refusalOf } from "@hooks/http/refusals";
import type { Refusal } from "@/domain/error-codes";
import { partialSize } from "./partial-files";

/** How long a second writer waits for a first one that is still receiving. */
const PATIENCE_MS = 1_500;
const STOP_MS = 2_000;

/** The connection below PocketBase's wrapper; `http.ResponseController` calls the same method. */
interface Connection {
  setReadDeadline?: (at: time.Time) => void;
  unwrap?: () => Connection;
}

const LOCKED: Refusal = {
  ...refusalOf("conflict", "This upload is being written to."),
  status: 423,
};

const writerKey = (id: string): string => `upload.writer.${id}`;

function connectionOf(e: core.RequestEvent): Connection {
  let connection = e.response as unknown as Connection;
  while (connection.unwrap) connection = connection.unwrap();
  return connection;
}

/** Ends the writer's wait for bytes with an error. The bytes it has received are kept. */
function stopWriter(app: CoreApp, id: string): void {
  const writer = app.store().get(writerKey(id)) as Connection | undefined;
  writer?.setReadDeadline?.(new DateTime().time());
}

/** Runs `run` as the only writer of upload `id`, or answers why it cannot. */
export function withUploadLock(
  e: core.RequestEvent,
  id: string,
  run: () => Refusal | null,
): Refusal | null {
  const { app } = e;
  const name = `upload.${id}`;
  const hold = (): Refusal | null => {
    app.store().set(writerKey(id), connectionOf(e));
    try {
      return run();
    } finally {
      app.store().remove(writerKey(id));
    }
  };
  const before = partialSize(app, id);
  return withLock(app, { name, waitMs: PATIENCE_MS }, hold, () => {
    if (partialSize(app, id) !== before) return LOCKED;
    stopWriter(app, id);
    return withLock(app, { name, waitMs: STOP_MS }, hold, () => LOCKED);
  });
}

const PREFIX = "lock:";
const STEP_MS = 25;

/** Takes `name` for `holder`. False when somebody else holds it. */
function take(app: CoreApp, name: string, holder: string): boolean {
  // The callback runs under the store's own lock.
  app.store().setFunc(PREFIX + name, (old: unknown) => old || holder);
  return app.store().get(PREFIX + name) === holder;
}

/**
 * Runs `run` while holding `name`, or `busy` when `name` is still taken after `waitMs`. It polls,
 * because the engine has no timers and nothing that could wake it.
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
