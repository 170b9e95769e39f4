/**
 * One running PocketBase of a script's: starts it, waits until it answers, passes its messages on without the banner, and
 * ends it. Shared by start, dev and demo.
 */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { pocketBaseEnv, pocketBaseFlags } from "./pocketbase.mjs";
import { UserError } from "./user-error.mjs";

const START_TIMEOUT_MS = 120_000;
const BANNER = /Server started at|REST API:|Dashboard:|^\s*$/;
const INSTALLER = /https?:\/\/\S+\/_\/#\/pbinstall?\/\S+/;
const INSTALLER_WORDS = /\(!\) Launch the URL|you can also create your/;

/**
 * @typedef {object} ServeOptions
 * @property {string} binary
 * @property {import("./server-settings.mjs").ServerSettings} settings
 * @property {string} publicDir
 * @property {boolean} [development] hook reload and automatic migrations
 * @property {NodeJS.ProcessEnv} [env]
 *
 * @typedef {object} Serving
 * @property {Promise<number>} ended the exit code; a signal counts as 0 when `stop` sent it
 * @property {() => Promise<void>} stop
 * @property {(listener: (link: string) => void) => void} onInstaller tells the address that makes the first superuser,
 *   where the database has none
 */

/**
 * Splits a stream of text into lines.
 * @param {import("node:stream").Readable | null} stream
 * @param {(line: string) => void} onLine
 */
function eachLine(stream, onLine) {
  let rest = "";
  stream?.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}

/**
 * @param {string} url
 * @param {() => boolean} isOver
 */
async function untilHealthy(url, isOver) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !isOver()) {
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    if (answer?.ok) return !isOver();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

/** @param {ServeOptions} options */
function launch({ binary, settings, publicDir, development = false, env = process.env }) {
  const { host, port, dataDir } = settings;
  const address = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const flags = pocketBaseFlags({
    dataDir,
    publicDir,
    hooksWatch: development,
    automigrate: development,
  });
  return spawn(binary, ["serve", `--http=${address}`, ...flags], {
    env: { ...env, ...pocketBaseEnv(publicDir) },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/**
 * Starts PocketBase and waits until it answers.
 * @param {ServeOptions} options
 * @returns {Promise<Serving>}
 */
export async function serve(options) {
  const child = launch(options);
  process.once("exit", () => child.kill("SIGTERM"));
  let stopping = false;
  const installer = new EventEmitter();
  /** @type {string[]} */
  const links = [];
  const pass = (/** @type {string} */ line) => {
    const link = INSTALLER.exec(stripVTControlCharacters(line))?.[0];
    if (link !== undefined) {
      links.push(link);
      installer.emit("link", link);
    } else if (!BANNER.test(line) && !INSTALLER_WORDS.test(line)) process.stderr.write(`${line}\n`);
  };
  eachLine(child.stdout, pass);
  eachLine(child.stderr, pass);
  const ended = once(child, "exit").then(
    ([code]) => (stopping ? 0 : (code ?? 1)),
    () => 1,
  );
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const stop = async () => {
    stopping = true;
    if (!over) child.kill("SIGTERM");
    await ended;
  };
  if (!(await untilHealthy(options.settings.url, () => over)) && !stopping) {
    await stop();
    throw new UserError(`PocketBase (${options.binary}) did not start; its reason stands above.`);
  }
  const onInstaller = (/** @type {(link: string) => void} */ listener) => {
    for (const link of links) listener(link);
    installer.on("link", listener);
  };
  return { ended, stop, onInstaller };
}
