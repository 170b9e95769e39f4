/**
 * `npm run dev`: Vite with hot reload in front of a PocketBase that reloads its hooks. Open Vite's
 * address; it passes `/api` and `/_` on. A schema change made in the dashboard writes a migration.
 */
import { hooksBuildOptions, writeHooks } from "./build.mjs";
import { ensureInstalled, inRoot, note, runCommand } from "./checkout.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { requireUsableSettings, serve } from "./server.mjs";

/** Rebuilds the hooks' bundle at every change; a build with errors keeps the last good one. */
async function watchHooks() {
  const { context } = await import("esbuild");
  /** @type {import("esbuild").Plugin} */
  const writing = {
    name: "write-bundle",
    setup: (build) =>
      build.onEnd(async ({ errors, outputFiles }) => {
        if (errors.length === 0) await writeHooks(outputFiles?.[0]?.text);
      }),
  };
  const options = { ...hooksBuildOptions(), plugins: [writing] };
  const watching = await context({ ...options, logLevel: "warning" });
  await watching.rebuild();
  await watching.watch();
  return watching;
}

const USAGE = `npm run dev   Vite with hot reload in front of a PocketBase that reloads its hooks
Set by environment variables, as npm start is (docs/operations.md).`;

await runCommand(USAGE, async () => {
  const settings = await requireUsableSettings();
  await ensureInstalled();
  const { path: binary } = await findPocketBase();
  note(`PocketBase ${await pocketBaseVersion(binary)} (${binary}), data in ${settings.dataDir}`);
  const hooks = await watchHooks();
  const serving = await serve({ binary, settings, publicDir: inRoot("public"), development: true });
  void serving.installer.then((link) => note(`Create the first superuser: ${link}`));

  // vite.config.ts reads it for its proxy.
  process.env["POCKETBASE_URL"] = settings.url;
  const { createServer } = await import("vite");
  const vite = await createServer({ configFile: inRoot("vite.config.ts") });
  await vite.listen();
  vite.printUrls();

  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void serving.stop());
  process.exitCode = (await serving.ended) === null ? 0 : 1;
  await Promise.all([vite.close(), hooks.dispose()]);
  process.exit();
});
