// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "@/data/client";
import type { Live } from "@/data/shapes";
import { createCell } from "@/lib/cell";

beforeEach(() => void vi.resetModules());
afterEach(cleanup);

async function newPage(watch: (id: string) => Live<string>) {
  const { useWatch } = await import("@/state/use-watch");
  const { startClient } = await import("@/state/client-store");
  const { result, rerender } = renderHook(
    ({ id }) => useWatch(() => watch(id), [id], "loading", "no client"),
    { initialProps: { id: "one" } },
  );
  return { result, rerender, startClient };
}

test("the first value, then the live one, and another one for another question alone", async () => {
  const cells = { one: createCell("1"), two: createCell("2") };
  const watch = vi.fn((id: string) => cells[id as "one" | "two"]);
  const { result, rerender, startClient } = await newPage(watch);
  expect(result.current).toBe("loading");
  await act(() => startClient(async () => ({}) as Client));
  expect(result.current).toBe("1");
  act(() => cells.one.set("1b"));
  expect(result.current).toBe("1b");
  expect(watch).toHaveBeenCalledOnce();
  rerender({ id: "two" });
  expect(result.current).toBe("2");
  expect(watch).toHaveBeenCalledTimes(2);
});

test("a client that cannot be loaded gives its own value, until it is tried again", async () => {
  const { result, startClient } = await newPage(() => createCell("1"));
  await act(() => startClient(() => Promise.reject(new Error("offline"))));
  expect(result.current).toBe("no client");
  await act(() => startClient(async () => ({}) as Client));
  expect(result.current).toBe("1");
});
