/** What the server is asked for and does not lie on this device: the admin panel's lists. Nothing of it is kept (data contract, "not replicated"). */
import { useCallback, useEffect, useRef, useState } from "react";
import type { AdminPage } from "@/data/admin/admin-client";
import type { Client } from "@/data/client";
import type { ErrorCode } from "@/domain/error-codes";
import type { Result } from "@/domain/result";
import { noteAdminRefusal } from "./admin-access";
import { useClient } from "./client-store";
import { useConnection } from "./use-outbox";

/** `ready` may be `stale`: the newest question got no answer, and what stood before is still shown. */
export type Asked<T> =
  | { state: "loading" }
  | { state: "failed"; code: ErrorCode }
  | { state: "ready"; value: T; stale: boolean };

export interface Asking<T> {
  now: Asked<T>;
  /** Asks again; what stands stays until the answer is there. */
  reload: () => void;
  /** Puts in place what an act has changed, until it is asked for again. */
  change: (next: (value: T) => T) => void;
}

const LOADING = { state: "loading" } as const;

/**
 * Asks once for each `key`, again on `reload`, and again when the connection comes back after a failure. An answer to an
 * older question is dropped.
 */
export function useAsked<T>(key: string, ask: (client: Client) => Promise<Result<T>>): Asking<T> {
  const client = useClient();
  const [kept, setKept] = useState<{ key: string; now: Asked<T> }>({ key, now: LOADING });
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const now = kept.key === key ? kept.now : LOADING;
  // Outside: the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is another question.
  useEffect(() => {
    if (client === null) return;
    let current = true;
    void latest.current(client).then((answer) => {
      if (!current) return;
      if (!answer.success) noteAdminRefusal(answer.error);
      setKept((before) => ({ key, now: next(before.key === key ? before.now : LOADING, answer) }));
    });
    return () => {
      current = false;
    };
  }, [client, key, turn]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const change = useCallback((edit: (value: T) => T) => {
    setKept(({ key: own, now: was }) => ({
      key: own,
      now: was.state === "ready" ? { ...was, value: edit(was.value) } : was,
    }));
  }, []);
  useReloadWhenBack(now.state === "failed" || (now.state === "ready" && now.stale), reload);
  return { now, reload, change };
}

function next<T>(before: Asked<T>, answer: Result<T>): Asked<T> {
  if (answer.success) return { state: "ready", value: answer.value, stale: false };
  return before.state === "ready"
    ? { ...before, stale: true }
    : { state: "failed", code: answer.error };
}

/** The server is back: what could not be had is asked for again. */
function useReloadWhenBack(missed: boolean, reload: () => void): void {
  const connection = useConnection();
  const was = useRef(connection);
  // Outside: the connection.
  useEffect(() => {
    const back = was.current !== "online" && connection === "online";
    was.current = connection;
    if (back && missed) reload();
  }, [connection, missed, reload]);
}

export interface Paged<T> {
  now: Asked<T[]>;
  /** Of the whole list, whatever the search; null until it is known. */
  total: number | null;
  more: "idle" | "loading" | "failed" | "none";
  loadMore: () => void;
  reload: () => void;
  /** Puts in place what an act has changed; rows that are taken out also leave the total. */
  change: (edit: (items: T[]) => T[]) => void;
}

type AskPage<T> = (client: Client, after?: string) => Promise<Result<AdminPage<T>>>;

/** The same for a list that comes in pages: `reload` begins anew at the first. */
export function usePaged<T>(key: string, ask: AskPage<T>): Paged<T> {
  const client = useClient();
  const first = useAsked<AdminPage<T>>(key, (asked) => ask(asked));
  const [under, setUnder] = useState<{ at: string; failed: boolean } | null>(null);
  const lastTotal = useRef<number | null>(null);
  const { change } = first;
  const page = first.now.state === "ready" ? first.now.value : null;
  const at = page?.next ?? null;
  if (page !== null) lastTotal.current = page.total;
  const loadMore = () => {
    if (client === null || at === null || (under?.at === at && !under.failed)) return;
    setUnder({ at, failed: false });
    void ask(client, at).then((answer) => {
      if (!answer.success) {
        noteAdminRefusal(answer.error);
        return setUnder({ at, failed: true });
      }
      setUnder(null);
      // A reload in between has begun a new list, to which this page does not belong.
      change((before) => (before.next === at ? joined(before, answer.value) : before));
    });
  };
  const changeItems = useCallback(
    (edit: (items: T[]) => T[]) =>
      change((before) => {
        const items = edit(before.items);
        return { ...before, items, total: before.total - (before.items.length - items.length) };
      }),
    [change],
  );
  return {
    now: first.now.state === "ready" ? { ...first.now, value: first.now.value.items } : first.now,
    total: lastTotal.current,
    more: stateOfMore(at, under),
    loadMore,
    reload: first.reload,
    change: changeItems,
  };
}

function stateOfMore(
  at: string | null,
  under: { at: string; failed: boolean } | null,
): Paged<unknown>["more"] {
  if (at === null) return "none";
  if (under?.at !== at) return "idle";
  return under.failed ? "failed" : "loading";
}

const joined = <T>(page: AdminPage<T>, more: AdminPage<T>): AdminPage<T> => ({
  ...more,
  items: [...page.items, ...more.items],
});
