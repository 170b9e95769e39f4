/**
 * `npm run dev`: Vite with hot reload in front of a PocketBase that reloads its hooks. Open Vite's address; it passes
 * `/api` and `/_` on. A schema change made in the dashboard writes a migration.
 */
import { hooksBuildOptions, writeHooks } from "./build-hooks.mjs";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { serve } from "./serve.mjs";
import { readServerSettings, requireFreePort, requireWritableData } from "./server-settings.mjs";
import { runCommand } from "./user-error.mjs";

const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/** Rebuilds the hooks' bundle at every change; a build with errors leaves the last good one. */
async function watchHooks() {
  const { context } = await import("esbuild");
  const watching = await context({
    ...hooksBuildOptions(),
    logLevel: "warning",
    plugins: [
      {
        name: "write-bundle",
        setup: (build) =>
          build.onEnd(async (result) => {
            const text = result.outputFiles?.[0]?.text;
            if (result.errors.length === 0 && text !== undefined) await writeHooks(text);
          }),
      },
    ],
  });
  await watching.rebuild();
  await watching.watch();
  return watching;
}

async function main() {
  const settings = readServerSettings(process.env);
  await requireFreePort(settings);
  await requireWritableData(settings);
  await ensureInstalled(note);
  const { path: binary } = await findPocketBase();
  note(`PocketBase ${await pocketBaseVersion(binary)} (${binary}), data in ${settings.dataDir}`);
  const hooks = await watchHooks();
  const serving = await serve({ binary, settings, publicDir: inRoot("public"), development: true });
  serving.onInstaller((link) => note(`Create the first superuser: ${link}`));

  // vite.config.ts reads it for its proxy.
  process.env["POCKETBASE_URL"] = settings.url;
  const { createServer } = await import("vite");
  const vite = await createServer({ configFile: inRoot("vite.config.ts") });
  await vite.listen();
  vite.printUrls();

  const end = () => void serving.stop();
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  process.exitCode = await serving.ended;
  await Promise.all([vite.close(), hooks.dispose()]);
  process.exit();
}

await runCommand(main);
