// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "@/data/client";
import type { Result } from "@/domain/result";
import type { PagerOptions } from "@/state/use-pager";

type Answer = Result<{ more: boolean }>;
let answer: (value: Answer) => void;
const pull = vi.fn(
  (_: Client, shown: number) =>
    new Promise<Answer>((resolve) => {
      answer = resolve;
      void shown;
    }),
);
const done = (more: boolean): Answer => ({ success: true, value: { more } });
const lost: Answer = { success: false, error: "network" };

beforeEach(() => {
  vi.resetModules();
  pull.mockClear();
});
afterEach(cleanup);

async function newPager(options: Partial<PagerOptions> = {}) {
  const { moreOf, usePager, useWhileLoading } = await import("@/state/use-pager");
  const { startClient } = await import("@/state/client-store");
  await startClient(async () => ({}) as Client);
  const first: PagerOptions = { key: "a", step: 30, pull, ...options };
  const hook = renderHook((props: PagerOptions) => usePager(props), { initialProps: first });
  const pager = () => hook.result.current;
  return { pager, rerender: hook.rerender, first, moreOf, useWhileLoading };
}

test("each step shows more rows at once, while the server is asked for them", async () => {
  const { pager } = await newPager();
  expect(pager()).toMatchObject({ shown: 30, pulled: { state: "idle" } });
  act(() => pager().showMore());
  expect(pager()).toMatchObject({ shown: 60, pulled: { state: "loading", hasMore: null } });
  expect(pull).toHaveBeenLastCalledWith(expect.anything(), 60);
  await act(async () => answer(done(true)));
  expect(pager().pulled).toEqual({ state: "done", hasMore: true });
  act(() => pager().showMore());
  expect(pager()).toMatchObject({ shown: 90, pulled: { state: "loading", hasMore: true } });
});

test("after-pull shows more rows only when the request is over, and sends one at a time", async () => {
  const { pager } = await newPager({ reveal: "after-pull" });
  act(() => {
    pager().showMore();
    pager().showMore();
  });
  expect(pull).toHaveBeenCalledOnce();
  expect(pager().shown).toBe(30);
  await act(async () => answer(lost));
  expect(pager()).toMatchObject({ shown: 60, pulled: { state: "failed", code: "network" } });
  act(() => pager().showMore());
  await act(async () => answer(done(false)));
  expect(pager()).toMatchObject({ shown: 90, pulled: { state: "done", hasMore: false } });
});

test("a newer request replaces an older one, whose answer is dropped", async () => {
  const { pager } = await newPager();
  act(() => pager().pullAgain());
  const first = answer;
  act(() => pager().showMore());
  await act(async () => first(lost));
  expect(pager().pulled.state).toBe("loading");
  await act(async () => answer(done(false)));
  expect(pager().pulled).toEqual({ state: "done", hasMore: false });
});

test("another key starts from the beginning, and an answer for the old one changes nothing", async () => {
  const { pager, rerender, first } = await newPager({ first: 40, most: 60 });
  act(() => pager().showMore());
  expect(pager().shown).toBe(60);
  rerender({ ...first, key: "b", first: 30 });
  await act(async () => answer(lost));
  expect(pager()).toMatchObject({ shown: 30, pulled: { state: "idle" } });
});

test("the end of a list offers more rows, a request, its failure, or nothing", async () => {
  const { moreOf } = await newPager();
  expect(moreOf({ state: "idle", hasMore: null }, true)).toBe("idle");
  expect(moreOf({ state: "idle", hasMore: null }, false)).toBe("none");
  expect(moreOf({ state: "done", hasMore: false }, true)).toBe("idle");
  expect(moreOf({ state: "loading", hasMore: null }, false)).toBe("loading");
  expect(moreOf({ state: "failed", hasMore: null, code: "network" }, true)).toBe("failed");
});

test("the previous rows stay while more of the same list are loading", async () => {
  const { useWhileLoading } = await newPager();
  const ready = { state: "ready", value: 1 };
  const loading = { state: "loading" };
  const { result, rerender } = renderHook(({ key, now }) => useWhileLoading(key, now), {
    initialProps: { key: "a", now: loading as { state: string } },
  });
  expect(result.current).toBe(loading);
  rerender({ key: "a", now: ready });
  rerender({ key: "a", now: loading });
  expect(result.current).toBe(ready);
  rerender({ key: "b", now: loading });
  expect(result.current).toBe(loading);
});
