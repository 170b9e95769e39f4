// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useClient } from "@/state/client-store";
import { useSearch } from "@/state/search";
import { useUser } from "@/state/session";
import { useLoaded } from "@/state/use-watch";

vi.mock("@/state/client-store");
vi.mock("@/state/session");
vi.mock("@/state/use-watch");

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("the server is asked once typing pauses, and again for whoever comes in meanwhile", () => {
  vi.useFakeTimers();
  const pullSearch = vi.fn();
  vi.mocked(useClient).mockReturnValue({ reads: { pullSearch } } as never);
  vi.mocked(useLoaded).mockReturnValue({ state: "loading" });
  vi.mocked(useUser).mockReturnValue(null);
  const { rerender } = renderHook(({ text }) => useSearch(text, "all"), {
    initialProps: { text: "har" },
  });
  rerender({ text: "harbour" });
  act(() => vi.advanceTimersByTime(1_000));
  expect(pullSearch.mock.calls.map(([{ text }]) => text)).toEqual(["harbour"]);
  vi.mocked(useUser).mockReturnValue({ id: "ada000000000000" } as never);
  rerender({ text: "harbour" });
  act(() => vi.advanceTimersByTime(1_000));
  expect(pullSearch).toHaveBeenCalledTimes(2);
  rerender({ text: "harbour" });
  act(() => vi.advanceTimersByTime(1_000));
  expect(pullSearch).toHaveBeenCalledTimes(2);
});
