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
}, 600_000);

test("so do they with files in a bucket that fails, and a restore from the stream", async () => {
  const report = await runChaos({ seed: 1, devices: 3, operations: 45, programs, store: "s3" });
  expect(report.violations).toEqual([]);
  expect(report.taken).toBeGreaterThan(30);
  expect(report.storeFaults).toBeGreaterThan(3);
  expect(report.kills).toBeGreaterThan(1);
}, 600_000);
