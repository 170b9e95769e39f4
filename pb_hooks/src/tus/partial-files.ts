/**
 * The bytes of unfinished uploads: one file per upload, named by its id, in a folder beside the
 * data folder, so that backups leave them out. The file's size is the upload's offset; nothing else
 * records it. A request may carry a checksum of the bytes that it appends. Expired uploads and
 * files without a row are swept every hour.
 *
 * Each upload has one writer. A phone that changes networks leaves a writer behind, which waits for
 * bytes that never come; the next request ends it, unless the file is still growing, and so does a
 * schedule, because a writer keeps an engine. Locks are in memory, shared by all engines. They die
 * with the process, as their holders do.
 */
import { refusalOf } from "@hooks/http/refusals";
import { type Connection, connectionOf, findRecord } from "@hooks/http/request";
import type { Refusal } from "@/domain/error-codes";

export const partialHandlers = {
  /** Runs every minute: ends the writers that have received nothing since the last time. */
  endIdleWriters(): void {
    for (const key of Object.keys($app.store().getAll())) {
      if (!key.startsWith(writerKey(""))) continue;
      const id = key.slice(writerKey("").length);
      const size = partialSize($app, id);
      const before = $app.store().get(sizeKey(id));
      if (before === size) stopWriter($app, id);
      else $app.store().set(sizeKey(id), size);
    }
  },

  /** Runs every hour. */
  sweepUploads(): void {
    for (let rows = expiredUploads($app, ""); rows.length > 0; ) {
      for (const upload of rows) $app.delete(upload);
      rows = expiredUploads($app, rows[rows.length - 1]?.id ?? "");
    }
    for (const name of orphanedPartials($app)) removePartial($app, name);
  },
};

const O_WRONLY = 1;
const O_RDONLY = 0;
const PRIVATE = 0o700 as unknown as os.FileMode;
const NO_MODE = 0 as unknown as os.FileMode;

const partialsDir = (app: CoreApp): string => `${$filepath.clean(app.dataDir())}_uploads`;

export const partialPath = (app: CoreApp, id: string): string =>
  $filepath.join(partialsDir(app), id);

/** Opens the folder as a root, which no file name can leave. */
function inFolder<T>(app: CoreApp, run: (root: os.Root) => T): T {
  const dir = partialsDir(app);
  $os.mkdirAll(dir, PRIVATE);
  const root = $os.openRoot(dir);
  try {
    return run(root);
  } finally {
    root.close();
  }
}

export const createPartial = (app: CoreApp, id: string): void =>
  inFolder(app, (root) => root.create(id).close());

/** Bytes received, or -1 where there is no file. */
export function partialSize(app: CoreApp, id: string): number {
  try {
    return inFolder(app, (root) => root.stat(id).size());
  } catch {
    return -1;
  }
}

export function removePartial(app: CoreApp, id: string): void {
  inFolder(app, (root) => {
    try {
      root.remove(id);
    } catch {
      // It is gone already.
    }
  });
}

/** Cuts the file back to `size` bytes. */
export const truncatePartial = (app: CoreApp, id: string, size: number): void =>
  $os.truncate(partialPath(app, id), size);

function partialNames(app: CoreApp): string[] {
  try {
    return Array.from($os.readDir(partialsDir(app)), (entry) => entry?.name() ?? "");
  } catch {
    // The folder appears with the first upload.
    return [];
  }
}

/** The request's stream below PocketBase's buffer, so that bytes bypass the JavaScript engine. */
function rawBody(body: io.Reader): io.Reader {
  let raw = body as io.Reader & { readCloser?: io.Reader };
  while (raw.readCloser) raw = raw.readCloser;
  return raw;
}

/**
 * The request's bytes. Where their number is not announced they end with an error soon after
 * `most`, and whoever asks for them must look how many there were.
 */
function streamOf(e: core.RequestEvent, most: number): io.Reader {
  const request = e.request as http.Request;
  const raw = rawBody(request.body as unknown as io.Reader);
  if (request.contentLength >= 0) return raw;
  request.body = raw as unknown as typeof request.body;
  // What a middleware does; as the last in the chain it is followed by nothing. 0 is no limit.
  $apis.bodyLimit(Math.max(1, most)).func(e);
  return request.body as unknown as io.Reader;
}

/**
 * Writes the request's body at `offset` and syncs it to the disk. When the connection breaks, what
 * has arrived is kept, and the error is thrown afterwards.
 */
export function appendBody(
  e: core.RequestEvent,
  { id, offset, most }: { id: string; offset: number; most: number },
): void {
  inFolder(e.app, (root) => {
    const file = root.openFile(id, O_WRONLY, NO_MODE);
    try {
      file.seek(offset, 0);
      try {
        file.readFrom(streamOf(e, most));
      } finally {
        file.sync();
      }
    } finally {
      file.close();
    }
  });
}

