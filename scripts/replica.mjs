/**
 * The databases streamed away: Litestream copies each change of data.db and auxiliary.db to
 * `REPLICA_URL` within a second, and brings them back from there. It runs beside the server and
 * ends after it. Keys reach it by the environment alone, never by arguments or its settings' file.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inRoot, isExecutable, messageOf, note, UserError } from "./checkout.mjs";
import { checkS3, readS3Settings } from "./s3.mjs";

const DATABASES = ["data.db", "auxiliary.db"];

const NPM_PACKAGES = new Map([["linux-x64", "@flydotio/litestream-linux-x64"]]);
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** For the last changes, when it is asked to end. */
const END_MS = 15_000;
/** Between two looks at whether the databases are still the same files. */
const LOOK_MS = 2000;

/**
 * @typedef {{ url: string, folder: string, s3: import("./s3.mjs").S3Settings | null }} Replica
 *   `folder` is on this disk, or within the bucket of `s3`
 */

/** @param {string} url `file:///folder` or `s3://bucket/path` @returns {Replica} */
export function readReplica(url, env = process.env) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === "file:" && parsed.host === "" && parsed.pathname.length > 1)
    return { url, folder: fileURLToPath(parsed), s3: null };
  const folder = parsed?.pathname.replace(/^\/+|\/+$/g, "") ?? "";
  if (parsed?.protocol !== "s3:" || parsed.host === "" || folder === "" || parsed.username !== "")
    throw new UserError(
      `"${url}" names no place for a replica: it must be s3://bucket/path or file:///folder.`,
    );
  const s3 = readS3Settings({ ...env, S3_BUCKET: parsed.host });
  return { url, folder, s3 };
}

/** Whether something can be written there. @param {Replica} replica */
export async function checkReplica({ folder, s3 }) {
  if (s3 !== null) return checkS3(s3);
  const probe = path.join(folder, ".probe");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(probe, "");
    await rm(probe);
  } catch (error) {
    throw new UserError(`The replica's folder ${folder} cannot be written (${messageOf(error)}).`);
  }
}

/** `LITESTREAM_BIN`, the npm package of this platform, or what is on the `PATH`. */
export async function findLitestream() {
  const named = process.env["LITESTREAM_BIN"];
  if (named && !(await isExecutable(named)))
    throw new UserError(`LITESTREAM_BIN names ${named}, which is not a program that can be run.`);
  if (named) return named;
  const packaged = NPM_PACKAGES.get(`${process.platform}-${process.arch}`);
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((one) => one !== "");
  const places = folders.map((folder) => path.join(folder, "litestream"));
  if (packaged !== undefined) places.unshift(inRoot(`node_modules/${packaged}/litestream`));
  for (const place of places) if (await isExecutable(place)) return place;
  throw new UserError(
    "Litestream was not found: install it (https://litestream.io), or set LITESTREAM_BIN.",
  );
}

/**
 * Where Litestream notes what it has sent: beside the data folder, so that backups and restores of
 * PocketBase's leave it alone.
 * @param {string} dataDir
 */
const stateOf = (dataDir) => `${dataDir}_stream`;

/**
 * Its settings, as JSON, which is YAML too.
 * @param {Replica} replica @param {string} dataDir
 */
const settingsFor = ({ folder, s3 }, dataDir) => ({
  dbs: DATABASES.map((name) => ({
    path: path.join(dataDir, name),
    "meta-path": path.join(stateOf(dataDir), name),
    "monitor-interval": "200ms",
    replicas: [
      {
        ...(s3 === null
          ? { type: "file", path: path.join(folder, name) }
          : {
              type: "s3",
              bucket: s3.bucket,
              path: `${folder}/${name}`,
              endpoint: s3.endpoint,
              region: s3.region,
              "force-path-style": s3.forcePathStyle,
            }),
        "sync-interval": "500ms",
        "snapshot-interval": "24h",
        retention: "168h",
      },
    ],
  })),
});

