/**
 * The server that the scripts start or use: its settings from the environment, one running
 * PocketBase, and the commands that work on its data folder. Shared by start, dev, demo, import and
 * admin.
 */
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify, stripVTControlCharacters } from "node:util";
import { buildHooks } from "./build.mjs";
import { DIST_DIR, inRoot, ROOT, UserError } from "./checkout.mjs";
import { findPocketBase, pocketBaseEnv, pocketBaseFlags } from "./pocketbase.mjs";

const START_TIMEOUT_MS = 120_000;
const BANNER = /Server started at|REST API:|Dashboard:|^\s*$/;
const INSTALLER = /https?:\/\/\S+\/_\/#\/pbinstall?\/\S+/;
const INSTALLER_WORDS = /\(!\) Launch the URL|you can also create your/;

/**
 * @typedef {{ host: string, port: number, dataDir: string, url: string }} ServerSettings
 *
 * @typedef {object} ServeOptions
 * @property {string} binary
 * @property {ServerSettings} settings
 * @property {string} publicDir
 * @property {boolean} [development] reloads hooks and writes migrations
 */

/** @param {string} host */
const bracketed = (host) => (host.includes(":") ? `[${host}]` : host);

/** @param {NodeJS.ProcessEnv} env @returns {ServerSettings} */
export function readServerSettings(env = process.env) {
  const port = Number(env["PORT"] || "8090");
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`PORT is "${env["PORT"]}", and must be a number from 1 to 65535.`);
  }
  const host = env["HOST"] || "127.0.0.1";
  const dataDir = path.resolve(ROOT, env["DATA_DIR"] || "pb_data");
  // A browser cannot open the address that means "every address".
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : bracketed(host);
  return { host, port, dataDir, url: `http://${reachable}:${port}` };
}

/** @param {unknown} error */
const codeOf = (error) =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/** @param {ServerSettings} settings @param {string} code */
function portTrouble({ host, port }, code) {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop the program that uses it, or set PORT to another one.`;
  if (code === "EACCES") return `This user may not open port ${port}: set PORT to one above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `HOST is "${host}", which is no address of this machine.`;
  return `Port ${port} cannot be opened (${code}).`;
}

/** @param {ServerSettings} settings @returns {Promise<void>} */
export function requireFreePort(settings) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(new UserError(portTrouble(settings, codeOf(error)))));
    probe.listen(settings.port, settings.host, () => probe.close(() => resolve()));
  });
}

/**
 * Step by step: Node's recursive `mkdir` never ends if the parent exists and refuses with "no such
 * file" (/proc).
 * @param {string} folder
 */
async function makeFolder(folder) {
  if (existsSync(folder)) return;
  await makeFolder(path.dirname(folder));
  await mkdir(folder, { mode: 0o700 });
}

/**
 * PocketBase writes into the data folder. Unfinished uploads and the time of the last start are
 * beside it, so that a backup or a restore leaves them alone.
 * @param {ServerSettings} settings
 */
async function requireWritableData({ dataDir }) {
  for (const folder of [dataDir, path.dirname(dataDir)]) {
    const probe = path.join(folder, `.probe-${randomBytes(6).toString("hex")}`);
    try {
      await makeFolder(folder);
      await writeFile(probe, "");
      await rm(probe);
    } catch (error) {
      throw new UserError(
        `The data folder ${dataDir} cannot be used, for ${folder} cannot be written (${codeOf(error)}): set DATA_DIR to a folder that this user may write to, and beside.`,
      );
    }
  }
}

/** Reads the settings and checks that a server can be started with them. */
export async function requireUsableSettings() {
  const settings = readServerSettings();
  await requireFreePort(settings);
  await requireWritableData(settings);
  return settings;
}

/** @param {string} url @param {() => boolean} isOver */
async function untilHealthy(url, isOver) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !isOver()) {
    const response = await fetch(`${url}/api/health`).catch(() => null);
    if (response?.ok) return !isOver();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

/** @param {ServeOptions} options */
function launch({ binary, settings, publicDir, development = false }) {
  // What the server writes is for this user alone.
  process.umask(0o077);
  const { host, port, dataDir } = settings;
  const flags = pocketBaseFlags({
    dataDir,
    publicDir,
    hooksWatch: development,
    automigrate: development,
  });
  return spawn(binary, ["serve", `--http=${bracketed(host)}:${port}`, ...flags], {
    env: { ...process.env, ...pocketBaseEnv(publicDir) },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/**
 * Starts PocketBase, waits until it responds, and passes its messages on without the banner.
 * `ended` is its exit code, 0 after `stop`; `onInstaller` receives the address that makes the
 * first superuser, if the database has none.
 * @param {ServeOptions} options
 */
export async function serve(options) {
  const child = launch(options);
  process.once("exit", () => child.kill("SIGTERM"));
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
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", pass);
  let stopping = false;
  let over = false;
  const ended = once(child, "exit").then(
    ([code]) => (stopping ? 0 : (code ?? 1)),
    () => 1,
  );
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

/**
 * Works with the server at HOST and PORT, or with one that runs only for this work.
 * @param {(settings: ServerSettings) => Promise<void>} work
 * @returns {Promise<boolean>} whether the server was running already
 */
export async function withServer(work) {
  const running = await fetch(`${readServerSettings().url}/api/health`).catch(() => null);
  if (running?.ok) {
    await work(readServerSettings());
    return true;
  }
  const settings = await requireUsableSettings();
  await buildHooks();
  const { path: binary } = await findPocketBase();
  const serving = await serve({ binary, settings, publicDir: DIST_DIR });
  try {
    await work(settings);
  } finally {
    await serving.stop();
  }
  return false;
}

/**
 * @typedef {{ outcome: string, username?: string, reason?: string, rows?: number, token?: string }}
 *   Outcome
 */

/**
 * Runs one of our commands inside PocketBase (`scripts/pocketbase-commands`). They work on the data
 * folder, whether or not the server runs, and print one line of JSON.
 * @param {string} dataDir @param {string[]} command its name and arguments
 * @returns {Promise<Outcome>}
 */
export async function runPocketBaseCommand(dataDir, command) {
  await access(path.join(dataDir, "data.db")).catch(() => {
    throw new UserError(
      `There is no database in ${dataDir}: run npm start once, and sign up there.`,
    );
  });
  const { path: binary } = await findPocketBase();
  const folder = inRoot("scripts/pocketbase-commands");
  const folders = { dataDir, hooksDir: folder, migrationsDir: `${folder}/no-migrations` };
  const { stdout, stderr } = await promisify(execFile)(binary, [
    ...command,
    ...pocketBaseFlags({ ...folders, publicDir: folder }),
  ]);
  const line = /augenblick:(\{.*\})/.exec(stdout + stderr)?.[1];
  if (line === undefined) throw new UserError(`PocketBase did not answer:\n${stdout}${stderr}`);
  return JSON.parse(line);
}
