/**
 * `npm run build`: the app to `dist/` and the server's handlers to `pb_hooks/dist/`, each only if
 * its sources changed. Both are built beside their place and moved there in one step, so that a
 * server never serves half a build. What went into which chunk is written to
 * `.cache/build/chunks.json` for the size budget. The parts of the last three versions stay in
 * `dist/assets`, so that a page that was opened before an update can still load what it needs.
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, gzipSync } from "node:zlib";
import {
  CACHE_DIR,
  DIST_DIR,
  HOOKS_DIR,
  inRoot,
  isMain,
  messageOf,
  ROOT,
  runCommand,
  say,
  UserError,
} from "./checkout.mjs";
import { commonPasswords } from "./common-passwords.mjs";

const BUILD_CACHE = path.join(CACHE_DIR, "build");
const STAMP = path.join(BUILD_CACHE, "stamp");
const LOCK = path.join(BUILD_CACHE, "lock");
const VERSIONS = path.join(BUILD_CACHE, "versions.json");
const KEPT_VERSIONS = 3;
const HOOKS_BUNDLE = path.join(HOOKS_DIR, "dist/app.js");
const HOOKS_PASSWORDS = path.join(HOOKS_DIR, "dist/common-passwords.txt");
const SOURCES = [
  "scripts/vite-first-paint.ts",
  "scripts/vite-lean.ts",
  "src",
  "public",
  "vite.config.ts",
  "tsconfig.json",
  "package-lock.json",
];

/** What the size budget reads. */
export const CHUNKS_FILE = path.join(BUILD_CACHE, "chunks.json");

/**
 * `file` is its path inside dist, `facade` the source module that it is built for, or "". It
 * `imports` files statically and `dynamicImports` later. Sources (`modules` are those in it) are
 * relative to the repository.
 * @typedef {{ file: string, isEntry: boolean, facade: string, imports: string[],
 *   dynamicImports: string[], modules: string[], gzip: number }} Chunk
 */

/** @param {string} entry file or folder @returns {Promise<string[]>} files, sorted */
async function filesOf(entry) {
  const rows = await readdir(entry, { recursive: true, withFileTypes: true }).catch(() => null);
  if (rows === null) return [entry];
  const files = rows.filter((row) => row.isFile());
  return files.map((row) => path.join(row.parentPath, row.name)).sort();
}

/** A digest of everything that the build of the app depends on. */
async function sourcesDigest() {
  const digest = createHash("sha256").update(process.version);
  for (const source of SOURCES) {
    for (const file of await filesOf(inRoot(source))) {
      const content = await readFile(file).catch(() => "");
      digest.update(`${path.relative(ROOT, file)}\0${content.length}\0`).update(content);
    }
  }
  return digest.digest("hex");
}

