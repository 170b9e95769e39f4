/** The export on the disk: its JSON, and its files by the names that the records give them. */
import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { UserError } from "./user-error.mjs";

/**
 * @typedef {object} Export
 * @property {unknown} media as in media.json: a list, or an object by id
 * @property {unknown} users as in users.json; empty where there is none
 * @property {(name: string) => Promise<Uint8Array<ArrayBuffer> | null>} file the bytes of what a record names, or null
 */

/** @param {string} file */
async function readJson(file) {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${file} is not JSON.`);
  }
}

/** @param {string} folder @returns {Promise<Export>} */
export async function readExport(folder) {
  const root = await realpath(folder).catch(() => {
    throw new UserError(`There is no folder ${folder}.`);
  });
  const names = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  if (!names.includes("media.json")) {
    throw new UserError(
      `There is no media.json in ${folder}: it lists the records to be imported.`,
    );
  }
  const byPath = new Set(names);
  const byName = new Map(names.map((name) => [path.basename(name), name]));
  const find = (/** @type {string} */ given) => {
    const wanted = pathOf(given);
    return byPath.has(wanted) ? wanted : byName.get(path.basename(wanted));
  };
  return {
    media: unwrapped(await readJson(path.join(root, "media.json")), "media"),
    users: byPath.has("users.json")
      ? unwrapped(await readJson(path.join(root, "users.json")), "users")
      : [],
    file: async (given) => {
      const name = find(given);
      return name === undefined ? null : new Uint8Array(await readFile(path.join(root, name)));
    },
  };
}

/** Exports wrap their list at times: `{"media": […]}`. @param {unknown} json @param {string} key */
function unwrapped(json, key) {
  const isWrapped = typeof json === "object" && json !== null && key in json;
  return isWrapped ? Reflect.get(json, key) : json;
}

/** A record may hold a path, or an address whose last part is an encoded path. @param {string} given */
function pathOf(given) {
  const plain = /^https?:\/\//.test(given) ? (given.split(/[?#]/)[0] ?? "") : given;
  const last = plain === given ? given : (plain.split("/").at(-1) ?? "");
  try {
    return path.normalize(decodeURIComponent(last)).replace(/^[/\\]+/, "");
  } catch {
    return path.normalize(last);
  }
}
