/** The answer for a database that could not: 503, which devices try again, in place of what PocketBase would make of it. */
import { requestOf } from "./acting";
import { busy, isOutage } from "./outage";
import { RETRY_AFTER } from "./refuse";

type Handler = (e: never) => unknown;

function sayWhenBusy<H extends Handler>(handler: H): H {
  const guarded = (e: never) => {
    try {
      return handler(e);
    } catch (error) {
      if (!isOutage(error)) throw error;
      // Jobs have no event, and a record's events no response.
      if (e !== undefined) requestOf(e).response?.header().set("Retry-After", RETRY_AFTER);
      throw busy();
    }
  };
  return guarded as H;
}

export const sayAllWhenBusy = <T extends Record<string, Handler>>(handlers: T): T =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, sayWhenBusy(handler)]),
  ) as T;
