import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { VitePWA } from "vite-plugin-pwa";
import { defineConfig } from "vitest/config";
import { firstPaint } from "./scripts/vite-first-paint.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The parts of the data that main.tsx asks for. */
const DATA = /(?:^|\/)(?:store|scope|browser-client)[-.]/;
const LATER =
  /\/src\/(?:app\/late-parts|features\/outbox\/waiting-mark|i18n\/en\/later(?:-pages)?)\./;
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
            { name: "dexie", test: /node_modules\/dexie\// },
            { name: "rxdb", test: /node_modules\/(?:rxdb\/(?!.*storage-memory)|rxjs\/)/ },
            { name: "shared", test: /\/src\/(?:domain|lib|media-cache)\//, minShareCount: 2 },
            // What every page loads as soon as its first picture stands.
            { name: "later", test: LATER },
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
    VitePWA({
      strategies: "injectManifest",
      srcDir: "sw",
      filename: "sw.ts",
      injectRegister: false,
      manifest: false,
      injectManifest: {
        // Every route must start offline after one visit; screenshots are for the browser's install dialog alone.
        globPatterns: ["**/*.{js,css,html,svg,png,ico,woff2,webmanifest}"],
        globIgnores: ["screenshots/**", "**/node_modules/**", "sw.js"],
      },
    }),
  ],
  worker: { format: "es" },
  resolve: {
    tsconfigPaths: true,
    alias: { unload: at("./src/data/engine/unload-stand-in.ts") },
  },
  server: { proxy: { "/api": server, "/_": server } },
  test: {
    root: at("."),
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.ts?(x)"],
          environment: "node",
          testTimeout: 30_000,
          setupFiles: [at("./tests/support/fake-indexeddb.ts")],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          environment: "node",
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["tests/e2e/**/*.test.ts"],
          environment: "node",
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: "chaos",
          include: ["tests/chaos/**/*.test.ts"],
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
