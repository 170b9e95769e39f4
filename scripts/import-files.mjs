/** An export on the disk: its JSON, and its files by the names that the records give them. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { UserError } from "./checkout.mjs";

/**
 * `media` and `users` are as in their JSON files; `file` is the bytes of the file that a record
 * names, or a sentence that says why there are none.
 * @typedef {{ media: unknown, users: unknown,
 *   file: (name: string) => Promise<Uint8Array<ArrayBuffer> | string> }} Export
 */

/**
 * The list, or the object by id, in a file; some exports wrap it: `{"media": […]}`.
 * @param {string} file @param {string} key
 */
async function readList(file, key) {
  // Some programs write a byte order mark.
  const text = (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  /** @type {unknown} */
  let list;
  try {
    list = JSON.parse(text);
  } catch {
    throw new UserError(`${file} is not JSON.`);
  }
  if (typeof list === "object" && list !== null && key in list) list = Reflect.get(list, key);
  if (typeof list !== "object" || list === null)
    throw new UserError(`${file} holds neither a list nor an object by id.`);
  return list;
}

/** @param {string} folder @returns {Promise<Export>} */
export async function readExport(folder) {
  const root = await realpath(folder).catch(() => {
    throw new UserError(`There is no folder ${folder}.`);
  });
  if (!(await stat(root)).isDirectory()) throw new UserError(`${folder} is no folder.`);
  const names = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  if (!names.includes("media.json"))
    throw new UserError(
      `There is no media.json in ${folder}: it lists the records to be imported.`,
    );
  const byPath = new Set(names);
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const name of names) {
    const base = path.basename(name);
    byName.set(base, [...(byName.get(base) ?? []), name]);
  }
  const find = (/** @type {string} */ given) => {
    const wanted = pathOf(given);
    return byPath.has(wanted) ? [wanted] : (byName.get(path.basename(wanted)) ?? []);
  };
  return {
    media: await readList(path.join(root, "media.json"), "media"),
    users: byPath.has("users.json") ? await readList(path.join(root, "users.json"), "users") : [],
    file: async (given) => {
      const [name, other] = find(given);
      if (name === undefined) return `its file is not in the folder: ${given}`;
      // Either may be somebody else's picture.
      if (other !== undefined) return `several files in the folder are called so: ${given}`;
      return new Uint8Array(await readFile(path.join(root, name)));
    },
  };
}

/** A record may have a path, or a URL whose last part is an encoded path. @param {string} given */
function pathOf(given) {
  const plain = /^https?:\/\//.test(given) ? (given.split(/[?#]/)[0] ?? "") : given;
  const last = plain === given ? given : (plain.split("/").at(-1) ?? "");
  try {
    return path.normalize(decodeURIComponent(last)).replace(/^[/\\]+/, "");
  } catch {
    return path.normalize(last);
  }
}
