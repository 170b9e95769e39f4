/**
 * What a device fetches although no screen asked for it, so that it is there without a network:
 * names, and the last words of chats. Once for each time the data are opened, after a pull that
 * succeeded, in the leading tab, and slowly: whoever looks at a screen meanwhile comes first.
 */
import type { Result } from "@/domain/result";
import { codeOfFault } from "./answers";
import type { ScopeStores, Shared } from "./context";
import type { Ahead } from "./noun";

/** After the pull, so that the first screens have asked for what they show. */
const AFTER_MS = 2_000;
/** Between two requests. */
const PAUSE_MS = 200;

/** Called after each pull. What failed is tried again after the next. */
export function createAhead(
  { deps, remote, nouns, log }: Shared,
  { replica, device, userId }: ScopeStores,
  mayRun: () => boolean,
) {
  const works = nouns.list.flatMap(({ fetchAhead }) => (fetchAhead ? [fetchAhead] : []));
  const left = new Set(works);
  let running = false;
  const pauseThen = async (ms: number) => {
    await deps.delay(ms);
    return mayRun();
  };
  const run = async () => {
    if (!(await pauseThen(AFTER_MS))) return;
    for (const work of [...left]) {
      const ahead: Ahead = { replica, device, userId, remote, mayAsk: () => pauseThen(PAUSE_MS) };
      const done = await work(ahead).catch((error: unknown): Result<null> => {
        // Closed under way, it has nowhere to put what comes.
        if (mayRun()) log("What was to be fetched ahead could not be", error);
        return { success: false, error: codeOfFault(error) };
      });
      if (done.success) left.delete(work);
      if (!mayRun()) return;
    }
  };
  return async () => {
    if (running || left.size === 0 || userId === null || !mayRun()) return;
    running = true;
    await run();
    running = false;
  };
}
