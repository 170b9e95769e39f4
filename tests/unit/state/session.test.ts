// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SESSION_KEY } from "@/data/account/session-store";
import type { Client } from "@/data/client";
import type { SessionState } from "@/data/shapes";
import { createCell } from "@/lib/cell";

beforeEach(() => {
  vi.useFakeTimers();
  // What a page read of its session at the start, it keeps: each test is a page of its own.
  vi.resetModules();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const ada = { id: "user00000000001", email: "ada@example.com", username: "ada.l", isAdmin: false };
const signedIn: SessionState = { state: "signed-in", user: ada, needsLogin: false };

async function newPage() {
  const { useSession, useSessionCheck } = await import("@/state/session");
  const { startClient } = await import("@/state/client-store");
  return { useSession, useSessionCheck, startClient };
}

/** A client whose session is `session`, and whose device still holds it as long as `stands` says so. */
function clientWith(session: SessionState, stands: () => boolean = () => true) {
  const cell = createCell<SessionState>(session);
  const signOut = vi.fn(async () => {
    cell.set({ state: "signed-out" });
    return { success: true as const, value: null };
  });
  const auth = { session: cell, check: stands, signOut };
  return { client: { auth } as unknown as Client, signOut };
}

test("nobody stored: loading until the client says so, and signed out after two seconds without it", async () => {
  const { useSession } = await newPage();
  const { result } = renderHook(() => useSession());
  expect(result.current.state).toBe("loading");
  act(() => vi.advanceTimersByTime(1_999));
  expect(result.current.state).toBe("loading");
  act(() => vi.advanceTimersByTime(1));
  expect(result.current.state).toBe("signed-out");
});

test("a stored session is believed at once, and the fallback does not touch it", async () => {
  const stored = JSON.stringify({ token: "t", user: ada, needsLogin: false });
  localStorage.setItem(SESSION_KEY, stored);
  const { useSession } = await newPage();
  const { result } = renderHook(() => useSession());
  expect(result.current).toEqual(signedIn);
  act(() => vi.advanceTimersByTime(10_000));
  expect(result.current).toEqual(signedIn);
  expect(localStorage.getItem(SESSION_KEY)).toBe(stored);
});

test("the client's word replaces what was stored", async () => {
  localStorage.setItem(SESSION_KEY, JSON.stringify({ token: "t", user: ada, needsLogin: false }));
  const { useSession, startClient } = await newPage();
  const { result } = renderHook(() => useSession());
  await act(() => startClient(async () => clientWith({ state: "signed-out" }).client));
  expect(result.current.state).toBe("signed-out");
});

test.each([
  ["before", true],
  ["after", false],
])("a sign-out is noticed where the client was there %s the first look", async (_, early) => {
  const { useSession, startClient } = await newPage();
  const { client, signOut } = clientWith(signedIn);
  if (early) await startClient(async () => client);
  const { result } = renderHook(() => useSession());
  if (!early) await act(() => startClient(async () => client));
  expect(result.current).toEqual(signedIn);
  await act(() => signOut());
  expect(result.current.state).toBe("signed-out");
});

test("every 15 seconds a session that vanished from the device is logged out here, keeping the queue", async () => {
  let stands = true;
  const { useSessionCheck, startClient } = await newPage();
  const { client, signOut } = clientWith(signedIn, () => stands);
  renderHook(() => useSessionCheck());
  await act(() => startClient(async () => client));
  act(() => vi.advanceTimersByTime(30_000));
  expect(signOut).not.toHaveBeenCalled();
  stands = false;
  act(() => vi.advanceTimersByTime(14_999));
  expect(signOut).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(1));
  expect(signOut).toHaveBeenCalledExactlyOnceWith("keep");
});
