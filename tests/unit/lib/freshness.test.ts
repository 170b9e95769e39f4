import { expect, test, vi } from "vitest";
import { createFreshness } from "@/lib/freshness";

const yes = () => vi.fn(async () => ({ success: true as const }));

test("an answer stands until its lifetime is over", async () => {
  let now = 1_000;
  const asked = createFreshness(() => now);
  const question = yes();
  await asked.ask("a", 500, question);
  now = 1_499;
  await expect(asked.ask("a", 500, question)).resolves.toEqual({ success: true });
  expect(question).toHaveBeenCalledTimes(1);
  await asked.ask("b", 500, question);
  now = 1_500;
  await asked.ask("a", 500, question);
  expect(question).toHaveBeenCalledTimes(3);
});

test("a failure is told and asked again", async () => {
  const asked = createFreshness(() => 1_000);
  const no = { success: false as const, error: "network" };
  await expect(asked.ask("a", 500, async () => no)).resolves.toBe(no);
  const question = yes();
  await asked.ask("a", 500, question);
  expect(question).toHaveBeenCalledTimes(1);
});

test("a clock that was set back makes nothing fresh", async () => {
  let now = 1_000;
  const asked = createFreshness(() => now);
  await asked.ask("a", 5_000, yes());
  now = 0;
  const question = yes();
  await asked.ask("a", 5_000, question);
  expect(question).toHaveBeenCalledTimes(1);
});
