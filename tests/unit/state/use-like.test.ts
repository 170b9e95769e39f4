// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "@/data/client";
import type { Queued } from "@/data/shapes";
import { failed, ok, type Result } from "@/domain/result";

const session = vi.hoisted(() => ({ user: { id: "me" } as { id: string } | null }));
const toLogin = vi.hoisted(() => vi.fn());
vi.mock("@/state/session", () => ({
  currentUser: () => session.user,
  useToLogin: () => toLogin,
}));

beforeEach(() => {
  vi.resetModules();
  session.user = { id: "me" };
});
afterEach(cleanup);

/** A heart whose writes wait for the test to answer them. */
async function newHeart(media = { id: "m1", liked: false, likes: 3 }) {
  const { useLike } = await import("@/state/use-like");
  const { startClient, pendingWrites } = await import("@/state/client-store");
  const { useToasts } = await import("@/state/toasts");
  const answers: ((answer: Result<Queued>) => void)[] = [];
  const written: boolean[] = [];
  const setLike = (_: string, on: boolean) => {
    written.push(on);
    return new Promise<Result<Queued>>((resolve) => answers.push(resolve));
  };
  const { result, rerender } = renderHook((props) => useLike(props), { initialProps: media });
  const start = () =>
    act(() => startClient(async () => ({ writes: { setLike } }) as never as Client));
  const answer = (queued: boolean) =>
    act(async () => answers.shift()?.(queued ? ok({ intentId: "i" }) : failed("storage_full")));
  return { result, rerender, start, answer, written, pendingWrites, useToasts };
}

test("a tap shows before there is a client, and is written when there is one", async () => {
  const { result, start, written } = await newHeart();
  act(() => result.current.toggle());
  expect(result.current).toMatchObject({ liked: true, count: 4, fresh: true });
  expect(written).toEqual([]);
  await start();
  expect(written).toEqual([true]);
});

test("a like that cannot be queued is taken back, and that is said", async () => {
  const { result, start, answer, useToasts } = await newHeart();
  await start();
  await act(async () => result.current.toggle());
  await answer(false);
  expect(result.current).toMatchObject({ liked: false, count: 3, fresh: false });
  expect(JSON.stringify(useToasts.getState())).toContain("media.likeFailed");
});

test("of many taps the last one shows, whatever becomes of those before it", async () => {
  const { result, start, answer, written } = await newHeart();
  await start();
  for (let i = 0; i < 3; i++) await act(async () => result.current.toggle());
  expect(written).toEqual([true, false, true]);
  await answer(false);
  await answer(true);
  expect(result.current).toMatchObject({ liked: true, count: 4 });
});

test("where the outbox's overlay says it too it is counted once, and moves on", async () => {
  const { result, rerender, start, answer } = await newHeart();
  await start();
  await act(async () => result.current.like());
  rerender({ id: "m1", liked: true, likes: 4 });
  expect(result.current).toMatchObject({ liked: true, count: 4, fresh: true });
  await answer(true);
  expect(result.current).toMatchObject({ liked: true, count: 4, fresh: true });
});

test("a visitor is led to the login, and nothing is shown or written", async () => {
  session.user = null;
  const { result, start, written } = await newHeart();
  await start();
  act(() => result.current.toggle());
  expect(toLogin).toHaveBeenCalled();
  expect(result.current).toMatchObject({ liked: false, count: 3 });
  expect(written).toEqual([]);
});
