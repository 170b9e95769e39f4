import path from "node:path";
import { runInNewContext } from "node:vm";
import { hooksBuildOptions } from "@scripts/build.mjs";
import { HOOKS_DIR } from "@scripts/checkout.mjs";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";

/** Handlers run in PocketBase's engine and have its types, so they are bundled as for there. */
let isOutage: (error: unknown) => boolean;
beforeAll(async () => {
  const entryPoints = [path.join(HOOKS_DIR, "src/http/refusals.ts")];
  const { outputFiles } = await build({ ...hooksBuildOptions(), entryPoints, write: false });
  const module = { exports: { isOutage } };
  runInNewContext(outputFiles[0]?.text ?? "", { module, exports: module.exports });
  ({ isOutage } = module.exports);
});

test.each([
  "database is locked (517)",
  "context deadline exceeded",
  "disk I/O error (522)",
  // For a moment, while the stream's program adds its own tables.
  "SQL logic error: no such table: users (1)",
  "failed to delete all files: 503 SlowDown",
])("%s is the server's trouble, and no answer", (text) => {
  expect(isOutage(new Error(text))).toBe(true);
});

test.each([
  "Failed to create record.",
  "constraint failed: UNIQUE constraint failed: users.username (2067)",
  "SQL logic error: malformed JSON (1)",
])("%s is an answer", (text) => {
  expect(isOutage(new Error(text))).toBe(false);
});
