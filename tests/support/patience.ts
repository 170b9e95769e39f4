/**
 * How long tests wait for what hangs. Nothing that works comes near, on a machine however busy, so
 * no test has a limit of its own.
 */

/** A unit test, and each wait in one. */
export const UNIT_MS = 30_000;
/** A wait for a real server. */
export const SERVER_MS = 60_000;
/** A wait for a page, which may have sixty pictures to send. */
export const PAGE_MS = 180_000;
/** A whole test of a server or in a browser, and its set-up: many waits one after another. */
export const TEST_MS = 600_000;
