/** Finds Chromium for the browser tests and the demo's pictures: `CHROMIUM_BIN`, or Debian's package. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { UserError } from "./user-error.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** @param {string} file */
const isExecutable = (file) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} the absolute path of the program
 */
export async function findChromium(env = process.env) {
  const named = env["CHROMIUM_BIN"];
  if (named) {
    if (await isExecutable(named)) return named;
    throw new UserError(`CHROMIUM_BIN names ${named}, which is not a program that can be run.`);
  }
  for (const name of NAMES) {
    for (const folder of (env["PATH"] ?? "").split(path.delimiter)) {
      const file = path.join(folder, name);
      if (folder !== "" && (await isExecutable(file))) return file;
    }
  }
  throw new UserError(
    'Chromium is missing: install it (on Debian "apt-get install chromium") or set CHROMIUM_BIN to its path.',
  );
}
