import { expect, test, vi } from "vitest";
import { loadWhenUsed } from "@/lib/load-when-used";

const greeter = {
  greet: async (name: string) => `Hello ${name}`,
  fail: async () => Promise.reject(new Error("own")),
};

test("nothing is loaded before the first call, and once for all of them", async () => {
  const load = vi.fn(async () => greeter);
  const lazy = loadWhenUsed(load, () => "failed");
  expect(load).not.toHaveBeenCalled();
  expect(await Promise.all([lazy.greet("Ann"), lazy.greet("Bob")])).toEqual([
    "Hello Ann",
    "Hello Bob",
  ]);
  expect(load).toHaveBeenCalledTimes(1);
});

test("a load that fails gives its own answer, and is tried again", async () => {
  const load = vi.fn().mockRejectedValueOnce(new Error("offline")).mockResolvedValue(greeter);
  const lazy = loadWhenUsed<typeof greeter>(load, () => "failed");
  expect(await lazy.greet("Ann")).toBe("failed");
  expect(await lazy.greet("Ann")).toBe("Hello Ann");
});

test("it may be awaited itself, and a method's own failure is the caller's", async () => {
  const load = vi.fn(async () => greeter);
  const lazy = await loadWhenUsed(load, () => "failed");
  expect(load).not.toHaveBeenCalled();
  await expect(lazy.fail()).rejects.toThrow("own");
});
