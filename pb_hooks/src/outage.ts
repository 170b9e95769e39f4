/**
 * Telling a database that could not answer from one that said no. PocketBase makes a 400, a 401 or a 404 of either, and
 * what a device has queued would be given up for a busy server.
 */

/** What SQLite, its driver and Go's pool say of a lock, a time that ran out, a disk, or a lack of memory or files. */
const OUTAGE =
  /database (?:table |schema )?is locked|context (?:deadline exceeded|canceled)|\binterrupted\b|disk I\/O error|unable to open database|disk is full|out of memory|locking protocol|too many open files|database is closed|bad connection/i;

/** PocketBase puts this behind every error of a query but "no rows". */
const FAILED_QUERY = "failed query:";

const BUSY = 503;

interface Inner {
  status?: unknown;
  rawData?: () => unknown;
}

const innerOf = (error: unknown): Inner =>
  ((error as { value?: unknown } | null)?.value ?? error ?? {}) as Inner;

const textOf = (error: unknown): string =>
  `${String(error)} ${String(innerOf(error).rawData?.() ?? "")}`;

/** The exception for a database that could not answer. */
export const busy = (): ApiError => new ApiError(BUSY, "The server is busy.");

/** Whether `error`, or what lies behind it, is a database that could not answer. */
export const isOutage = (error: unknown): boolean =>
  innerOf(error).status === BUSY || OUTAGE.test(textOf(error));

/** The same of a lookup by an id, where every fault but "no rows" is one. */
export const isFailedLookup = (error: unknown): boolean =>
  isOutage(error) || textOf(error).includes(FAILED_QUERY);