/** @param {Replica} replica */
const environmentFor = ({ s3 }) => ({
  ...process.env,
  ...(s3 !== null && {
    LITESTREAM_ACCESS_KEY_ID: s3.accessKey,
    LITESTREAM_SECRET_ACCESS_KEY: s3.secret,
  }),
});

/**
 * Calls `work` with the path of a settings' file that is there meanwhile.
 * @template T @param {Replica} replica @param {string} dataDir
 * @param {(file: string) => Promise<T>} work
 */
async function withSettings(replica, dataDir, work) {
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-stream-"));
  const file = path.join(folder, "litestream.yml");
  try {
    await writeFile(file, JSON.stringify(settingsFor(replica, dataDir)), { mode: 0o600 });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Which files the databases are; null while one is missing. @param {string} dataDir */
const identityOf = (dataDir) =>
  Promise.all(DATABASES.map((name) => stat(path.join(dataDir, name)))).then(
    (found) => found.map(({ ino }) => ino).join(),
    () => null,
  );

/**
 * One Litestream, until it ends by itself or by the signal. Answers how it ended, or null when
 * other databases were put in their place (the dashboard's restore does that): it would go on
 * copying the old ones.
 * @param {StreamOptions} options @param {string} settings path of its settings
 */
async function streamOnce({ binary, replica, dataDir, signal }, settings) {
  const streamed = await identityOf(dataDir);
  const child = spawn(binary, ["replicate", "-config", settings, "-no-expand-env"], {
    env: environmentFor(replica),
    stdio: ["ignore", "pipe", "pipe"],
    // A Ctrl-C is for this process, which ends the server before the stream.
    detached: true,
  });
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (line) => {
      if (/level=(WARN|ERROR)|error|panic/i.test(line)) note(`Litestream: ${line}`);
    });
  const kill = () => void child.kill("SIGKILL");
  const end = () => {
    child.kill("SIGTERM");
    setTimeout(kill, END_MS).unref();
  };
  let isReplaced = false;
  const look = async () => {
    const now = await identityOf(dataDir);
    if (isReplaced || now === null || now === streamed) return;
    isReplaced = true;
    end();
  };
  const looking = setInterval(look, LOOK_MS);
  process.once("exit", kill);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    const [code, by] = await once(child, "exit");
    return isReplaced ? null : String(by ?? `code ${code}`);
  } finally {
    clearInterval(looking);
    process.off("exit", kill);
    signal.removeEventListener("abort", end);
  }
}

/**
 * Streams until the signal, and starts a Litestream that ended by itself again.
 * @typedef {{ binary: string, replica: Replica, dataDir: string, signal: AbortSignal }}
 *   StreamOptions
 * @param {StreamOptions} options
 */
