/**
 * `npm run storage`: tries the bucket of the environment, and moves the files of a living place
 * there or back. Everything is copied while the old store serves, each file held against its copy
 * byte by byte. For the moment of the change the server keeps new files back (503; devices try
 * again), so that what came meanwhile is copied too and every name is served at any time. What lies
 * at its goal already is only compared: a move that was broken off goes on where it was.
 */
import path from "node:path";
import { ensureInstalled, note, runCommand, say, stopSignal, UserError } from "./checkout.mjs";
import { bucketStore, diskStore, forEachFile } from "./file-stores.mjs";
import { checkS3, openBucket, readS3Settings } from "./s3.mjs";
import { runPocketBaseCommand, withServer } from "./server.mjs";
import { createApi } from "./server-api.mjs";

const USAGE = `npm run storage -- check                    whether the bucket of S3_ENDPOINT and the others works
npm run storage -- move --to s3 [--remove]     moves all files there, while the place runs
npm run storage -- move --to local [--remove]  moves them back to DATA_DIR
It may be broken off and started again. --remove takes them away where they were, at the end.`;

/**
 * @typedef {import("./file-stores.mjs").FileStore} FileStore
 * @typedef {{ from: FileStore, to: FileStore, collections: string[], seen: Set<string>,
 *   signal: AbortSignal }} Move `seen` are the keys that this run has copied
 * @typedef {(method: string, path: string, body?: unknown) => Promise<any>} Ask
 */

const TELL_EVERY = 1000;
const TRIES = 3;
/** New files are held back so much longer than the change may take. */
const SPARE_MS = 10_000;

/** Whether it was copied now. @param {Move} move @param {string} key */
async function copy({ from, to }, key) {
  for (let attempt = 1; ; attempt++) {
    const file = await from.read(key);
    // Deleted since it was listed.
    if (file === null) return false;
    if (await to.holds(key, file)) return attempt > 1;
    if (attempt > TRIES)
      throw new UserError(
        `${key} is not in ${to.name} as it was written there. Look at the store.`,
      );
    await to.write(key, file);
  }
}

/** @param {Move} move @param {string} collection */
async function* unseen({ from, seen }, collection) {
  for await (const file of from.list(collection)) if (!seen.has(file.key)) yield file;
}

/** Copies what this run has not seen yet: no file ever changes. @param {Move} move */
async function copyAll(move) {
  const { seen } = move;
  let copied = 0;
  for (const collection of move.collections) {
    await forEachFile(
      unseen(move, collection),
      async (key) => {
        if (await copy(move, key)) copied += 1;
        seen.add(key);
        if (seen.size % TELL_EVERY === 0) note(`${seen.size} files seen, ${copied} copied …`);
      },
      move.signal,
    );
  }
  return copied;
}

/**
 * Takes away this run's copies of what was deleted while it was copied, and nothing else: another
 * place may have files of its own there.
 * @param {Move} move @param {Ask} ask
 */
async function dropDeleted({ from, to, collections, seen }, ask) {
  const gone = new Set(seen);
  for (const collection of collections)
    for await (const { key } of from.list(collection)) gone.delete(key);
  for (const key of gone) if (!(await isNamed(ask, key))) await to.remove(key);
}

/**
 * Copies a file that a record names and the store that serves lacks. Whether it did.
 * @param {Move} move @param {Ask} ask @param {string} key
 */
async function bringNamed(move, ask, key) {
  const file = await move.from.read(key);
  if (file === null || (await move.to.holds(key, file)) || !(await isNamed(ask, key))) return false;
  return copy(move, key);
}

/**
 * For a place whose setting was changed by hand, before its files were there.
 * @param {Move} move @param {Ask} ask
 */
async function bringAllNamed(move, ask) {
  let brought = 0;
  for (const collection of move.collections) {
    await forEachFile(
      move.from.list(collection),
      async (key) => {
        if (await bringNamed(move, ask, key)) brought += 1;
      },
      move.signal,
    );
  }
  note(`Files are served from ${move.to.name} already: ${brought} that it lacked were copied.`);
}

/**
 * Takes the files away where they were: nothing is served from there.
 * @param {Move} move @param {Ask} ask
 */
async function removeOld(move, ask) {
  let removed = 0;
  for (const collection of move.collections) {
    await forEachFile(
      move.from.list(collection),
      async (key) => {
        await bringNamed(move, ask, key);
        await move.from.remove(key);
        removed += 1;
      },
      move.signal,
    );
  }
  say(`${removed} files were removed from ${move.from.name}.`);
}

