import {
  faultLines,
  howOftenRed,
  readTestArguments,
  runRedAgain,
  summaryLine,
  tally,
} from "@scripts/vitest.mjs";
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

const red = (project: string, ...tests: string[]) =>
  tally(
    {
      ...clean,
      success: false,
      numFailedTests: tests.length,
      testResults: tests.map((test) => ({
        status: "failed",
        name: `/a/${test}.test.ts`,
        assertionResults: [{ status: "failed", fullName: test, failureMessages: ["late"] }],
      })),
    },
    project,
  );

/** The second runs of files; those of `broken` are red again. */
async function secondRuns(tallies: ReturnType<typeof tally>[], broken: string[] = []) {
  const ran: string[] = [];
  const { tallies: counted, flaky } = await runRedAgain(tallies, async (project, file) => {
    ran.push(`${project} ${file}`);
    return broken.includes(file) ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
  });
  return { ran, flaky, faults: faultLines(counted), line: summaryLine(counted) };
}

test("a red test that is green alone counts as passed, and is named", async () => {
  const tallies = [tally(clean), red("integration", "feed"), red("e2e", "chat", "search")];
  expect(await secondRuns(tallies, ["/a/search.test.ts"])).toEqual({
    ran: ["integration /a/feed.test.ts", "e2e /a/chat.test.ts", "e2e /a/search.test.ts"],
    flaky: ["feed.test.ts: feed (failed)\nlate", "chat.test.ts: chat (failed)\nlate"],
    faults: ["search.test.ts: search (failed)\nlate"],
    line: "17 passed, 1 failed",
  });
});

test("with more than three red tests, and for unit tests, there is no second run", async () => {
  const many = await secondRuns([red("integration", "a", "b"), red("e2e", "c", "d")]);
  expect(many).toMatchObject({ ran: [], flaky: [], line: "10 passed, 4 failed" });
  const unit = await secondRuns([red("unit", "a")]);
  expect(unit).toMatchObject({ ran: [], flaky: [], line: "5 passed, 1 failed" });
});

test("a file that did not load, and a skipped test, get no second run", async () => {
  const unloaded = { status: "failed", name: "/a/empty.test.ts", assertionResults: [] };
  const broken = tally({ ...clean, success: false, testResults: [unloaded] }, "e2e");
  const skipped = tally({ ...clean, numPendingTests: 1 }, "e2e");
  expect((await secondRuns([broken, skipped])).ran).toEqual([]);
});

test("npm test takes parts of names, a PocketBase for the tests of the server, and other browsers", () => {
  const once = { more: false, repeat: 1, busy: 0 };
  const all = { ...once, pocketbase: undefined, projects: ["unit", "integration", "e2e"] };
  const asked = (positionals: string[], values = {}) => readTestArguments({ values, positionals });
  expect(asked([])).toEqual({ ...all, files: [] });
  expect(asked(["outbox", "media"])).toEqual({ ...all, files: ["outbox", "media"] });
  expect(asked(["media"], { pocketbase: "/opt/pocketbase" })).toEqual({
    ...once,
    pocketbase: "/opt/pocketbase",
    projects: ["integration"],
    files: ["media"],
  });
  expect(asked([], { more: true })).toEqual({
    ...all,
    more: true,
    projects: ["more", "thorough"],
    files: [],
  });
  expect(asked([], { repeat: "5", busy: "2" })).toEqual({ ...all, repeat: 5, busy: 2, files: [] });
});

test.each([
  { repeat: "0" },
  { repeat: "often" },
  { repeat: "-1" },
  { busy: "2.5" },
  { busy: "1000" },
])("how often and how busy are whole numbers: not %o", (values) => {
  expect(() => readTestArguments({ values, positionals: [] })).toThrow(/takes a whole number/);
});

test("of several runs each red test is named once, the one that was red most often first", () => {
  const late = red("e2e", "chat");
  const tallies = [red("e2e", "search"), late, tally(clean), late, red("unit", "chat")];
  expect(howOftenRed(tallies, 5)).toEqual([
    "red 3 of 5: chat.test.ts: chat (failed)\nlate",
    "red 1 of 5: search.test.ts: search (failed)\nlate",
  ]);
});
