/** The browsers of tests and demo: where they are, and how those that are missing are installed. */
import path from "node:path";
import { isExecutable, runProgram, say, UserError } from "./checkout.mjs";

/**
 * @typedef {{ name: string, programs: string[], package: string, variable?: string }} Wanted
 *   `programs` are its names on the PATH, `package` is Debian's, `variable` may name its path
 */

/** @type {Record<"chromium" | "firefox" | "webkit" | "display", Wanted>} */
const WANTED = {
  chromium: {
    name: "Chromium",
    programs: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
    package: "chromium",
    variable: "CHROMIUM_BIN",
  },
  firefox: {
    name: "Firefox",
    programs: ["firefox-esr", "firefox"],
    package: "firefox-esr",
    variable: "FIREFOX_BIN",
  },
  webkit: {
    name: "WebKitGTK's driver",
    programs: ["WebKitWebDriver"],
    package: "webkit2gtk-driver",
    variable: "WEBKIT_DRIVER_BIN",
  },
  // WebKitGTK opens windows, which need a screen.
  display: { name: "Xvfb", programs: ["Xvfb"], package: "xvfb" },
};

/**
 * What its variable names, or the first of its programs on the `PATH`.
 * @param {keyof typeof WANTED} key @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its absolute path
 */
async function find(key, env) {
  const { name, programs, package: debian, variable } = WANTED[key];
  const named = variable && env[variable];
  if (named) {
    if (await isExecutable(named)) return named;
    throw new UserError(`${variable} names ${named}, which is not a program that can be run.`);
  }
  for (const program of programs) {
    for (const folder of (env["PATH"] ?? "").split(path.delimiter)) {
      const file = path.join(folder, program);
      if (folder !== "" && (await isExecutable(file))) return file;
    }
  }
  const orSet = variable ? ` or set ${variable} to its path` : "";
  throw new UserError(
    `${name} is missing: install it (on Debian "apt-get install ${debian}")${orSet}.`,
  );
}

export const findChromium = (env = process.env) => find("chromium", env);
export const findFirefox = (env = process.env) => find("firefox", env);
export const findWebKit = async (env = process.env) => ({
  driver: await find("webkit", env),
  display: await find("display", env),
});

/** What `npm test` drives, and what `npm run test:more` drives. */
export const TEST_BROWSERS = /** @type {const} */ (["chromium"]);
export const MORE_BROWSERS = /** @type {const} */ (["firefox", "webkit", "display"]);

/**
 * Installs Debian's packages of what is missing if this user may; otherwise says what to do.
 * @param {readonly (keyof typeof WANTED)[]} keys
 */
export async function ensureBrowsers(keys) {
  const { env } = process;
  const isMissing = (/** @type {keyof typeof WANTED} */ key) =>
    find(key, env).then(
      () => false,
      () => true,
    );
  const missing = [];
  for (const key of keys) {
    const { variable, package: debian } = WANTED[key];
    if (!(variable && env[variable]) && (await isMissing(key))) missing.push(debian);
  }
  if (missing.length > 0 && process.getuid?.() === 0) {
    say(`Installing ${missing.join(", ")} for the browser tests …`);
    const quietly = { env: { ...env, DEBIAN_FRONTEND: "noninteractive" } };
    await runProgram("apt-get", ["-qq", "update"], quietly);
    const install = ["install", "-y", "-qq", "--no-install-recommends", ...missing];
    await runProgram("apt-get", install, quietly);
  }
  for (const key of keys) await find(key, env);
}
