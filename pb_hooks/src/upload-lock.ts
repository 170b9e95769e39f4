/**
 * One writer per upload. A phone that changes networks leaves a writer behind that waits for bytes which never come;
 * the newer request then ends it, as long as the file has stopped growing.
 */
import { withLock } from "./locks";
import { partialSize } from "./partial-files";
import type { Refusal } from "./refuse";
import { LOCKED } from "./tus-protocol";

/** A second writer waits this long for a first one that is still receiving. */
const PATIENCE_MS = 1_500;
const STOP_MS = 2_000;

/** The connection below PocketBase's wrapper; `http.ResponseController` reaches the same method. */
interface Connection {
  setReadDeadline?: (at: time.Time) => void;
  unwrap?: () => Connection;
}

const writerKey = (id: string): string => `upload.writer.${id}`;

function connectionOf(e: core.RequestEvent): Connection {
  let connection = e.response as unknown as Connection;
  while (connection.unwrap) connection = connection.unwrap();
  return connection;
}

/** Makes the writer's wait for bytes end with an error; what it has received stays. */
function stopWriter(app: CoreApp, id: string): void {
  const writer = app.store().get(writerKey(id)) as Connection | undefined;
  writer?.setReadDeadline?.(new DateTime().time());
}

/** Runs `run` as the only writer of upload `id`, or answers why not. */
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
