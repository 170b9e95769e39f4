/** Part of `npm run check`: finds short files that one file imports, and too long comments. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { inRoot } from "./checkout.mjs";

const SLIP_LINES = 40;
const COMMENT_COLUMNS = 100;
const FOLDERS = ["src", "pb_hooks/src", "scripts"];
/** Two general helpers with tests of their own, and the one page that is not loaded lazily. */
const ALLOWED_SLIPS = [
  "src/lib/load-when-used.ts",
  "src/lib/pictures-loaded.ts",
  "src/routes/home-route.tsx",
];
const SOURCE = /(?<!\.d)\.(?:ts|tsx|mjs|js)$/;
/** `import … from "path"`, or `import("path")` and `new URL("path", …)`, which load it later. */
const IMPORTS = /(?:\bfrom|\bimport)\s*"([^"]+)"|\b(?:import|new URL)\(\s*"([^"]+)"/g;
const COMMENT = /^\s*(?:\/\/(?! biome-ignore)|\/?\*|\{\/\*)/;
const ALIASES = { "@/": "src/", "@scripts/": "scripts/" };

/** @typedef {Map<string, string>} Files texts by path from the root of the repository, with "/" */

/** @param {string} from @param {string} specifier */
function resolved(from, specifier) {
  for (const [alias, folder] of Object.entries(ALIASES))
    if (specifier.startsWith(alias)) return folder + specifier.slice(alias.length);
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(from), specifier) : null;
}

/**
 * Short files with one importer, where their code belongs. Entry points have no importer, and
 * lazily loaded chunks and workers have to be files.
 * @param {Files} files @returns {string[]} paths, sorted
 */
export function findSlips(files) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  const apart = new Set();
  const plain = (/** @type {string} */ name) => name.replace(/\?.*$/, "").replace(SOURCE, "");
  for (const [name, text] of files) {
    for (const [, stated, later] of text.matchAll(IMPORTS)) {
      const target = resolved(name, stated ?? later ?? "");
      if (target === null) continue;
      if (later !== undefined || target.includes("?worker")) apart.add(plain(target));
      importers.set(plain(target), (importers.get(plain(target)) ?? new Set()).add(name));
    }
  }
  return [...files]
    .filter(([, text]) => text.trimEnd().split("\n").length < SLIP_LINES)
    .map(([name]) => name)
    .filter((name) => importers.get(plain(name))?.size === 1 && !apart.has(plain(name)))
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
  const faults = findSlips(files)
    .filter((name) => !ALLOWED_SLIPS.includes(name))
    .map((name) => `${name} has fewer than ${SLIP_LINES} lines and one importer: move it there.`);
  const long = findLongComments(files);
  return [...faults, ...long.map((at) => `${at} is longer than ${COMMENT_COLUMNS} columns.`)];
}
