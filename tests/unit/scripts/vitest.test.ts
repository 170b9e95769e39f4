import { faultLines, readTestArguments, summaryLine, tally } from "@scripts/vitest.mjs";
import { expect, test } from "vitest";

const clean: NonNullable<Parameters<typeof tally>[0]> = {
  success: true,
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: "passed", assertionResults: [{ status: "passed" }] }],
};

test.each([
  ["all pass", clean, { passed: 5, failed: 0 }],
  ["one fails", { ...clean, success: false, numFailedTests: 1 }, { passed: 5, failed: 1 }],
  ["one is skipped", { ...clean, numPendingTests: 1 }, { passed: 5, failed: 1 }],
  ["one is to do", { ...clean, numTodoTests: 1 }, { passed: 5, failed: 1 }],
  [
    "a file does not load",
    { ...clean, success: false, testResults: [{ status: "failed", assertionResults: [] }] },
    { passed: 5, failed: 1 },
  ],
  ["an error escapes every test", { ...clean, success: false }, { passed: 5, failed: 1 }],
  ["the run leaves no report", null, { passed: 0, failed: 1 }],
])("where %s, the count says so", (_case, report, counted) => {
  expect(tally(report)).toMatchObject(counted);
});

test("the last line adds the runs up", () => {
  const line = summaryLine([
    { passed: 3, failed: 0 },
    { passed: 4, failed: 2 },
  ]);
  expect(line).toBe("7 passed, 2 failed");
});

test("what failed is named with its file and its first words; what passed is not", () => {
  const failed = tally({
    ...clean,
    success: false,
    numFailedTests: 1,
    testResults: [
      { status: "failed", name: "/a/empty.test.ts", assertionResults: [] },
      {
        status: "failed",
        name: "/a/chat.test.ts",
        assertionResults: [
          { status: "passed", fullName: "it goes" },
          { status: "failed", fullName: "it comes", failureMessages: ["no answer"] },
          { status: "pending", fullName: "it waits", failureMessages: null },
        ],
      },
    ],
  });
  expect(faultLines([tally(clean), failed, { passed: 0, failed: 1 }])).toEqual([
    "empty.test.ts: did not load",
    "chat.test.ts: it comes (failed)\nno answer",
    "chat.test.ts: it waits (pending)",
  ]);
});

test("npm test takes parts of names, a PocketBase for the tests of the server, and other browsers", () => {
  const all = { pocketbase: undefined, more: false, projects: ["unit", "integration", "e2e"] };
  const asked = (positionals: string[], values = {}) => readTestArguments({ values, positionals });
  expect(asked([])).toEqual({ ...all, files: [] });
  expect(asked(["outbox", "media"])).toEqual({ ...all, files: ["outbox", "media"] });
  expect(asked(["media"], { pocketbase: "/opt/pocketbase" })).toEqual({
    pocketbase: "/opt/pocketbase",
    more: false,
    projects: ["integration"],
    files: ["media"],
  });
  expect(asked([], { more: true })).toEqual({ ...all, more: true, projects: ["more"], files: [] });
});
