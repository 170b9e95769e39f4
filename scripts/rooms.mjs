/**
 * Keeps the code in rooms: names slips, which are short files with one reader, and comment lines
 * that are too long. The slips of `scripts/known-slips.json` are let through; `node
 * scripts/rooms.mjs` writes that list anew.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { inRoot, isMain, runCommand, say } from "./checkout.mjs";

/** Set it to true as soon as no comment line is too long: until then they are only counted. */
const LONG_COMMENTS_FAIL = false;

const SLIP_LINES = 40;
const COMMENT_COLUMNS = 100;
const FOLDERS = ["src", "pb_hooks/src", "scripts"];
const KNOWN = inRoot("scripts/known-slips.json");
const SOURCE = /(?<!\.d)\.(?:ts|tsx|mjs|js)$/;
/**
 * An import or export of a path, `import("path")`, and `new URL("path", import.meta.url)` for a
 * worker.
 */
const READS = /(?:\bfrom|\bimport)\s*"([^"]+)"|\b(?:import|new URL)\(\s*"([^"]+)"/g;
const COMMENT = /^\s*(?:\/\/(?! biome-ignore)|\/?\*|\{\/\*)/;
/** What a path in an import means. A module of `src` is `@/…` from anywhere. */
const ALIASES = { "@/": "src/", "@scripts/": "scripts/" };

/** @typedef {Map<string, string>} Files texts by path from the root of the repository, with "/" */

/** @param {string} from @param {string} specifier */
function resolved(from, specifier) {
  for (const [alias, folder] of Object.entries(ALIASES))
    if (specifier.startsWith(alias)) return folder + specifier.slice(alias.length);
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(from), specifier) : null;
}

/**
 * Short files with one reader, which belong into it. Not entry points, which nobody reads, and not
 * what is loaded later or runs in a worker, because that has to be a file of its own.
 * @param {Files} files
 * @returns {string[]} paths, sorted
 */
export function findSlips(files) {
  /** @type {Map<string, Set<string>>} */
  const readers = new Map();
  const apart = new Set();
  const plain = (/** @type {string} */ name) => name.replace(/\?.*$/, "").replace(SOURCE, "");
  for (const [name, text] of files) {
    for (const [, stated, later] of text.matchAll(READS)) {
      const target = resolved(name, stated ?? later ?? "");
      if (target === null) continue;
      if (later !== undefined) apart.add(plain(target));
      readers.set(plain(target), (readers.get(plain(target)) ?? new Set()).add(name));
    }
  }
  return [...files]
    .filter(([, text]) => text.trimEnd().split("\n").length < SLIP_LINES)
    .map(([name]) => name)
    .filter((name) => readers.get(plain(name))?.size === 1 && !apart.has(plain(name)))
    .sort();
}

/** @param {Files} files @returns {string[]} each as `path:line` */
export const findLongComments = (files) =>
  [...files].flatMap(([name, text]) =>
    text
      .split("\n")
      .flatMap((line, i) =>
        line.length > COMMENT_COLUMNS && COMMENT.test(line) ? [`${name}:${i + 1}`] : [],
      ),
  );

/** @returns {Promise<Files>} */
async function readSources() {
  const files = new Map();
  for (const folder of FOLDERS) {
    for (const entry of await readdir(inRoot(folder), { recursive: true })) {
      const name = `${folder}/${entry.split(path.sep).join("/")}`;
      if (SOURCE.test(name)) files.set(name, await readFile(inRoot(name), "utf8"));
    }
  }
  return files;
}

/** @returns {Promise<string[]>} a sentence for each fault */
export async function checkRooms() {
  const files = await readSources();
  const known = new Set(JSON.parse(await readFile(KNOWN, "utf8").catch(() => "[]")));
  const faults = findSlips(files)
    .filter((name) => !known.has(name))
    .map((name) => `${name} has fewer than ${SLIP_LINES} lines and one reader: move it there.`);
  const long = findLongComments(files);
  if (!LONG_COMMENTS_FAIL && long.length > 0)
    say(`  ${long.length} comment lines have more than ${COMMENT_COLUMNS} columns`);
  const tooLong = LONG_COMMENTS_FAIL ? long : long.filter((name) => name.startsWith("scripts/"));
  return [...faults, ...tooLong.map((at) => `${at} is longer than ${COMMENT_COLUMNS} columns.`)];
}

if (isMain(import.meta.url))
  await runCommand(async () => {
    const slips = findSlips(await readSources());
    await writeFile(KNOWN, `${JSON.stringify(slips, null, 2)}\n`);
    say(`${slips.length} slips are known.`);
  });
