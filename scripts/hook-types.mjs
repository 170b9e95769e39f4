/**
 * PocketBase writes the types of its hook API into its data folder at a start. This keeps a copy, so that the hooks can
 * be checked against the very binary that runs them.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { CACHE_DIR } from "./paths.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";

const FOLDER = path.join(CACHE_DIR, "pocketbase");
const TYPES = path.join(FOLDER, "types.d.ts");
const STAMP = path.join(FOLDER, "types.version");

/** Makes the copy where it is missing or another version's. */
export async function ensureHookTypes() {
  const { path: binary } = await findPocketBase();
  const version = await pocketBaseVersion(binary);
  const stamp = await readFile(STAMP, "utf8").catch(() => "");
  const types = await readFile(TYPES).catch(() => null);
  if (stamp === version && types !== null) return;
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-types-"));
  try {
    const dir = path.join(folder, "pb_data");
    await promisify(execFile)(binary, [
      "migrate",
      "history-sync",
      `--dir=${dir}`,
      `--hooksDir=${path.join(folder, "pb_hooks")}`,
      `--migrationsDir=${path.join(folder, "pb_migrations")}`,
      "--dev=false",
      "--hooksWatch=false",
    ]);
    await mkdir(FOLDER, { recursive: true });
    await copyFile(path.join(dir, "types.d.ts"), TYPES);
    await writeFile(STAMP, version);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
