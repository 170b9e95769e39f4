/**
 * The commonest passwords, which nobody may take: from the list of a package, in the form in which
 * server and app look a word up. The server reads them from a file beside the hooks, which
 * build.mjs writes and each check reads anew; the app from a chunk that a form loads when it is
 * sent.
 */
import { readFile } from "node:fs/promises";
import { inRoot } from "./checkout.mjs";

const LIST = inRoot("node_modules/@zxcvbn-ts/language-common/src/passwords.json");
const MOST = 10_000;
/** The shortest that a person may choose at all (PASSWORD_MIN_CHANGE). */
const SHORTEST = 6;
const MODULE = "virtual:common-passwords";

/**
 * The 10,000 commonest without those that are too short anyway, each in a line of its own: an empty
 * line begins and ends the list, so that a search for a whole line is enough.
 */
export async function commonPasswords() {
  /** @type {string[]} the commonest first */
  const all = JSON.parse(await readFile(LIST, "utf8"));
  const long = all.slice(0, MOST).filter((word) => word.length >= SHORTEST);
  return `\n${long.sort().join("\n")}\n`;
}

/**
 * Vite plugin: the list as the module that `src/passwords.d.ts` declares.
 * @returns {import("vite").Plugin}
 */
export function commonPasswordsModule() {
  return {
    name: "common-passwords",
    resolveId: (id) => (id === MODULE ? id : null),
    async load(id) {
      if (id !== MODULE) return null;
      return `export default ${JSON.stringify(await commonPasswords())}`;
    },
  };
}