/** Whether a record names this file. @param {Ask} ask @param {string} key */
async function isNamed(ask, key) {
  const [collection, row, name] = key.split("/");
  const filter = encodeURIComponent(`id = "${row}"`);
  const { items } = await ask("GET", `/api/collections/${collection}/records?filter=${filter}`);
  return items.some((/** @type {object} */ record) => Object.values(record).flat().includes(name));
}

/**
 * @param {Move} move @param {Ask} ask
 * @param {object} setting PocketBase's, for the new place
 */
async function change(move, ask, setting) {
  const { seen } = move;
  const copied = await copyAll(move);
  note(`${seen.size} files seen, ${copied} copied. Now what came meanwhile.`);
  const at = Date.now();
  await copyAll(move);
  const seconds = Math.min(600, 60 + Math.ceil((4 * (Date.now() - at)) / 1000));
  const until = Date.now() + seconds * 1000;
  await ask("POST", "/api/storage/hold", { seconds });
  try {
    await copyAll(move);
    if (Date.now() > until - SPARE_MS)
      throw new UserError("Too much came meanwhile. Nothing was changed: run it again.");
    move.signal.throwIfAborted();
    await ask("PATCH", "/api/settings", { s3: setting });
  } finally {
    await ask("POST", "/api/storage/hold", { seconds: 0 });
  }
  await dropDeleted(move, ask);
  say(`Files are served from ${move.to.name} now: ${seen.size} were moved.`);
}

/** @param {import("./s3.mjs").S3Settings} s3 @param {string} goal @param {boolean} remove */
async function moveFiles(s3, goal, remove) {
  const signal = stopSignal();
  await withServer(async ({ url, dataDir }) => {
    const { outcome, token } = await runPocketBaseCommand(dataDir, ["superuser-token"]);
    if (outcome !== "done" || token === undefined)
      throw new UserError("There is no superuser yet: make one first (npm start prints a link).");
    const { call } = createApi(url);
    /** @type {Ask} */
    const ask = (method, where, body) => call(method, where, { body, token });
    const { items } = await ask("GET", "/api/collections?perPage=500");
    const collections = items
      .filter(
        (/** @type {any} */ { type, fields }) =>
          type !== "view" && fields.some((/** @type {any} */ field) => field.type === "file"),
      )
      .map((/** @type {any} */ { id }) => id);
    const [disk, bucket] = [
      diskStore(path.join(dataDir, "storage")),
      bucketStore(await openBucket(s3)),
    ];
    const isToS3 = goal === "s3";
    const [from, to] = isToS3 ? [disk, bucket] : [bucket, disk];
    /** @type {Move} */
    const move = { from, to, collections, seen: new Set(), signal };
    const { s3: now } = await ask("GET", "/api/settings");
    if (now.enabled && (now.bucket !== s3.bucket || now.endpoint !== s3.endpoint))
      throw new UserError(
        `Files are in the bucket ${now.bucket} at ${now.endpoint}: set that one.`,
      );
    if (now.enabled === isToS3) await bringAllNamed(move, ask);
    else await change(move, ask, { ...s3, enabled: isToS3 });
    if (remove) await removeOld(move, ask);
  });
}

/** @param {import("./checkout.mjs").Given} given */
async function main({ values, positionals }) {
  const [verb, ...more] = positionals;
  const goal = values["to"];
  const isMove = verb === "move" && (goal === "s3" || goal === "local");
  const isCheck = verb === "check" && goal === undefined && values["remove"] === undefined;
  if (more.length > 0 || !(isMove || isCheck))
    throw new UserError(`Say what to do with the files.\n\n${USAGE}`);
  const s3 = readS3Settings();
  if (s3 === null) throw new UserError("Set S3_ENDPOINT and the others (docs/operations.md).");
  await ensureInstalled();
  await checkS3(s3);
  if (isCheck) say(`The bucket ${s3.bucket} at ${s3.endpoint} works.`);
  else await moveFiles(s3, String(goal), values["remove"] === true);
}

const flag = { type: /** @type {const} */ ("boolean") };
const text = { type: /** @type {const} */ ("string") };
await runCommand(USAGE, main, { options: { to: text, remove: flag }, positionals: true });
