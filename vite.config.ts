import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { minify } from "terser";
import type { Plugin } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { commonPasswordsModule } from "./scripts/common-passwords.mjs";
import { firstPaint } from "./scripts/vite-first-paint.ts";
import { lean } from "./scripts/vite-lean.ts";
import { PAGE_MS, SERVER_MS, TEST_MS, UNIT_MS } from "./tests/support/patience.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The parts of the data that main.tsx asks for. */
const DATA = /(?:^|\/)(?:store|scope|browser-client)[-.]/;
const LATER = /\/src\/(?:app\/late-parts|features\/outbox\/waiting-mark)\./;
/** But for DOMPurify, which legal texts alone need. */
const WIDGETS =
  /\/src\/ui\/(?!rich-text)|node_modules\/(?:@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-)/;
/** The panel is for few. */
const SHARED_BY_PAGES = /\/src\/(?:features\/(?!admin)|routes\/|state\/)/;
const ACCOUNT = /\/src\/routes\/(?:account|mail|not-found)-routes?\./;
const PROFILE = /\/src\/routes\/(?:user|profile|outbox|admin)-route\./;
/** What opens over a page or within it when somebody asks for it. */
const DIALOGS =
  /\/src\/features\/(?:(?!admin)\w+\/[\w-]+-dialog|media\/(?:edit|report)-media|chat\/(?:view|send)-photo|gallery\/search-results)\./;
/** What stands round every page, and comes after it. */
const AROUND =
  /\/src\/(?:app\/next-page|features\/(?:auth\/profile-menu|chat\/chats-button)|lib\/image-preloader)\./;
const SENDING = /\/src\/data\/files\/(?:prepare|worker-client|checksums|tus)\./;
/** The decoder's own code asks for these in Node alone. */
const withoutNode: Plugin = {
  name: "without-node",
  enforce: "pre",
  resolveId: (id, importer) =>
    /^(?:fs|path|crypto)$/.test(id) && importer?.includes("libheif-js") ? "\0without-node" : null,
  load: (id) => (id === "\0without-node" ? "export default {};" : null),
};
/** Before Vite's own minifier: together they leave 5 KB less (Brotli) than either alone. */
const compact: Plugin = {
  name: "compact",
  enforce: "post",
  apply: "build",
  renderChunk: async (code) => {
    const { code: smaller = "" } = await minify(code, {
      module: true,
      ecma: 2022,
      mangle: false,
      compress: { passes: 3 },
    });
    return { code: smaller, map: null };
  },
};
/** @param test a whole test, or its set-up @param wait each `expect.poll` in it */
const patience = (test: number, wait: number) => ({
  testTimeout: test,
  hookTimeout: test,
  expect: { poll: { timeout: wait } },
});
/** The test files that take a minute and longer. One that is begun last is waited for alone. */
const LONG =
  /\/(?:languages|every-screen|first-frames|for-everybody|every-file|earlier-clients|upgrades)\.test\.ts$/;
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
const server = process.env["POCKETBASE_URL"] ?? "http://127.0.0.1:8090";

export default defineConfig({
  root: at("./src"),
  publicDir: at("./public"),
  build: {
    outDir: at("./dist"),
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A few large files, not twenty: over plain HTTP a phone fetches six at a time. And not one: each is read in a task of its
            // own, between which the page answers.
            {
              name: "react",
              test: /node_modules\/(?:react|react-dom|react-router|react-router-dom|scheduler)\//,
              tags: ["$initial"],
            },
            { name: "initial", tags: ["$initial"] },
            {
              name: "shared",
              test: /\/src\/(?:domain|lib|media-cache|data\/engine\/(?:answers|remote)\.)|node_modules\/tslib\//,
              minShareCount: 2,
            },
            { name: "dexie", test: /node_modules\/dexie\// },
            { name: "rxdb", test: /node_modules\/(?:rxdb\/(?!.*storage-memory)|rxjs\/)/ },
            // Each would be a file of 200 bytes with a kilobyte of headers.
            { name: "icons", test: /node_modules\/lucide-react\//, minShareCount: 2 },
            // What every page loads as soon as its first picture stands.
            { name: "later", test: LATER },
            { name: "cards", test: /\/src\/features\/media\/card-\w+\./ },
            // A file costs 300 bytes of headers, and is compressed without the others.
            { name: "widgets", test: WIDGETS, minShareCount: 2 },
            { name: "pages", test: SHARED_BY_PAGES, minShareCount: 2 },
            { name: "account", test: ACCOUNT },
            { name: "profile", test: PROFILE },
            { name: "dialogs", test: DIALOGS },
            { name: "sending", test: SENDING },
            { name: "around", test: AROUND },
            { name: "own-account", test: /\/src\/data\/account\/(?:mail|sessions)\./ },
            { name: "panel", test: /\/src\/features\/admin\/admin-panel\./ },
          ],
        },
      },
    },
    modulePreload: {
      // Every browser that knows service workers and ES2022 preloads modules by itself.
      polyfill: false,
      // The lists of what each lazy page needs would weigh down the entry. Pages come out of the precache, where they cost
      // nothing; only the first paint and the data behind it are waited for.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === "html" || DATA.test(file) ? needed : [],
    },
  },
  plugins: [
    react(),
    tailwindcss(),
    firstPaint(),
    commonPasswordsModule(),
    lean(),
    compact,
    VitePWA({
      strategies: "injectManifest",
      srcDir: "sw",
      filename: "sw.ts",
      injectRegister: false,
      manifest: false,
      injectManifest: {
        // Every route must start offline after one visit; screenshots are for the browser's install dialog alone.
        globPatterns: ["**/*.{js,css,html,svg,png,ico,woff2,webmanifest}"],
        // The list of passwords is for forms that need the server anyway.
        globIgnores: [
          "screenshots/**",
          "assets/*common-passwords-*",
          // For those who use them, and kept from then on (src/sw/sw.ts): decoders of rare pictures, what makes videos smaller, the
          // archive of one's own data, the admin panel. Without the library photos are shrunk by our own code.
          "assets/{converter,libheif,UTIF,video-shrinker,export-data,browser-image-compression}-*",
          "assets/{panel,admin}-*",
          // For browsers that give no storage, and so keep no part either.
          "assets/storage-memory-*",
          // The system shows these, and keeps them by itself.
          "icons/*.png",
          "**/node_modules/**",
          "sw.js",
        ],
      },
    }),
  ],
  worker: { format: "es", plugins: () => [withoutNode, compact] },
  resolve: {
    tsconfigPaths: true,
    alias: { unload: at("./src/data/engine/unload-stand-in.ts") },
  },
  server: { proxy: { "/api": server, "/_": server } },
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
          // More than cores: a page waits more than a server.
          maxWorkers: 3,
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
});
