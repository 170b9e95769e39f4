/**
 * How much may be stored: by a person, and on the disk. It is counted from the rows of what is
 * there, and of unfinished uploads; the limits are those of limits.ts.
 */
import { refusalOf } from "@hooks/http/refusals";
import { limitOf } from "@hooks/limits";
import type { Refusal } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";

/** Why a file of `size` bytes cannot be uploaded, going by the type that the client names. */
export function sizeFault(size: number, filetype: string): Refusal | null {
  if (size === 0) return refusalOf("file_empty");
  if (filetype.startsWith("image/") && size > IMAGE_MAX_BYTES) return refusalOf("image_too_large");
  return size > VIDEO_MAX_BYTES ? refusalOf("video_too_large") : null;
}

interface Stored {
  /** Unfinished uploads. */
  n: number;
  open: number;
  kept: number;
}

/** SQL for the bytes of the media and chat photos of the person whose id is `owner`, in SQL. */
export const storedSql = (owner: string): string =>
  `(SELECT COALESCE(sum(fileSize + subtitlesSize), 0) FROM media WHERE userId = ${owner}) +
   (SELECT COALESCE(sum(photoSize), 0) FROM messages WHERE senderId = ${owner} AND photoSize > 0)`;

/** Bytes that `owner` has on the server, and those announced by unfinished uploads. */
function storedBy(app: CoreApp, owner: string): Stored {
  const stored = new DynamicModel({ n: 0, open: 0, kept: 0 }) as unknown as Stored;
  app
    .db()
    .newQuery(
      `SELECT count(*) AS n, COALESCE(sum(size), 0) AS open,
       ${storedSql("{:owner}")} AS kept
       FROM uploads WHERE owner = {:owner}`,
    )
    .bind({ owner })
    .one(stored);
  return stored;
}

/** What Settings tell: bytes used, and bytes that may be. */
export function storageOf(app: CoreApp, owner: string): { used: number; limit: number } {
  const { kept, open } = storedBy(app, owner);
  return { used: kept + open, limit: limitOf(app, "storageBytes") };
}

/**
 * Why `owner` cannot upload `size` bytes more. Ask in the transaction that creates the upload. What
 * a superuser imports may be more than a person may store.
 */
export function quotaFault(
  app: CoreApp,
  { owner, size, isImport }: { owner: string; size: number; isImport: boolean },
): Refusal | null {
  const { n, open, kept } = storedBy(app, owner);
  const isFull =
    n >= limitOf(app, "openUploads") ||
    open + size > limitOf(app, "openUploadBytes") ||
    (!isImport && kept + open + size > limitOf(app, "storageBytes"));
  return isFull ? refusalOf("quota") : null;
}

/**
 * Why what `owner` has stored cannot grow by `size` bytes. Ask before storing them, one at a time.
 */
export function growthFault(app: CoreApp, owner: string, size: number): Refusal | null {
  const { used, limit } = storageOf(app, owner);
  return size > 0 && used + size > limit ? refusalOf("quota") : diskFault(app, size, 0);
}

/**
 * Why `size` bytes more do not fit on the disk that holds the data. `received` are the bytes that
 * unfinished uploads have by now: the rest of what they announced is still to come.
 */
export function diskFault(app: CoreApp, size: number, received: number): Refusal | null {
  const disk = diskOf(app.dataDir());
  if (disk === null) return null;
  const announced = new DynamicModel({ bytes: 0 }) as unknown as { bytes: number };
  app.db().newQuery("SELECT COALESCE(sum(size), 0) AS bytes FROM uploads").one(announced);
  const promised = Math.max(0, announced.bytes - received);
  const isFull = disk.free - promised - size < limitOf(app, "minFreeDiskBytes");
  return isFull ? refusalOf("storage_full") : null;
}

/** Bytes of the disk that holds `dir`, or null where the system has no `df`. */
export function diskOf(dir: string): { free: number; used: number } | null {
  try {
    // POSIX format: a line per file system, 1,024-byte blocks, used and available ones in the third
    // and fourth column.
    const lines = toString($os.cmd("df", "-Pk", dir).output())
      .trim()
      .split("\n");
    const columns = (lines[lines.length - 1] ?? "").split(/\s+/);
    const [used, free] = [Number(columns[2]) * 1024, Number(columns[3]) * 1024];
    return Number.isFinite(used) && Number.isFinite(free) ? { used, free } : null;
  } catch {
    return null;
  }
}

/** Whether a write failed because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  /no space left|disk quota exceeded|disk is full/i.test(String(error));
