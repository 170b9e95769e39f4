/**
 * The bytes of unfinished uploads: one file per upload, named by its id, in a folder beside the
 * data folder, so that backups leave them out. The file's size is the upload's offset; nothing else
 * records it. A request may carry a checksum of the bytes that it appends. Expired uploads and
 * files without a row are swept every hour.
 */
import { findRecord } from "@hooks/http/request";

export const partialHandlers = {
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
 * Writes `body` at `offset` and syncs it to the disk. When the connection breaks, what has arrived
 * is kept, and the error is thrown afterwards.
 */
export function appendBody(app: CoreApp, id: string, offset: number, body: io.Reader): void {
  inFolder(app, (root) => {
    const file = root.openFile(id, O_WRONLY, NO_MODE);
    try {
      file.seek(offset, 0);
      try {
        file.readFrom(rawBody(body));
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

type Algorithm = "sha1" | "sha256" | "sha512" | "md5";

/** The bytes are in memory while they are hashed, so larger requests cannot have a checksum. */
const CHECKSUM_MAX_BYTES = 16 * 1024 * 1024;

export interface Checksum {
  algorithm: Algorithm;
  /** Base64. */
  value: string;
}

/**
 * PocketBase's bindings have SHA-256, SHA-512 and MD5, but not the SHA-1 that tus asks for. In
 * JavaScript it would take two seconds per megabyte, so the system computes it. Without such a
 * tool, SHA-1 is not offered.
 */
const SHA1_TOOLS: readonly (readonly string[])[] = [["sha1sum"], ["shasum", "-a", "1"]];

/** The command that computes the SHA-1 of its input, or null. */
function sha1Tool(): readonly string[] | null {
  const folders = $os.getenv("PATH").split(":").filter(Boolean);
  const exists = (name: string) =>
    folders.some((folder) => {
      try {
        return !$os.stat($filepath.join(folder, name)).isDir();
      } catch {
        return false;
      }
    });
  return SHA1_TOOLS.find(([name = ""]) => exists(name)) ?? null;
}

/** For `Tus-Checksum-Algorithm`. */
export const algorithms = (): Algorithm[] =>
  sha1Tool() === null ? ["sha256", "sha512", "md5"] : ["sha1", "sha256", "sha512", "md5"];

/** The parsed `Upload-Checksum` of a request of `length` bytes; null when we cannot check it. */
export function parseChecksum(text: string, length: number): Checksum | null {
  const [name = "", value = ""] = text.trim().split(" ");
  const algorithm = algorithms().find((known) => known === name);
  if (!algorithm || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  if (algorithm !== "sha1" && length > CHECKSUM_MAX_BYTES) return null;
  return { algorithm, value };
}

function hexDigestOf(file: os.File, algorithm: Algorithm): string {
  if (algorithm === "sha1") {
    const [name = "", ...args] = sha1Tool() ?? [];
    const command = $os.cmd(name, ...args);
    command.stdin = file;
    return toString(command.output()).slice(0, 40);
  }
  // A Go string passes through the engine unconverted as long as no script reads it.
  const bytes = readerToString(file, CHECKSUM_MAX_BYTES);
  return $security[algorithm](bytes);
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
