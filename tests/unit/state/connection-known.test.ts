// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useClientState } from "@/state/client-store";
import { useIsConnectionKnown } from "@/state/outbox";
import { useWatch } from "@/state/use-watch";

vi.mock("@/state/client-store");
vi.mock("@/state/use-watch");

const LONG_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(useWatch).mockReturnValue("unknown");
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.resetAllMocks();
});

test("a device that opens slowly still waits for whether there is a server", () => {
  vi.mocked(useClientState).mockReturnValue({ state: "loading" });
  const hook = renderHook(() => useIsConnectionKnown());
  act(() => void vi.advanceTimersByTime(LONG_MS));
  expect(hook.result.current).toBe(false);
  vi.mocked(useClientState).mockReturnValue({ state: "ready", client: {} as never });
  hook.rerender();
  expect(hook.result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(LONG_MS));
  expect(hook.result.current).toBe(true);
});

test("an answer, or a device that cannot be opened, ends the wait", () => {
  vi.mocked(useClientState).mockReturnValue({ state: "failed" });
  expect(renderHook(() => useIsConnectionKnown()).result.current).toBe(true);
  vi.mocked(useClientState).mockReturnValue({ state: "ready", client: {} as never });
  vi.mocked(useWatch).mockReturnValue("offline");
  expect(renderHook(() => useIsConnectionKnown()).result.current).toBe(true);
});
