/**
 * A list that is shown a page at a time: how many rows are shown, and the request to the server for
 * the rows behind them.
 *
 *   idle -> loading -> done | failed -> loading ...
 *
 * A newer request replaces an older one, whose answer is dropped. Another `key` is another list and
 * starts from the beginning.
 */
import { useCallback, useRef, useState } from "react";
import type { Client } from "@/data/client";
import type { ErrorCode } from "@/domain/error-codes";
import type { Result } from "@/domain/result";
import { useClient } from "./client-store";

/** `hasMore` is the server's latest answer, null without one and after a failure. */
export type PullState =
  | { state: "idle" | "loading" | "done"; hasMore: boolean | null }
  | { state: "failed"; hasMore: null; code: ErrorCode };

/** What the end of a list offers. `none`: these are all rows. */
export type More = "none" | "idle" | "loading" | "failed";

export interface PagerOptions {
  key: string;
  step: number;
  /** Rows at the start, when they are not one step. */
  first?: number;
  most?: number;
  /** Brings rows from the server until `shown` of them are on the device. */
  pull?: ((client: Client, shown: number) => Promise<Result<{ more: boolean }>>) | null;
  /**
   * `at-once` shows what the device has while the server is asked; `after-pull` shows the next rows
   * when the request is over, with or without success, and allows one request at a time.
   */
  reveal?: "at-once" | "after-pull";
}

interface State {
  key: string;
  shown: number;
  pulled: PullState;
}

const IDLE: PullState = { state: "idle", hasMore: null };

/** The end of a list that has more rows on the device or the server if `hasMore`. */
export function moreOf({ state }: PullState, hasMore: boolean): More {
  if (state === "loading" || state === "failed") return state;
  return hasMore ? "idle" : "none";
}

export function usePager(options: PagerOptions) {
  const { key, step, most = Number.POSITIVE_INFINITY, reveal = "at-once" } = options;
  const first = options.first ?? step;
  const client = useClient();
  const [kept, setKept] = useState<State>({ key, shown: first, pulled: IDLE });
  const now: State = kept.key === key ? kept : { key, shown: first, pulled: IDLE };
  const latest = useRef({ pull: options.pull, shown: now.shown });
  latest.current = { pull: options.pull, shown: now.shown };
  const requests = useRef({ count: 0, inFlight: "" });
  const request = useCallback(
    async (wanted: number) => {
      const { pull, shown } = latest.current;
      if (client === null || !pull) return;
      requests.current = { count: requests.current.count + 1, inFlight: key };
      const { count } = requests.current;
      setKept((was) => {
        const before = was.key === key ? was : { shown, pulled: IDLE };
        const { hasMore } = before.pulled;
        return { key, shown: before.shown, pulled: { state: "loading", hasMore } };
      });
      const answer = await pull(client, wanted);
      if (count !== requests.current.count) return;
      requests.current.inFlight = "";
      const pulled: PullState = answer.success
        ? { state: "done", hasMore: answer.value.more }
        : { state: "failed", hasMore: null, code: answer.error };
      setKept((was) =>
        was.key === key ? { key, shown: Math.max(was.shown, wanted), pulled } : was,
      );
    },
    [client, key],
  );
  const showMore = useCallback(() => {
    const wanted = Math.min(most, latest.current.shown + step);
    if (reveal === "at-once") {
      setKept((was) => ({ key, shown: wanted, pulled: was.key === key ? was.pulled : IDLE }));
    } else if (requests.current.inFlight === key) return;
    void request(wanted);
  }, [key, step, most, reveal, request]);
  const pullAgain = useCallback(() => void request(latest.current.shown), [request]);
  return { shown: now.shown, pulled: now.pulled, showMore, pullAgain };
}

/** Keeps the previous value of the same list while a longer one is loading. */
export function useWhileLoading<T extends { state: string }>(key: string, now: T): T {
  const [last, setLast] = useState({ key, value: now });
  const isLoading = now.state === "loading";
  if (!isLoading && (last.value !== now || last.key !== key)) setLast({ key, value: now });
  return isLoading && last.key === key ? last.value : now;
}
