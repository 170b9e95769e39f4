import { expect, test } from "vitest";
import { createSerialQueue } from "@/lib/serial-queue";

test("jobs run one after another, and a failed one does not stop the next", async () => {
  const inTurn = createSerialQueue();
  const told: string[] = [];
  const first = inTurn(async () => {
    await Promise.resolve();
    told.push("first");
    throw new Error("no");
  });
  const second = inTurn(async () => {
    told.push("second");
    return 2;
  });
  await expect(first).rejects.toThrow("no");
  expect(await second).toBe(2);
  expect(told).toEqual(["first", "second"]);
});
