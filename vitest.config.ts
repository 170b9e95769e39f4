/** How tests run. Apart from the build's own file: an image of the app is built without any tests. */
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PAGE_MS, SERVER_MS, TEST_MS, UNIT_MS } from "./tests/support/patience.ts";
import { app } from "./vite.config.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** @param test a whole test, or its set-up @param wait each `expect.poll` in it */
const patience = (test: number, wait: number) => ({
  testTimeout: test,
  hookTimeout: test,
  expect: { poll: { timeout: wait } },
});
/** What looks at a part of all variants in `npm test` (tests/support/thorough.ts). */
const BY_TURNS = [
  "tests/e2e/{earlier-clients,every-file,every-screen,first-frames,for-everybody}.test.ts",
  "tests/e2e/{languages,layout-shift,mail,screens,screens-admin,screens-chat}.test.ts",
  "tests/integration/upgrades.test.ts",
];
/** The test files that take a minute and longer. One that is begun last is waited for alone. */
const LONG =
  /\/(?:languages|every-screen|first-frames|for-everybody|every-file|earlier-clients|upgrades|other-pictures|bad-input|test-command|doctor|plans|prices)\.test\.ts$/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
/**
 * Tests of pure rules, and those that ask a server themselves, share processes, because one costs
 * more than most files. Where modules keep a state, each file has one of its own.
 */
const RULES = ["tests/unit/{chaos,domain,hooks,media-cache,scripts,support}/**/*.test.ts"];
const CLIENTS = ["tests/integration/client/**/*.test.ts"];
const integration = {
  globalSetup: at("./tests/support/before-all.ts"),
  setupFiles: [at("./tests/support/after-file.ts")],
  environment: "node" as const,
  ...patience(TEST_MS, SERVER_MS),
  // More than cores: two wait for their servers two fifths of the time.
  maxWorkers: 3,
};

export default mergeConfig(
  app,
  defineConfig({
    test: {
      root: at("."),
      sequence: { sequencer: LongestFirst },
      projects: [
        {
          extends: true,
          test: {
            name: "unit",
            include: ["tests/unit/**/*.test.ts?(x)"],
            exclude: RULES,
            environment: "node",
            ...patience(UNIT_MS, UNIT_MS),
            setupFiles: [at("./tests/support/fake-indexeddb.ts")],
          },
        },
        {
          extends: true,
          test: {
            name: "unit-rules",
            include: RULES,
            environment: "node",
            isolate: false,
            ...patience(UNIT_MS, UNIT_MS),
          },
        },
        {
          extends: true,
          test: {
            name: "integration",
            include: ["tests/integration/**/*.test.ts"],
            exclude: CLIENTS,
            ...integration,
            isolate: false,
          },
        },
        {
          extends: true,
          test: { name: "integration-client", include: CLIENTS, ...integration },
        },
        {
          extends: true,
          test: {
            name: "e2e",
            include: ["tests/e2e/**/*.test.ts"],
            globalSetup: at("./tests/support/before-all.ts"),
            environment: "node",
            ...patience(TEST_MS, PAGE_MS),
            setupFiles: [at("./tests/support/show-pages.ts")],
            // As many as cores: with three each page waits longer, and all take longer together.
            maxWorkers: 2,
          },
        },
        {
          extends: true,
          test: {
            name: "more",
            include: ["tests/more/**/*.test.ts"],
            globalSetup: at("./tests/support/before-all.ts"),
            environment: "node",
            ...patience(TEST_MS, PAGE_MS),
            fileParallelism: false,
            maxWorkers: 1,
          },
        },
        {
          extends: true,
          test: {
            name: "thorough",
            include: BY_TURNS,
            env: { TESTS_THOROUGH: "1" },
            globalSetup: at("./tests/support/before-all.ts"),
            environment: "node",
            ...patience(TEST_MS, PAGE_MS),
            setupFiles: [at("./tests/support/after-file.ts"), at("./tests/support/show-pages.ts")],
            maxWorkers: 2,
          },
        },
        {
          extends: true,
          test: {
            name: "chaos",
            include: ["tests/chaos/**/*.test.ts"],
            globalSetup: at("./tests/support/before-all.ts"),
            environment: "node",
            testTimeout: 1_200_000,
            hookTimeout: 120_000,
            fileParallelism: false,
            maxWorkers: 1,
          },
        },
        {
          extends: true,
          test: {
            name: "bench",
            include: ["tests/bench/**/*.bench.test.ts"],
            globalSetup: at("./tests/support/before-all.ts"),
            environment: "node",
            testTimeout: 600_000,
            hookTimeout: 600_000,
            fileParallelism: false,
            maxWorkers: 1,
          },
        },
      ],
    },
  }),
);
