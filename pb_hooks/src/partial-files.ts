/**
 * The bytes of unfinished uploads: one file per upload, named by its id, in a folder beside the data folder (so that
 * backups leave them out). The file's size is the upload's offset; there is no second record of it.
 */
const O_WRONLY = 1;
const O_RDONLY = 0;
const PRIVATE = 0o700 as unknown as os.FileMode;
const NO_MODE = 0 as unknown as os.FileMode;

export const partialsDir = (app: CoreApp): string => `${$filepath.clean(app.dataDir())}_uploads`;

export const partialPath = (app: CoreApp, id: string): string =>
  $filepath.join(partialsDir(app), id);

/** Within the root no name, whatever it holds, leads out of the folder. */
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
      // Gone already.
    }
  });
}

/** Cuts the file back to `size` bytes. */
export const truncatePartial = (app: CoreApp, id: string, size: number): void =>
  $os.truncate(partialPath(app, id), size);

export function partialNames(app: CoreApp): string[] {
  try {
    return Array.from($os.readDir(partialsDir(app)), (entry) => entry?.name() ?? "");
  } catch {
    // No upload was ever begun.
    return [];
  }
}

/** The request's own stream below PocketBase's buffering reader: bytes go to disk without entering the engine. */
function rawBody(body: io.Reader): io.Reader {
  let raw = body as io.Reader & { readCloser?: io.Reader };
  while (raw.readCloser) raw = raw.readCloser;
  return raw;
}

/**
 * Writes `body` at `offset` and brings it to the disk, also what came before the sender fell silent.
 * Throws what went wrong afterwards.
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

/** Calls `run` with the file opened for reading, placed at `offset`. */
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