export async function keepStreaming(options) {
  const { replica, dataDir, signal } = options;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const since = Date.now();
    const stream = (/** @type {string} */ settings) => streamOnce(options, settings);
    const how = await withSettings(replica, dataDir, stream).catch(messageOf);
    if (signal.aborted) return;
    if (how === null) {
      note("Other databases lie there now: Litestream is started afresh.");
      // Else it would go on with a copy that is half of the old database.
      await rm(stateOf(dataDir), { recursive: true, force: true });
      continue;
    }
    if (Date.now() - since > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
    note(`Litestream ended by itself (${how}). It is started again in ${pause / 1000} s.`);
    await delay(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

/** Litestream's own sentence. @param {unknown} error */
function reasonOf(error) {
  const { stdout = "", stderr = "" } = Object(error);
  const printed = `${stdout}${stderr}`.trim() || messageOf(error);
  return /error="(.*)"/.exec(printed)?.[1] ?? printed.split("\n").at(-1) ?? "";
}

/**
 * The stretch of the stream that `at` lies in or after, and its end. A new one begins whenever
 * Litestream cannot go on with the one before, and by itself it knows no answer for the time
 * between two of them.
 * @param {string} table of `litestream generations`: name, generation, lag, start, end; the times
 *   are cut to whole seconds
 * @param {Date} at
 * @returns {{ id: string, end: Date } | null}
 */
export function generationAt(table, at) {
  const rows = table.trim().split("\n").slice(1);
  const [last] = rows
    .map((row) => row.trim().split(/\s+/))
    .map(([, id = "", , start = "", end = ""]) => ({ id, start: Date.parse(start), end }))
    .filter(({ start }) => start <= at.getTime())
    .sort((one, other) => other.start - one.start);
  return last ? { id: last.id, end: new Date(last.end) } : null;
}

/**
 * Brings both databases into an empty folder, as they were at `at`, or as late as it goes.
 * @param {Replica} replica @param {string} dataDir @param {Date | null} at
 */
export async function fetchDatabases(replica, dataDir, at) {
  const binary = await findLitestream();
  await withSettings(replica, dataDir, async (settings) => {
    const run = (/** @type {string[]} */ ...[verb = "", ...args]) =>
      promisify(execFile)(binary, [verb, "-config", settings, "-no-expand-env", ...args], {
        env: environmentFor(replica),
      });

    /** @param {string} file @param {Date} time */
    async function fetchAsOf(file, time) {
      // It looks at the time of the database itself, too.
      await writeFile(file, "");
      const { stdout } = await run("generations", file).finally(() => rm(file));
      const generation = generationAt(stdout, time);
      if (generation === null) throw new Error("the stream begins later");
      const which = ["-generation", generation.id];
      await run("restore", ...which, "-timestamp", time.toISOString(), file).catch((error) => {
        // It has an answer only from the first copy to the last change.
        if (!/no matching backups/.test(reasonOf(error))) throw error;
        if (generation.end > time) throw new Error("the stream begins later");
        return run("restore", ...which, file);
      });
    }

    for (const name of DATABASES) {
      const file = path.join(dataDir, name);
      await (at === null ? run("restore", file) : fetchAsOf(file, at)).catch((error) => {
        throw new UserError(`${name} could not be fetched from ${replica.url}: ${reasonOf(error)}`);
      });
    }
  });
}

const UNIT_SECONDS = { h: 3600, m: 60, s: 1, ms: 1e-3, µs: 1e-6, us: 1e-6, ns: 1e-9 };

/** Go's way of writing how long something is, as "1h2m3.5s" or "-35ms". @param {string} text */
export function secondsIn(text) {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|µs|us|ns)/g)];
  const sum = parts.reduce(
    (total, [, n, unit]) =>
      total + Number(n) * UNIT_SECONDS[/** @type {keyof typeof UNIT_SECONDS} */ (unit)],
    0,
  );
  return text.startsWith("-") ? -sum : sum;
}

/**
 * By how many seconds the stream of the slower database is behind it; null where one has none.
 * @param {Replica} replica @param {string} dataDir
 */
export async function streamedLag(replica, dataDir) {
  const binary = await findLitestream();
  return withSettings(replica, dataDir, async (settings) => {
    const lags = [];
    for (const name of DATABASES) {
      const args = ["generations", "-config", settings, "-no-expand-env", path.join(dataDir, name)];
      const { stdout } = await promisify(execFile)(binary, args, { env: environmentFor(replica) });
      const rows = stdout.trim().split("\n").slice(1);
      const ends = rows.map((row) => secondsIn(row.trim().split(/\s+/)[2] ?? ""));
      if (ends.length === 0) return null;
      lags.push(Math.min(...ends));
    }
    return Math.max(...lags);
  });
}

/** Whether a folder is not there, or holds nothing. @param {string} folder */
export const isEmptyFolder = (folder) =>
  readdir(folder).then(
    (names) => names.length === 0,
    (error) => error.code === "ENOENT",
  );
