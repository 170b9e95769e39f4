import { buildDevice, type Programs, removeDevice } from "@tests/chaos/build-device";
import { runChaos } from "@tests/chaos/run-chaos";
import { afterAll, beforeAll, expect, test } from "vitest";

let programs: Programs;
beforeAll(async () => {
  programs = await buildDevice();
});
afterAll(() => removeDevice(programs));

// The long runs are `npm run chaos`.
test("three devices on a bad network and a dying server end in agreement", async () => {
  const report = await runChaos({ seed: 4, devices: 3, operations: 45, programs });
  expect(report.violations).toEqual([]);
  // Of 135: what is drawn for something that is not there yet is not taken.
  expect(report.taken).toBeGreaterThan(30);
  expect(report.faults).toBeGreaterThan(20);
});
