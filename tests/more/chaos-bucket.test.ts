import { buildDevice, type Programs, removeDevice } from "@tests/chaos/build-device";
import { runChaos } from "@tests/chaos/run-chaos";
import { afterAll, beforeAll, expect, test } from "vitest";

let programs: Programs;
beforeAll(async () => {
  programs = await buildDevice();
});
afterAll(() => removeDevice(programs));

test("three devices end in agreement with files in a bucket that fails, and a restore from the stream", async () => {
  const report = await runChaos({ seed: 1, devices: 3, operations: 45, programs, store: "s3" });
  expect(report.violations).toEqual([]);
  expect(report.taken).toBeGreaterThan(30);
  expect(report.storeFaults).toBeGreaterThan(0);
  expect(report.kills).toBeGreaterThan(1);
}, 600_000);
