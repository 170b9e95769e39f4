/**
 * The server that the scripts start or use: its settings from the environment, one running
 * PocketBase, and the commands that work on its data folder.
 */
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { promisify, stripVTControlCharacters } from "node:util";
import { buildHooks } from "./build.mjs";
import { DIST_DIR, inRoot, messageOf, note, ROOT, UserError } from "./checkout.mjs";
import { findPocketBase, pocketBaseEnv, pocketBaseFlags } from "./pocketbase.mjs";
import { createApi } from "./server-api.mjs";

const START_TIMEOUT_MS = 120_000;
/** The pause before a server is started again; doubled each time that it did not last. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const BANNER = /Server started at|REST API:|Dashboard:|^\s*$/;
const INSTALLER = /https?:\/\/\S+\/_\/#\/pbinstall?\/\S+/;
/** A line of the request log, which is JSON (pb_hooks/src/admin/traffic.ts). */
const REQUEST = /augenblick:(\{.*\})$/;
/** What the server says when devices are to be woken (pb_hooks/src/push.ts). */
const PUSH = /augenblick:push$/;
const INSTALLER_WORDS = /\(!\) Launch the URL|you can also create your/;

/**
 * @typedef {{ host: string, port: number, dataDir: string, url: string }} ServerSettings
 *
 * @typedef {{ binary: string, settings: ServerSettings, publicDir: string, development?: boolean,
 *   signal?: AbortSignal, onPush?: () => void }} ServeOptions `development` reloads hooks and
 *   writes migrations; `onPush` is called when there are devices to be woken
 */

/** @param {string} host */
const bracketed = (host) => (host.includes(":") ? `[${host}]` : host);

/** @param {NodeJS.ProcessEnv} env @returns {ServerSettings} */
export function readServerSettings(env = process.env) {
  const port = Number(env["PORT"] || "8090");
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError(`PORT is "${env["PORT"]}", and must be a number from 1 to 65535.`);
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

/** @param {string} url @param {import("node:child_process").ChildProcess} child */
async function untilHealthy(url, child) {
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !isOver()) {
    const response = await fetch(`${url}/api/health`).catch(() => null);
    if (response?.ok) return !isOver();
    await delay(50);
  }
  return false;
}

/**
 * A PocketBase that ends when this process does. `http` is its address.
 * @param {string} binary @param {string} http
 * @param {Parameters<typeof pocketBaseFlags>[0]} folders
 */
