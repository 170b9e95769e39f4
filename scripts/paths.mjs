/** Where things lie in this repository, as absolute paths. */
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** @param {string} relative a path inside the repository */
export const inRoot = (relative) => path.join(ROOT, relative);

export const CACHE_DIR = inRoot(".cache");
export const DIST_DIR = inRoot("dist");
export const HOOKS_DIR = inRoot("pb_hooks");
export const MIGRATIONS_DIR = inRoot("pb_migrations");
