/**
 * Bundles the server's handlers, `pb_hooks/src/app.ts`, to the one CommonJS file that `hooks.pb.js` requires.
 * The file is replaced in one step and only when it differs, so that a running server never reads half of it and
 * several test runs may build at once. Run as a script, it builds and says so.
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { HOOKS_DIR, inRoot } from "./paths.mjs";

const ENTRY = path.join(HOOKS_DIR, "src/app.ts");
const BUNDLE = path.join(HOOKS_DIR, "dist/app.js");

/** @returns {import("esbuild").BuildOptions & { write: false }} */
export function hooksBuildOptions() {
  return {
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    outfile: BUNDLE,
    format: "cjs",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2020",
    charset: "utf8",
    alias: { "@": inRoot("src"), "@hooks": path.join(HOOKS_DIR, "src") },
    logLevel: "silent",
  };
}

/**
 * Puts a new bundle in the place of the old one.
 * @param {string} text the new bundle
 * @returns {Promise<boolean>} whether the file on disk had to change
 */
export async function writeHooks(text) {
  const before = await readFile(BUNDLE, "utf8").catch(() => null);
  if (before === text) return false;
  await mkdir(path.dirname(BUNDLE), { recursive: true });
  const fresh = `${BUNDLE}.${process.pid}.${Date.now()}`;
  await writeFile(fresh, text);
  await rename(fresh, BUNDLE).catch(async (error) => {
    await rm(fresh, { force: true });
    throw error;
  });
  return true;
}

/**
 * Builds the bundle where the sources say something new.
 * @returns {Promise<boolean>} whether the bundle changed
 */
export async function buildHooks() {
  const { build } = await import("esbuild");
  const result = await build(hooksBuildOptions());
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new Error("esbuild wrote no bundle for pb_hooks.");
  return writeHooks(text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const changed = await buildHooks();
  process.stdout.write(
    changed ? "pb_hooks/dist/app.js built.\n" : "pb_hooks/dist/app.js is fresh.\n",
  );
}
