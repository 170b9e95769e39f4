// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { add } from "@/data/engine/unload-stand-in";

/** The page goes for good, or is only laid aside for the way back. */
function leavePage(persisted: boolean): void {
  window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted }));
}

test("who listens is told once that the page goes, and not that it is laid aside", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  add(first);
  add(second).remove();
  leavePage(true);
  expect(first).not.toHaveBeenCalled();
  leavePage(false);
  leavePage(false);
  expect(first).toHaveBeenCalledOnce();
  expect(second).not.toHaveBeenCalled();
});

test("what was run by hand is not run again", () => {
  const listener = vi.fn(() => "stepped down");
  expect(add(listener).run()).toBe("stepped down");
  leavePage(false);
  expect(listener).toHaveBeenCalledOnce();
});