/** @param {string} digest */
async function isFresh(digest) {
  const [stamp, page] = await Promise.all([
    readFile(STAMP, "utf8").catch(() => ""),
    readFile(path.join(DIST_DIR, "index.html")).catch(() => null),
  ]);
  return stamp === digest && page !== null;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until another build has ended; a lock of a process that is gone does not count. */
async function takeLock() {
  await mkdir(BUILD_CACHE, { recursive: true });
  for (;;) {
    const handle = await open(LOCK, "wx").catch((error) => {
      if (error.code === "EEXIST") return null;
      throw new UserError(
        `The app must be built, and this user may not write to ${BUILD_CACHE} (${error.code}): run npm run build as one who may.`,
      );
    });
    if (handle !== null) {
      await handle.writeFile(String(process.pid));
      return handle.close();
    }
    const owner = Number(await readFile(LOCK, "utf8").catch(() => "0"));
    if (owner > 0 && !isAlive(owner)) await rm(LOCK, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @param {string} id a module id as Rollup names it */
const relativeModule = (id) => path.relative(ROOT, id.replace(/^\0/, "").replace(/\?.*$/, ""));

/** @param {import("vite").Rollup.OutputChunk} chunk @returns {Chunk} */
const chunkFacts = (chunk) => ({
  file: chunk.fileName,
  isEntry: chunk.isEntry,
  facade: chunk.facadeModuleId === null ? "" : relativeModule(chunk.facadeModuleId),
  imports: chunk.imports,
  dynamicImports: chunk.dynamicImports,
  modules: Object.keys(chunk.modules).map(relativeModule),
  gzip: gzipSync(chunk.code, { level: 9 }).length,
});

const COMPRESSIBLE = /\.(?:html|js|css|json|svg|txt|wasm)$/;

/** How the server may send a file, as names of files beside it (http/static-files.ts). */
const ENCODINGS = [
  { ending: ".br", compress: promisify(brotliCompress) },
  {
    ending: ".gz",
    compress: (/** @type {Buffer} */ content) => promisify(gzip)(content, { level: 9 }),
  },
];

/**
 * Puts each text of a build beside itself as Brotli and gzip, as small as they can be, where that
 * is smaller.
 * @param {string} folder
 */
export async function compressTexts(folder) {
  const files = (await filesOf(folder)).filter((file) => COMPRESSIBLE.test(file));
  const one = async (/** @type {string} */ file) => {
    const content = await readFile(file);
    for (const { ending, compress } of ENCODINGS) {
      const small = await compress(content);
      if (small.length < content.length) await writeFile(`${file}${ending}`, small);
    }
  };
  await Promise.all(files.map(one));
}

/** @param {string} folder @returns {Promise<string[]>} the names in it, sorted */
const namesIn = async (folder) => (await readdir(folder).catch(() => [])).sort();

/**
 * Copies what the last three versions need into a new build, whose precache is listed by then.
 * @param {{ from: string, to: string, list: string }} places the old and the new folder of parts,
 *   and the file that says which of them belong to which version, newest first
 */
export async function keepEarlierParts({ from, to, list }) {
  const [built, before] = await Promise.all([namesIn(to), namesIn(from)]);
  /** @type {string[][]} */
  // Where no list was written, or half of one, all that lies there belongs to one version.
  const versions = await readFile(list, "utf8")
    .then((text) => JSON.parse(text))
    .catch(() => [before]);
  const earlier = versions.filter((names) => names.join() !== built.join()).slice(0, KEPT_VERSIONS);
  const wanted = new Set(earlier.flat());
  for (const name of before) {
    if (wanted.has(name) && !built.includes(name)) {
      await copyFile(path.join(from, name), path.join(to, name));
    }
  }
  await writeFile(list, JSON.stringify([built, ...earlier]));
}

async function runVite() {
  const outDir = `${DIST_DIR}.${process.pid}`;
  const { build } = await import("vite");
  try {
    const result = await build({
      configFile: inRoot("vite.config.ts"),
      logLevel: "warn",
      build: { outDir, emptyOutDir: true, reportCompressedSize: false },
    });
    const outputs = (Array.isArray(result) ? result : [result]).flatMap((part) =>
      "output" in part ? part.output : [],
    );
    const chunks = outputs.flatMap((file) => (file.type === "chunk" ? [chunkFacts(file)] : []));
    await writeFile(CHUNKS_FILE, `${JSON.stringify(chunks, null, 1)}\n`);
    await build({
      configFile: inRoot("vite.config.ts"),
      mode: "sender",
      logLevel: "warn",
      build: { outDir, reportCompressedSize: false },
    });
    await compressTexts(outDir);
    await keepEarlierParts({
      from: path.join(DIST_DIR, "assets"),
      to: path.join(outDir, "assets"),
      list: VERSIONS,
    });
    await rm(`${DIST_DIR}.old`, { recursive: true, force: true });
    await rename(DIST_DIR, `${DIST_DIR}.old`).catch(() => undefined);
    await rename(outDir, DIST_DIR);
  } finally {
    await rm(outDir, { recursive: true, force: true });
    await rm(`${DIST_DIR}.old`, { recursive: true, force: true });
  }
}

/** Builds the app if its sources changed. @returns {Promise<boolean>} whether it was built */
export async function buildApp() {
  // React and Vite choose their production code by it, and a test runner sets it to "test".
  process.env["NODE_ENV"] = "production";
  // What is built already needs no right to write, as where a service runs.
  if (await isFresh(await sourcesDigest())) return false;
  await takeLock();
  try {
    const digest = await sourcesDigest();
    if (await isFresh(digest)) return false;
    await rm(STAMP, { force: true });
    await runVite();
    await writeFile(STAMP, digest);
    return true;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`The app does not build: ${messageOf(error)}`);
  } finally {
    await rm(LOCK, { force: true });
  }
}

/**
 * @returns {import("esbuild").BuildOptions & { write: false }} one CommonJS file, which
 *   `hooks.pb.js` requires
 */
export function hooksBuildOptions() {
  return {
    entryPoints: [path.join(HOOKS_DIR, "src/app.ts")],
    bundle: true,
    write: false,
    outfile: HOOKS_BUNDLE,
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
 * Replaces the hooks' bundle, and the list of passwords beside it.
 * @param {string | undefined} text the new bundle
 * @returns {Promise<boolean>} whether the bundle changed
 */
export async function writeHooks(text) {
  if (text === undefined) throw new Error("esbuild wrote no bundle for pb_hooks.");
  await replace(HOOKS_PASSWORDS, await commonPasswords());
  return replace(HOOKS_BUNDLE, text);
}

/**
 * In one step and only if it differs, because several test runs may build at once.
 * @param {string} file @param {string} text
 * @returns {Promise<boolean>} whether the file changed
 */
async function replace(file, text) {
  if (text === (await readFile(file, "utf8").catch(() => null))) return false;
  await mkdir(path.dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.${Date.now()}`;
  await writeFile(fresh, text);
  await rename(fresh, file).catch(async (error) => {
    await rm(fresh, { force: true });
    throw error;
  });
  return true;
}

/** Builds the hooks. @returns {Promise<boolean>} whether the bundle changed */
export async function buildHooks() {
  const { build } = await import("esbuild");
  const result = await build(hooksBuildOptions());
  return writeHooks(result.outputFiles[0]?.text);
}

async function main() {
  say((await buildApp()) ? "dist/ built." : "dist/ is fresh.");
  say((await buildHooks()) ? "pb_hooks/dist/app.js built." : "pb_hooks/dist/app.js is fresh.");
}

const USAGE =
  "npm run build   builds the app and the server's handlers, each if its sources changed";

if (isMain(import.meta.url)) await runCommand(USAGE, main);
