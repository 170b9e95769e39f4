/**
 * `npm run release -- 0.2.0`: looks whether this checkout may be released, writes the version where
 * it stands, keeps the schema and the built client for the tests of every later version, runs all
 * tests, and ends with a commit and a tag. What it wrote is taken back when something is red.
 * Nothing is sent anywhere.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { CHUNKS_FILE } from "./build.mjs";
import {
  DIST_DIR,
  ensureInstalled,
  inRoot,
  isMain,
  runCommand,
  runNode,
  say,
  UserError,
} from "./checkout.mjs";
import { putAside } from "./size-budget.mjs";

const USAGE = `npm run release -- VERSION             checks everything, then writes a commit and a tag
npm run release -- VERSION --look      only says what stands in the way`;

const CHANGELOG = "CHANGELOG.md";
const OPENAPI = "docs/openapi.yaml";
const SCHEMAS = "tests/upgrades/schemas.json";
const CLIENTS = "tests/upgrades/clients";
/** So many versions of the client go on working against a newer server. */
const CLIENTS_KEPT = 3;
const UNRELEASED = "## Unreleased\n";
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/**
 * @typedef {{ commit: string, day: string, migrations: Record<string, string> }} Schema
 *   `migrations`: the first 16 digits of the SHA-256 of each that is new or was changed, by file
 * @typedef {{ branch: string, changed: string[], tags: string[], version: string,
 *   changelog: string, schemas: Schema[], migrations: Record<string, string> }} Standing
 *   `changed` are files that no commit holds; `version` is the last one
 */

const numbersOf = (/** @type {string} */ version) =>
  (VERSION.exec(version) ?? []).slice(1).map(Number);

/**
 * Whether it is the next patch, minor or major version.
 * @param {string} next @param {string} last
 */
function follows(next, last) {
  const [major = 0, minor = 0, patch = 0] = numbersOf(last);
  const allowed = [
    [major, minor, patch + 1],
    [major, minor + 1, 0],
    [major + 1, 0, 0],
  ];
  return allowed.some((numbers) => numbers.join(".") === next);
}