function launch(binary, http, folders) {
  // What the server writes is for this user alone.
  process.umask(0o077);
  const child = spawn(binary, ["serve", `--http=${http}`, ...pocketBaseFlags(folders)], {
    env: { ...process.env, ...pocketBaseEnv(folders.publicDir) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = () => void child.kill("SIGTERM");
  process.once("exit", kill);
  const ended = once(child, "exit")
    .then(([code, signal]) => signal ?? `code ${code}`, messageOf)
    .finally(() => process.off("exit", kill));
  return { child, ended };
}

/** A picture of one pixel. Its thumbnail would be another file. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/**
 * Tries with an empty database, whose accounts have a picture, whether this PocketBase answers a
 * request for a thumbnail with the file itself.
 * @param {string} binary
 */
export async function requireNoThumbnails(binary) {
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-thumbnail-"));
  const none = path.join(folder, "none");
  const folders = { dataDir: folder, hooksDir: none, migrationsDir: none, publicDir: none };
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const http = `127.0.0.1:${Reflect.get(Object(free.address()), "port")}`;
  free.close();
  const [email, password] = ["thumbnail@example.com", "thumbnail"];
  // A server without a superuser opens a browser, to have one made.
  const upsert = ["superuser", "upsert", email, password, ...pocketBaseFlags(folders)];
  await promisify(execFile)(binary, upsert).catch(() => undefined);
  const { child, ended } = launch(binary, http, folders);
  await untilHealthy(`http://${http}`, child);
  const body = new FormData();
  const form = { email, password, passwordConfirm: password };
  for (const [name, value] of Object.entries(form)) body.set(name, value);
  body.set("avatar", new Blob([PIXEL]), "pixel.gif");
  const file = await createApi(`http://${http}`)
    .call("POST", "/api/collections/users/records", { body })
    .then(({ id, avatar }) => fetch(`http://${http}/api/files/users/${id}/${avatar}?thumb=100x100`))
    .then(async (answer) => Buffer.from(await answer.arrayBuffer()))
    .catch(() => null);
  child.kill("SIGKILL");
  await ended;
  await rm(folder, { recursive: true, force: true });
  if (!file?.equals(PIXEL))
    throw new UserError(
      `PocketBase (${binary}) was not started: it draws thumbnails or cannot be tried, and a stranger could end it by them (docs/operations.md).`,
    );
}

/**
 * Starts PocketBase, waits until it responds, and passes its messages on without the banner.
 * `ended` says how it ended by itself, and is null after `stop`; `installer` is the address that
 * makes the first superuser, if the database has none.
 * @param {ServeOptions} options
 */
export async function serve({ binary, settings, publicDir, development = false, ...more }) {
  const { signal, onPush } = more;
  await requireNoThumbnails(binary);
  const { host, port, dataDir, url } = settings;
  const flags = { dataDir, publicDir, hooksWatch: development, automigrate: development };
  const { child, ended: exit } = launch(binary, `${bracketed(host)}:${port}`, flags);
  /** @type {Promise<string>} */
  const installer = new Promise((resolve) => {
    const pass = (/** @type {string} */ line) => {
      const link = INSTALLER.exec(stripVTControlCharacters(line))?.[0];
      const request = REQUEST.exec(line)?.[1];
      if (request !== undefined) process.stdout.write(`${request}\n`);
      else if (PUSH.test(line)) onPush?.();
      else if (link !== undefined) resolve(link);
      else if (!BANNER.test(line) && !INSTALLER_WORDS.test(line)) note(line);
    };
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", pass);
  });
  let stopping = false;
  const stop = async () => {
    stopping = true;
    child.kill("SIGTERM");
    await exit;
  };
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) void stop();
  const ended = exit.then((how) => {
    signal?.removeEventListener("abort", stop);
    return stopping ? null : `PocketBase ended by itself (${how}).`;
  });
  if (!(await untilHealthy(url, child)) && !stopping) {
    await stop();
    throw new UserError(`PocketBase (${binary}) did not start; its reason stands above.`);
  }
  return { ended, stop, installer };
}

/**
 * Serves until the signal, and starts a server that ended by itself again, however often. Only the
 * first start may fail.
 * @param {ServeOptions & { signal: AbortSignal }} options
 * @param {(first: Awaited<ReturnType<typeof serve>>) => void} onServing
 */
export async function keepServing(options, onServing) {
  const { signal } = options;
  const first = await serve(options);
  onServing(first);
  let { ended } = first;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const since = Date.now();
    const how = await ended.catch(messageOf);
    if (Date.now() - since > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
    if (!signal.aborted) note(`${how} It is started again in ${pause / 1000} s.`);
    await delay(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    ended = serve(options).then((again) => {
      if (!signal.aborted) note("PocketBase is running again.");
      return again.ended;
    });
  }
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
 * @typedef {{ outcome: string, username?: string, reason?: string, rows?: number, token?: string,
 *   counts?: Record<string, number>, newest?: string,
 *   collections?: string[], s3?: { enabled: boolean, endpoint: string, bucket: string },
 *   examined?: import("./doctor.mjs").Examined }} Outcome
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

/**
 * The keys of all files that the rows of a data folder's database name at this moment.
 * @param {string} dataDir
 */
async function* namedFiles(dataDir) {
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-files-"));
  try {
    const { outcome, reason } = await runPocketBaseCommand(dataDir, ["name-files", folder]);
    if (outcome !== "done") throw new UserError(`The files cannot be counted: ${reason}`);
    for (const page of await readdir(folder)) {
      const keys = (await readFile(path.join(folder, page), "utf8")).split("\n");
      yield* keys.filter((key) => key !== "");
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The keys of the files that rows name and that are not there. Rows may be deleted meanwhile: only
 * those count that the living database still names.
 * @param {(key: string) => boolean} isThere asked once for each file
 * @param {{ dataDir: string, copy?: string }} places `copy` was made of the database before
 */
export async function missingFiles(isThere, { dataDir, copy = dataDir }) {
  const absent = new Set();
  for await (const key of namedFiles(copy)) if (!isThere(key)) absent.add(key);
  const missing = [];
  if (absent.size > 0)
    for await (const key of namedFiles(dataDir)) if (absent.has(key)) missing.push(key);
  return missing;
}