/** Calls `run` with the file open for reading at `offset`. */
export function openPartialAt<T>(
  app: CoreApp,
  id: string,
  offset: number,
  run: (file: os.File) => T,
): T {
  return inFolder(app, (root) => {
    const file = root.openFile(id, O_RDONLY, NO_MODE);
    try {
      file.seek(offset, 0);
      return run(file);
    } finally {
      file.close();
    }
  });
}

const ALGORITHMS = ["sha1", "sha256", "sha512", "md5"] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** Without a tool the bytes are in memory while they are hashed: larger requests are refused. */
const IN_MEMORY_MAX = 8 * 1024 * 1024;

export interface Checksum {
  algorithm: Algorithm;
  /** Base64. */
  value: string;
  /** Bytes that it can be computed for. */
  most: number;
}

/**
 * The system's tools hash 5 MB in 10 to 25 ms and need no memory of ours. PocketBase's bindings
 * take as long and five times the bytes, and have no SHA-1, without which tus has no checksums. In
 * JavaScript it would be two seconds per megabyte. So they are the second choice, without SHA-1.
 */
function toolFor(algorithm: Algorithm): readonly string[] | null {
  const tools = [[`${algorithm}sum`]];
  if (algorithm !== "md5") tools.push(["shasum", "-a", algorithm.slice(3)]);
  return tools.find(([name = ""]) => isInstalled(name)) ?? null;
}

function isInstalled(name: string): boolean {
  return $os
    .getenv("PATH")
    .split(":")
    .some((folder) => {
      try {
        return folder !== "" && !$os.stat($filepath.join(folder, name)).isDir();
      } catch {
        return false;
      }
    });
}

/** For `Tus-Checksum-Algorithm`. */
export const algorithms = (): Algorithm[] =>
  ALGORITHMS.filter((known) => known !== "sha1" || toolFor(known) !== null);

/** The parsed `Upload-Checksum` of a request; null when we cannot check it. */
export function parseChecksum(text: string): Checksum | null {
  const [name = "", value = "", ...more] = text.length > CHECKSUM_MAX ? [] : text.trim().split(" ");
  const algorithm = algorithms().find((known) => known === name);
  if (!algorithm || more.length > 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  return { algorithm, value, most: toolFor(algorithm) === null ? IN_MEMORY_MAX : NO_LIMIT };
}

/** Characters of the header: a name, and the 88 of SHA-512. */
const CHECKSUM_MAX = 100;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

function hexDigestOf(file: os.File, algorithm: Algorithm): string {
  const tool = toolFor(algorithm);
  if (tool !== null) {
    const [name = "", ...args] = tool;
    const command = $os.cmd(name, ...args);
    command.stdin = file;
    return /^\w*/.exec(toString(command.output()))?.[0] ?? "";
  }
  if (algorithm === "sha1") return "";
  // A Go string passes through the engine unconverted as long as no script reads it.
  return $security[algorithm](readerToString(file, IN_MEMORY_MAX));
}

/** Base64 of the digest of what is left to read of `file`. */
const digestOf = (file: os.File, algorithm: Algorithm): string =>
  Buffer.from(hexDigestOf(file, algorithm), "hex").toString("base64");

/** Whether the bytes from `offset` to the end of the partial file have this checksum. */
export const matchesChecksum = (
  app: CoreApp,
  id: string,
  offset: number,
  { algorithm, value }: Checksum,
): boolean => openPartialAt(app, id, offset, (file) => digestOf(file, algorithm) === value);

/** Younger bytes without a row may belong to a row that is being created. */
const ORPHAN_MS = 3_600_000;

/** Bytes that all unfinished uploads have together. */
export const receivedBytes = (app: CoreApp): number =>
  partialNames(app).reduce((sum, name) => sum + Math.max(0, partialSize(app, name)), 0);

/** Rows that one step takes. */
const STEP_ROWS = 200;

function isOrphan(app: CoreApp, name: string): boolean {
  if (findRecord(app, "uploads", name) !== null) return false;
  return $os.stat(partialPath(app, name)).modTime().unixMilli() < Date.now() - ORPHAN_MS;
}

/** Names of partial files without a row. */
export const orphanedPartials = (app: CoreApp): string[] =>
  partialNames(app).filter((name) => isOrphan(app, name));

/** Uploads past their time, by id, beginning after the id `after`. */
export function expiredUploads(app: CoreApp, after: string): core.Record[] {
  const rows = app.findRecordsByFilter(
    "uploads",
    "expiresAt < @now && id > {:after}",
    "id",
    STEP_ROWS,
    0,
    { after },
  );
  return rows.filter((row) => row !== undefined) as core.Record[];
}

/** How long a second writer waits for a first one that is still receiving. */
const PATIENCE_MS = 1_500;
const STOP_MS = 2_000;

const LOCKED: Refusal = {
  ...refusalOf("conflict", "This upload is being written to."),
  status: 423,
};

const writerKey = (id: string): string => `upload.writer.${id}`;
const sizeKey = (id: string): string => `upload.size.${id}`;

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
      app.store().remove(sizeKey(id));
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
