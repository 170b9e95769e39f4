/** Requests for data that is not replicated to this device and never stored: the admin's lists. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { AdminPage } from "@/data/admin/admin-client";
import type { Client } from "@/data/client";
import type { ErrorCode } from "@/domain/error-codes";
import { ADMIN_PAGE } from "@/domain/limits";
import type { Result } from "@/domain/result";
import { noteAdminRefusal } from "./admin-access";
import { useClient } from "./client-store";
import { useConnection } from "./outbox";
import { moreOf, usePager } from "./use-pager";
import { LOADING } from "./use-watch";

/** `stale`: the latest request failed, and the value of an earlier one is still shown. */
export type QueryState<T> =
  | { state: "loading" }
  | { state: "failed"; code: ErrorCode }
  | { state: "ready"; value: T; stale: boolean };

export type Query<T> = ReturnType<typeof useQuery<T>>;

/** One request per `key`, on `reload`, and when the connection is back after a failure. */
export function useQuery<T>(key: string, send: (client: Client) => Promise<Result<T>>) {
  const client = useClient();
  const [kept, setKept] = useState<{ key: string; now: QueryState<T> }>({ key, now: LOADING });
  const [turn, setTurn] = useState(0);
  const latest = useRef(send);
  latest.current = send;
  const now = kept.key === key ? kept.now : LOADING;
  // biome-ignore lint/correctness/useExhaustiveDependencies: outside: the server, asked once more for each turn.
  useEffect(() => {
    if (client === null) return;
    let current = true;
    void latest.current(client).then((answer) => {
      if (!current) return;
      if (!answer.success) noteAdminRefusal(answer.error);
      setKept((was) => ({ key, now: answered(was.key === key ? was.now : LOADING, answer) }));
    });
    return () => {
      current = false;
    };
  }, [client, key, turn]);
  /** Requests again; the present value stays until the answer is there. */
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  /** Shows the effect of an act until the next request. */
  const change = useCallback((edit: (value: T) => T) => {
    setKept(({ key: own, now: was }) => ({
      key: own,
      now: was.state === "ready" ? { ...was, value: edit(was.value) } : was,
    }));
  }, []);
  useReloadWhenBack(now.state === "failed" || (now.state === "ready" && now.stale), reload);
  return { now, reload, change };
}

function answered<T>(before: QueryState<T>, answer: Result<T>): QueryState<T> {
  if (answer.success) return { state: "ready", value: answer.value, stale: false };
  return before.state === "ready"
    ? { ...before, stale: true }
    : { state: "failed", code: answer.error };
}

function useReloadWhenBack(hasFailed: boolean, reload: () => void): void {
  const connection = useConnection();
  const was = useRef(connection);
  // Outside: the connection.
  useEffect(() => {
    const isBack = was.current !== "online" && connection === "online";
    was.current = connection;
    if (isBack && hasFailed) reload();
  }, [connection, hasFailed, reload]);
}

export type PagedQuery<T> = ReturnType<typeof usePagedQuery<T>>;

type SendForPage<T> = (
  client: Client,
  page: { limit: number; after?: string },
) => Promise<Result<AdminPage<T>>>;

/** A list in pages, each from the end of the previous one. `reload` starts at the first. */
export function usePagedQuery<T>(key: string, send: SendForPage<T>) {
  const first = useQuery<AdminPage<T>>(key, (client) => send(client, { limit: ADMIN_PAGE }));
  const lastTotal = useRef<number | null>(null);
  const { change } = first;
  const page = first.now.state === "ready" ? first.now.value : null;
  const position = page?.next ?? null;
  if (page !== null) lastTotal.current = page.total;
  const { pulled, showMore } = usePager({
    // Each page has its own request, so that a failure of one does not outlive a reload.
    key: `${key} ${position}`,
    step: 1,
    reveal: "after-pull",
    pull: async (client) => {
      const answer = await send(client, { limit: ADMIN_PAGE, after: position ?? "" });
      if (!answer.success) {
        noteAdminRefusal(answer.error);
        return answer;
      }
      // After a reload in between this page does not belong to the list.
      change((before) => (before.next === position ? joined(before, answer.value) : before));
      return { success: true, value: { more: answer.value.next !== null } };
    },
  });
  const changeItems = useCallback(
    (edit: (items: T[]) => T[]) =>
      change((before) => {
        const items = edit(before.items);
        return { ...before, items, total: before.total - (before.items.length - items.length) };
      }),
    [change],
  );
  return {
    now: itemsOf(first.now),
    /** Rows in the whole list, whatever the search; null until it is known. */
    total: lastTotal.current,
    more: moreOf(pulled, position !== null),
    loadMore: () => position !== null && showMore(),
    reload: first.reload,
    change: changeItems,
  };
}

const itemsOf = <T>(now: QueryState<AdminPage<T>>): QueryState<T[]> =>
  now.state === "ready" ? { ...now, value: now.value.items } : now;

const joined = <T>(page: AdminPage<T>, more: AdminPage<T>): AdminPage<T> => ({
  ...more,
  items: [...page.items, ...more.items],
});
