import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showToast, TOAST_REMOVE_DELAY_MS, useToasts } from "@/state/toasts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  useToasts.setState({ items: [] });
});

const shown = () => useToasts.getState().items;

test("only the newest toast is there", () => {
  showToast({ title: { key: "app.save" } });
  showToast({ title: { key: "app.delete" } });
  expect(shown().map((item) => item.title)).toEqual([{ key: "app.delete" }]);
});

test("a closed toast is kept for 1,000,000 ms and then gone", () => {
  showToast({ title: { key: "app.save" } });
  const id = shown()[0]?.id ?? 0;
  useToasts.getState().close(id);
  expect(shown()[0]?.open).toBe(false);
  vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS - 1);
  expect(shown()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
  expect(shown()).toHaveLength(0);
});