/** What stands under "Unreleased". @param {string} changelog */
const unreleasedOf = (changelog) =>
  (changelog.split(UNRELEASED)[1] ?? "").split(/^## /m)[0]?.trim() ?? "";

/**
 * Each migration's hash as the schemas say it.
 * @param {Schema[]} schemas @returns {Record<string, string>}
 */
const listedIn = (schemas) => Object.assign({}, ...schemas.map(({ migrations }) => migrations));

/**
 * What stands in the way of releasing this version, a sentence each.
 * @param {string} next @param {Standing} standing @returns {string[]}
 */
export function releaseFaults(next, { branch, changed, tags, version, ...standing }) {
  const { changelog, schemas, migrations } = standing;
  const faults = [];
  if (!follows(next, version)) faults.push(`${next} does not follow ${version} (semver.org).`);
  if (branch !== "main") faults.push(`This is the branch ${branch || "of no name"}, not main.`);
  if (changed.length > 0) faults.push(`These are in no commit: ${changed.join(", ")}.`);
  if (tags.includes(`v${next}`)) faults.push(`The tag v${next} is there already.`);
  if (unreleasedOf(changelog) === "") faults.push(`${CHANGELOG} has nothing under "Unreleased".`);
  for (const [name, hash] of Object.entries(listedIn(schemas))) {
    if (migrations[name] === undefined)
      faults.push(`The migration ${name} is gone, and databases out there have it.`);
    else if (migrations[name] !== hash)
      faults.push(`The migration ${name} is not what it was when it was released.`);
  }
  return faults;
}

/**
 * With what was unreleased under its version, and room for what comes.
 * @param {string} changelog @param {string} version @param {string} day `YYYY-MM-DD`
 */
export const releasedChangelog = (changelog, version, day) =>
  changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${day})\n`);

/**
 * With today's schema as one more, if it is another than the last.
 * @param {Standing} standing @param {{ commit: string, day: string }} made
 */
export function withSchema({ schemas, migrations }, made) {
  const listed = listedIn(schemas);
  const fresh = Object.entries(migrations).filter(([name]) => listed[name] === undefined);
  if (fresh.length === 0) return schemas;
  return [...schemas, { ...made, migrations: Object.fromEntries(fresh.sort()) }];
}

/**
 * The archives that the next version no longer keeps.
 * @param {string[]} archives names that begin with their version, the new one among them
 */
export const oldClients = (archives) =>
  archives.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).slice(0, -CLIENTS_KEPT);

/** @param {string[]} args @returns {Promise<string>} what git says, without the last line's end */
const git = async (...args) =>
  (await promisify(execFile)("git", args, { cwd: inRoot(".") })).stdout.trimEnd();

const linesOf = (/** @type {string} */ text) => text.split("\n").filter((line) => line !== "");
const textOf = (/** @type {string} */ file) => readFile(inRoot(file), "utf8");
const jsonOf = async (/** @type {string} */ file) => JSON.parse(await textOf(file));
const write = (/** @type {string} */ file, /** @type {string} */ text) =>
  writeFile(inRoot(file), text);
const writeJson = (/** @type {string} */ file, /** @type {unknown} */ value) =>
  write(file, `${JSON.stringify(value, null, 2)}\n`);

/** @returns {Promise<Standing>} */
async function readStanding() {
  const folder = inRoot("pb_migrations");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const hashes = names.map(async (name) => {
    const bytes = await readFile(path.join(folder, name));
    return [name, createHash("sha256").update(bytes).digest("hex").slice(0, 16)];
  });
  return {
    branch: await git("branch", "--show-current"),
    changed: linesOf(await git("status", "--porcelain")).map((line) => line.slice(3)),
    tags: linesOf(await git("tag", "--list")),
    version: (await jsonOf("package.json")).version,
    changelog: await textOf(CHANGELOG),
    schemas: await jsonOf(SCHEMAS),
    migrations: Object.fromEntries(await Promise.all(hashes)),
  };
}

/** What a device puts aside of the last build, and what a sign-up asks for (tar, Brotli). */
async function packClient() {
  const { pack: createPack } = await import("tar-stream");
  const worker = await readFile(path.join(DIST_DIR, "sw.js"), "utf8");
  /** @type {import("./build.mjs").Chunk[]} */
  const chunks = JSON.parse(await readFile(CHUNKS_FILE, "utf8"));
  const files = chunks.map(({ file }) => file);
  const asked = files.filter((file) => file.includes("common-passwords"));
  const pack = createPack();
  const packed = buffer(pack);
  for (const name of new Set(["sw.js", "sender.js", ...putAside(worker), ...asked]))
    pack.entry({ name }, await readFile(path.join(DIST_DIR, name)));
  pack.finalize();
  const bytes = await packed;
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });
}

/**
 * Writes all that a version changes in this checkout.
 * @param {string} version @param {Standing} standing
 */
async function writeVersion(version, standing) {
  const commit = await git("rev-parse", "--short=7", "HEAD");
  const day = new Date().toISOString().slice(0, 10);
  await write(CHANGELOG, releasedChangelog(standing.changelog, version, day));
  await writeJson(SCHEMAS, withSchema(standing, { commit, day }));
  await write("package.json", (await textOf("package.json")).replace(standing.version, version));
  const lock = await jsonOf("package-lock.json");
  lock.packages[""].version = version;
  await writeJson("package-lock.json", { ...lock, version });
  await write(OPENAPI, (await textOf(OPENAPI)).replace(/^( {2}version: ).*$/m, `$1${version}`));
  await writeFile(inRoot(`${CLIENTS}/${version}.${commit}.tar.br`), await packClient());
  for (const old of oldClients(await readdir(inRoot(CLIENTS))))
    await rm(inRoot(`${CLIENTS}/${old}`));
}

/** @param {string} sentence @param {string} script @param {string[]} args */
async function must(sentence, script, ...args) {
  if ((await runNode(`scripts/${script}.mjs`, args)) !== 0) throw new UserError(sentence);
}

/** @param {import("./checkout.mjs").Given} given */
async function main({ values, positionals }) {
  const [version = "", ...more] = positionals;
  if (!VERSION.test(version) || more.length > 0)
    throw new UserError(`Say which version, such as 1.2.3.\n\n${USAGE}`);
  const standing = await readStanding();
  const faults = releaseFaults(version, standing);
  if (faults.length > 0) throw new UserError(faults.join("\n"));
  if (values["look"] === true) return say(`Nothing stands in the way of ${version}.`);
  await ensureInstalled(say);
  await must("The build failed.", "build");
  try {
    await writeVersion(version, standing);
    await must("A test is red: nothing was released.", "test");
    await must("A test is red: nothing was released.", "test", "--more");
  } catch (error) {
    await git("restore", "--staged", "--worktree", ".");
    await git("clean", "-q", "-f", "--", CLIENTS);
    throw error;
  }
  await git("add", "--all");
  await git("commit", "--quiet", "--message", `Release ${version}`);
  await git("tag", "--annotate", `v${version}`, "--message", `Augenblick ${version}`);
  say(`Released ${version}. To publish it: git push --follow-tags`);
}

/** @type {import("./checkout.mjs").Takes} */
const TAKES = { options: { look: { type: "boolean" } }, positionals: true };
if (isMain(import.meta.url)) await runCommand(USAGE, main, TAKES);
